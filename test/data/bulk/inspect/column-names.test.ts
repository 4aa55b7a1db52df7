import { describe, expect, test } from 'vitest';
import { roleNamed } from '#data/bulk/inspect/column-names.js';
import type { Role } from '#data/bulk/inspect/meanings.js';

/** The names of each column in English, German, French, Spanish, Polish, Dutch and Italian. */
const NAMES: Readonly<Record<Role, readonly string[]>> = {
  number: [
    'Part Number',
    'Artikel-Nr.',
    'Référence article',
    'Nº de pieza',
    'Numer części',
    'Artikelnummer',
    'Codice articolo',
  ],
  quantity: ['Qty.', 'Stückzahl', 'Quantité', 'Cantidad', 'Ilość', 'Aantal', 'Quantità'],
  name: ['Item Name', 'Benennung', 'Désignation', 'Nombre', 'Nazwa', 'Naam', 'Denominazione'],
  description: ['Description', 'Beschreibung', 'Descriptif', 'Descripción', 'Opis', 'Omschrijving', 'Descrizione'],
  manufacturer: ['Mfg Name', 'Hersteller', 'Fabricant', 'Fabricante', 'Producent', 'Fabrikant', 'Produttore'],
  mpn: [
    'Manufacturer Part No',
    'Herstellernummer',
    'Réf. fabricant',
    'Referencia fabricante',
    'Numer producenta',
    'Artikelnummer fabrikant',
    'Codice produttore',
  ],
  supplier: ['Vendor', 'Lieferant', 'Fournisseur', 'Proveedor', 'Dostawca', 'Leverancier', 'Fornitore'],
  supplierPartNumber: [
    'Vendor Part Num',
    'Bestell-Nr.',
    'Référence fournisseur',
    'Código proveedor',
    'Kod dostawcy',
    'Leverancier artikelnummer',
    'Codice fornitore',
  ],
  unfitted: ['DNP', 'Nicht bestückt', 'Ne pas monter', 'No montar', 'Nie montować', 'Niet plaatsen', 'Non montare'],
  fitted: ['Fitted', 'Bestückt', 'Monter', 'Montar', 'Montować', 'Placed', 'Montare'],
  substitute: [
    ...[
      'Alternates',
      'Alternate Part Number',
      'Alt. P/N',
      'Substitute 1',
      'Part Substitutes',
      'Ersatztyp',
      'Alternativteil',
    ],
    ...['Article équivalent', 'Pieza alternativa', 'Zamienniki', 'Alternatief onderdeel', 'Sostituto'],
  ],
  refDes: ['RefDes', 'Bauteilbezeichner', 'Repères', 'Designador', 'Oznaczenie', 'Referenties', 'Riferimenti'],
  lineNumber: ['Find No.', 'Pos.', 'Ligne', 'Línea', 'Lp.', 'Volgnummer', 'Riga'],
  level: ['BOM Level', 'Stufe', 'Niveau', 'Nivel', 'Poziom', 'Niveau', 'Livello'],
  parent: ['Parent Item Number', 'Baugruppe', 'Ensemble', 'Conjunto', 'Zespół', 'Samenstelling', 'Assieme'],
  uom: ['Unit of Measure', 'Mengeneinheit', 'Unité', 'Unidad', 'Jednostka', 'Eenheid', 'Unità di misura'],
  cost: ['Unit Price', 'Einzelpreis', 'Prix unitaire', 'Precio unitario', 'Cena', 'Stukprijs', 'Prezzo unitario'],
  value: ['Value', 'Wert', 'Valeur', 'Valor', 'Wartość', 'Waarde', 'Valore'],
  package: ['Footprint', 'Gehäuse', 'Boîtier', 'Encapsulado', 'Obudowa', 'Behuizing', 'Contenitore'],
  category: ['Part Type', 'Kategorie', 'Catégorie', 'Categoría', 'Kategoria', 'Categorie', 'Categoria'],
  lifecycle: [
    'Lifecycle Phase',
    'Lebenszyklus',
    'Cycle de vie',
    'Ciclo de vida',
    'Cykl życia',
    'Levenscyclus',
    'Ciclo di vita',
  ],
  revision: ['Rev.', 'Ausgabe', 'Révision', 'Revisión', 'Rewizja', 'Revisie', 'Revisione'],
  placement: ['Mid X', 'Drehung', 'Rotation', 'Rotación', 'Obrót', 'Rotatie', 'Rotazione'],
  notes: ['Remarks', 'Bemerkung', 'Remarques', 'Observaciones', 'Uwagi', 'Opmerking', 'Osservazioni'],
};

describe('a header identifies its column', () => {
  test.each(Object.entries(NAMES))('%s, in seven languages', (role, headers) => {
    expect(headers.map((header) => [header, roleNamed(header)])).toEqual(headers.map((header) => [header, role]));
  });

  test.each([
    ['QuantityPerPCB', 'quantity'],
    ['PARTNUMBER', 'number'],
    ['Embest P/N', 'number'],
    ['manf#', 'mpn'],
    ['Manufacture Part Number/Seeed SKU', 'mpn'],
    ['Part/Designator', 'refDes'],
    ['Reference(s)', 'refDes'],
    ['#', 'lineNumber'],
    ['Vendor Qty 1', undefined],
    ['Datasheet', undefined],
    ['', undefined],
  ] as const)('%s is %s', (header, role) => {
    expect(roleNamed(header)).toBe(role);
  });
});
