import { describe, expect, test } from 'vitest';
import type { ImportSource } from '#core/jobs/source.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { inspectTable } from '#data/bulk/inspect/inspect-table.js';
import { prepareImport } from '#data/bulk/prepare.js';
import { readAllRows } from '#data/bulk/rows/spooled-rows.js';
import { fileOf, temporaryFolder, workbookOf } from '../support.js';

/** A part of the board that all these lists describe. */
interface Part {
  readonly value: string;
  readonly pkg: string;
  readonly refs: readonly string[];
  readonly maker: string;
  readonly mpn: string;
  readonly text: string;
  readonly number: string;
  /** Whether it is on the board. */
  readonly fitted: boolean;
}

const part = (
  [value, pkg, maker, mpn, text, number]: readonly [string, string, string, string, string, string],
  refs: readonly string[],
  fitted = true,
): Part => ({ value, pkg, maker, mpn, text, number, refs, fitted });

const BOARD: readonly Part[] = [
  part(['10k', 'R_0603', 'Yageo', 'RC0603FR-0710KL', 'Resistor 10k 1%', '100-0001'], ['R1', 'R2', 'R3']),
  part(['100nF', 'C_0603', 'Murata', 'GRM188R71H104KA93D', 'Capacitor 100nF 50V', '100-0002'], ['C1', 'C2']),
  part(['22k', 'R_0603', 'Yageo', 'RC0603FR-0722KL', 'Resistor 22k 1%', '100-0003'], ['R4'], false),
  part(['STM32F103C8T6', 'LQFP-48', 'STMicroelectronics', 'STM32F103C8T6', 'Microcontroller', '100-0004'], ['U1']),
  part(['USB_C', 'USB_C_Receptacle', 'GCT', 'USB4105-GF-A', 'Connector USB-C', '100-0005'], ['J1']),
];
const FITTED = BOARD.filter(({ fitted }) => fitted);

/** How a program writes a list: its columns, and what stands around them. */
interface Format {
  readonly columns: Readonly<Record<string, (part: Part, row: number) => string | number>>;
  /** One row for each designator. */
  readonly each?: true;
  readonly delimiter?: string;
  readonly quotes?: 'all';
  readonly above?: readonly string[];
  readonly below?: readonly string[];
  readonly encoding?: 'utf16le' | 'utf8-bom';
  readonly as?: 'xlsx';
  /** It lists only what is fitted. */
  readonly only?: 'fitted';
  /** It has no mark for what is not fitted. */
  readonly marks?: 'none';
  readonly refs?: 'none';
  /** A row in the middle. */
  readonly between?: string;
  /** Pieces of a part in the first row, if the list has no header. */
  readonly more?: number;
}

const refs = (separator: string) => (one: Part) => one.refs.join(separator);
const value = (one: Part) => one.value;
const pkg = (one: Part) => one.pkg;
const text = (one: Part) => one.text;
const count = (one: Part) => one.refs.length;
const maker = (one: Part) => one.maker;
const mpn = (one: Part) => one.mpn;
const number = (one: Part) => one.number;
const row = (_: Part, n: number) => n;
const blank = () => '';
const mark =
  (word: string, otherwise = '') =>
  (one: Part) =>
    one.fitted ? otherwise : word;

const FORMATS: Readonly<Record<string, Format>> = {
  'KiCad 6, exported from the board': {
    columns: {
      Id: row,
      Designator: refs(','),
      Footprint: pkg,
      Quantity: count,
      Designation: value,
      'Supplier and ref': blank,
    },
    ...{ delimiter: ';', quotes: 'all', only: 'fitted' },
  },
  'KiCad 6, grouped by value': {
    columns: {
      Ref: refs(', '),
      Qnty: count,
      Value: value,
      'Cmp name': text,
      Footprint: pkg,
      Description: text,
      Vendor: blank,
      DNP: mark('DNP'),
    },
    above: [
      'Source:,board.kicad_sch',
      'Date:,Sat 28 Nov 2026',
      'Tool:,Eeschema 6.0.11',
      'Generator:,bom_csv_grouped_by_value.py',
      'Component Count:,8',
      '',
    ],
    quotes: 'all',
  },
  'KiCad 7': {
    columns: { Reference: refs(','), Value: value, Datasheet: () => '~', Footprint: pkg, Qty: count, DNP: mark('DNP') },
    quotes: 'all',
  },
  'KiCad 8': {
    columns: {
      Reference: refs(','),
      Qty: count,
      Value: value,
      DNP: mark('DNP'),
      'Exclude from BOM': blank,
      'Exclude from Board': blank,
      Footprint: pkg,
      Datasheet: () => '',
    },
    quotes: 'all',
  },
  'KiCad 9, with makers': {
    columns: {
      Reference: refs(','),
      Qty: count,
      Value: value,
      Footprint: pkg,
      Manufacturer: maker,
      MPN: mpn,
      DNP: mark('DNP'),
    },
    quotes: 'all',
  },
  'KiCad, one row for each part': {
    columns: { Reference: refs(','), Value: value, Footprint: pkg, DNP: mark('DNP') },
    each: true,
  },
  Altium: {
    columns: {
      Comment: value,
      Description: text,
      Designator: refs(', '),
      Footprint: pkg,
      LibRef: value,
      Quantity: count,
    },
    ...{ quotes: 'all', only: 'fitted' },
  },
  'Altium ActiveBOM': {
    columns: {
      'Line #': row,
      Name: value,
      Description: text,
      Designator: refs(', '),
      Quantity: count,
      'Manufacturer 1': maker,
      'Manufacturer Part Number 1': mpn,
      'Manufacturer Lifecycle 1': () => 'Volume Production',
      'Supplier 1': () => 'Digi-Key',
      'Supplier Part Number 1': (one) => `${one.number}-ND`,
      'Supplier Unit Price 1': () => '0.1',
    },
    ...{ as: 'xlsx', only: 'fitted' },
  },
  'Altium variant': {
    columns: {
      Designator: refs(', '),
      Comment: value,
      Footprint: pkg,
      Quantity: count,
      Fitted: mark('Not Fitted', 'Fitted'),
    },
    above: ['Bill of Materials', 'Variant:,Standard', ''],
  },
  'EAGLE, by value': {
    columns: {
      Qty: count,
      Value: value,
      Device: pkg,
      Package: pkg,
      Parts: refs(', '),
      Description: text,
      MF: maker,
      MPN: mpn,
    },
    ...{ delimiter: ';', quotes: 'all', only: 'fitted' },
  },
  'EAGLE, by part': {
    columns: { Part: refs(','), Value: value, Device: pkg, Package: pkg, Description: text },
    ...{ delimiter: ';', quotes: 'all', each: true, only: 'fitted' },
  },
  'Fusion electronics': {
    columns: {
      Qty: count,
      Value: value,
      Device: pkg,
      Package: pkg,
      Parts: refs(', '),
      Description: text,
      POPULATE: mark('0', '1'),
    },
    ...{ quotes: 'all' },
  },
  OrCAD: {
    columns: { Item: row, Quantity: count, Reference: refs(','), Part: value },
    delimiter: '\t',
    above: [
      'Board  Revised: Saturday, November 28, 2026',
      '',
      'Bill Of Materials\tNovember 28,2026\t10:00:00\tPage1',
      '',
    ],
    only: 'fitted',
  },
  'OrCAD CIS': {
    columns: {
      'Item Number': row,
      Quantity: count,
      Value: value,
      'Part Reference': refs(','),
      'PCB Footprint': pkg,
      Manufacturer: maker,
      'Manufacturer Part Number': mpn,
      BOM: mark('NC', 'YES'),
    },
    only: 'fitted',
  },
  JLCPCB: {
    columns: { Comment: value, Designator: refs(','), Footprint: pkg, 'LCSC Part #': number },
    only: 'fitted',
  },
  EasyEDA: {
    columns: {
      ID: row,
      Name: value,
      Designator: refs(','),
      Footprint: pkg,
      Quantity: count,
      'Manufacturer Part': mpn,
      Manufacturer: maker,
      Supplier: () => 'LCSC',
      'Supplier Part': number,
      Price: () => '0.012',
    },
    ...{ delimiter: '\t', encoding: 'utf16le', only: 'fitted' },
  },
  LibrePCB: {
    columns: { Quantity: count, Designators: refs(', '), Value: value, MPN: mpn, Manufacturer: maker },
    ...{ quotes: 'all', only: 'fitted' },
  },
  'Horizon EDA': {
    columns: { QTY: count, MPN: mpn, Value: value, Manufacturer: maker, 'Ref. Des.': refs(', '), Description: text },
    only: 'fitted',
  },
  'Digi-Key order': {
    columns: {
      Index: row,
      Quantity: count,
      'Part Number': (one) => `${one.mpn}-ND`,
      'Manufacturer Part Number': mpn,
      Description: text,
      'Customer Reference': refs(' '),
      Backorder: () => 0,
      'Unit Price': () => '0.10000',
      'Extended Price': (one) => `$${(one.refs.length / 10).toFixed(2)}`,
    },
    ...{ only: 'fitted', refs: 'none', below: [',,,,,,,Subtotal,$0.70'] },
  },
  'Mouser order': {
    columns: {
      'Mouser No': (one) => `603-${one.mpn}`,
      'Mfr. No': mpn,
      Manufacturer: maker,
      'Customer No': refs(' '),
      Description: text,
      RoHS: () => 'RoHS Compliant',
      'Order Qty.': count,
      'Price (USD)': () => '$0.10',
      'Ext. (USD)': () => '$0.30',
    },
    ...{ as: 'xlsx', only: 'fitted', refs: 'none' },
  },
  'LCSC order': {
    columns: {
      'LCSC Part Number': number,
      'Manufacture Part Number': mpn,
      Manufacturer: maker,
      'Customer NO.': refs(' '),
      Package: pkg,
      Description: text,
      RoHS: () => 'YES',
      'Order Qty.': count,
      'Min\\Mult Order Qty.': () => '50\\50',
      'Unit Price($)': () => '0.0100',
      'Order Price($)': () => '0.50',
    },
    ...{ only: 'fitted', refs: 'none' },
  },
  SolidWorks: {
    columns: { 'ITEM NO.': row, 'PART NUMBER': number, DESCRIPTION: text, 'QTY.': count },
    ...{ as: 'xlsx', only: 'fitted', refs: 'none' },
  },
  Inventor: {
    columns: {
      Item: row,
      'Part Number': number,
      'BOM Structure': () => 'Normal',
      'Unit QTY': () => 'Each',
      QTY: count,
      'Stock Number': blank,
      Description: text,
      REV: () => 'A',
    },
    ...{ as: 'xlsx', only: 'fitted', refs: 'none' },
  },
  'Solid Edge': {
    columns: { 'Item Number': row, 'Document Number': number, Title: text, Material: () => 'Steel', Quantity: count },
    ...{ only: 'fitted', refs: 'none', delimiter: '\t' },
  },
  'Arena export': {
    columns: {
      Level: () => 1,
      'Item Number': number,
      'Item Name': text,
      'Item Revision': () => 'A',
      'Lifecycle Phase': () => 'In Production',
      Quantity: count,
      'Ref Des': refs(','),
      'Unit of Measure': () => 'each',
    },
    only: 'fitted',
  },
  OpenBOM: {
    columns: {
      'Part Number': number,
      Name: value,
      Description: text,
      Cost: () => '$0.10',
      'Quantity Gap': () => '',
      Quantity: count,
      'Total Cost': () => '$0.30',
      Vendor: () => 'Digi-Key',
    },
    ...{ only: 'fitted', refs: 'none' },
  },
  'SAP, in German': {
    columns: {
      'Pos.': (_, n) => String(n * 10).padStart(4, '0'),
      Komponentennummer: number,
      Objektkurztext: text,
      Menge: (one) => `${one.refs.length},000`,
      ME: () => 'ST',
    },
    ...{ only: 'fitted', refs: 'none', delimiter: ';' },
  },
  'a German list': {
    columns: {
      'Pos.': row,
      Stück: count,
      Benennung: text,
      'Artikel-Nr.': number,
      Hersteller: maker,
      'Hersteller-Nr.': mpn,
      Bauteilbezeichner: refs(', '),
      Bestückung: mark('nicht bestückt', 'bestückt'),
    },
    ...{ delimiter: ';', above: ['Stückliste Steuerplatine', ''] },
  },
  'a French list': {
    columns: {
      Repère: refs(' '),
      Désignation: text,
      Fabricant: maker,
      'Réf. fabricant': mpn,
      Qté: count,
      Boîtier: pkg,
    },
    ...{ delimiter: ';', only: 'fitted', encoding: 'utf8-bom' },
  },
  'a Spanish list': {
    columns: { Referencia: refs(', '), Valor: value, Cantidad: count, Encapsulado: pkg, Fabricante: maker },
    ...{ only: 'fitted' },
  },
  'a Polish list': {
    columns: {
      'Lp.': row,
      Oznaczenie: refs(', '),
      Wartość: value,
      Ilość: count,
      Obudowa: pkg,
      Uwagi: mark('nie montować'),
    },
    delimiter: ';',
  },
  'an Italian list': {
    columns: { Posizione: row, Codice: number, Descrizione: text, Quantità: count, Riferimenti: refs(', ') },
    ...{ only: 'fitted', delimiter: ';' },
  },
  'a Dutch list': {
    columns: { Artikelnummer: number, Omschrijving: text, Aantal: count, Referentie: refs(', '), Fabrikant: maker },
    ...{ only: 'fitted', delimiter: ';' },
  },
  'a list with titles and a total': {
    columns: { 'Part Number': number, Description: text, Designator: refs(', '), Qty: count },
    ...{ only: 'fitted', above: ['Board A,,,', ',,,'], below: [',Total,,7'] },
  },
  'a list that says NC': {
    columns: { Designator: refs(' '), Value: value, Package: pkg, Qty: count, Remarks: mark('NC') },
  },
  'a list with a zero for what is not fitted': {
    columns: { Designator: refs(' '), Value: value, Package: pkg, Qty: (one) => (one.fitted ? one.refs.length : 0) },
  },
  'a list with ranges of designators': {
    columns: {
      'Part Number': number,
      Qty: count,
      Designators: (one) => (one.refs.length === 3 ? 'R1-R3' : one.refs.join(', ')),
    },
    only: 'fitted',
  },
  'a list of makers alone': {
    columns: { Manufacturer: maker, 'Manufacturer Part Number': mpn, Quantity: count, Reference: refs(', ') },
    only: 'fitted',
  },
  'a list with "Maker: number" in one cell': {
    columns: {
      Designator: refs(', '),
      Quantity: count,
      Source: (one) => `${one.maker}: ${one.mpn}`,
      Value: value,
      Package: pkg,
    },
    only: 'fitted',
  },
  'a list whose first column has no header': {
    columns: { '': number, Description: text, Qty: count, Designator: refs(', ') },
    only: 'fitted',
  },
  'a list with titles of sections': {
    columns: { 'Part Number': number, Description: text, Qty: count, Designator: refs(', ') },
    ...{ only: 'fitted', above: ['Passives,,,'], between: 'Next section,,,' },
  },
  'a list that repeats its header': {
    columns: { 'Part Number': number, Description: text, Qty: count, Designator: refs(', ') },
    ...{ only: 'fitted', between: 'Part Number,Description,Qty,Designator' },
  },
  'a list with blank rows': {
    columns: { 'Part Number': number, Description: text, Qty: count, Designator: refs(', ') },
    ...{ only: 'fitted', between: ',,,' },
  },
  'a list that says DNP in values': {
    columns: {
      Designator: refs(' '),
      Value: (one) => (one.fitted ? one.value : `${one.value} DNP`),
      Package: pkg,
      Qty: count,
    },
  },
  'a list with pieces as text': {
    columns: { 'Part Number': number, Description: text, Quantity: (one) => `${one.refs.length} pcs` },
    ...{ only: 'fitted', refs: 'none' },
  },
  'a list with designators in lines of their own': {
    columns: { 'Part Number': number, Qty: count, Designators: refs('\n') },
    ...{ only: 'fitted', as: 'xlsx' },
  },
  'a list with a signature below': {
    columns: { 'Part Number': number, Description: text, Qty: count, Designator: refs(', ') },
    ...{ only: 'fitted', below: ['', 'Prepared by: J. Doe,,,', 'Approved:,28 Nov 2026,,'] },
  },
  'a list with two makers': {
    columns: {
      'Part Number': number,
      Qty: count,
      Manufacturer: maker,
      'Manufacturer PN': mpn,
      'Manufacturer 2': () => 'Vishay',
      'Manufacturer PN 2': (one) => `V-${one.mpn}`,
    },
    ...{ only: 'fitted', refs: 'none' },
  },
  'a list with "number / maker" in one cell': {
    columns: { Pos: row, Designator: refs(', '), Qty: count, 'Mfr Part / Mfr': (one) => `${one.mpn} / ${one.maker}` },
    only: 'fitted',
  },
  'a list with prices and sums': {
    columns: {
      'Part Number': number,
      Description: text,
      Qty: count,
      'Unit Price': () => '$1,250.00',
      'Extended Price': (one) => `$${(one.refs.length * 1250).toLocaleString('en')}.00`,
    },
    ...{ only: 'fitted', refs: 'none', below: ['"","Total","7","","$8,750.00"'] },
  },
  'a list with quantities for one and for ten boards': {
    columns: {
      'Part Number': number,
      Description: text,
      'Qty per board': count,
      'Qty for 10': (one) => one.refs.length * 10,
    },
    ...{ only: 'fitted', refs: 'none' },
  },
  'a list by levels': {
    columns: { Level: () => 1, 'Part Number': number, Name: text, Quantity: count },
    ...{ only: 'fitted', refs: 'none', above: [] },
  },
  'a list with codes of an assembly': {
    columns: { 'Part Number': number, Description: text, Qty: count, 'Assembly Code': mark('DNP', 'SMT') },
    refs: 'none',
  },
  'a list with "Mounted"': {
    columns: { Designator: refs(','), Value: value, Package: pkg, Quantity: count, Mounted: mark('No', 'Yes') },
  },
  'a list without a header': {
    columns: { 'R9,R8': refs(','), '47k': value, R_0402: pkg, '2': count },
    ...{ only: 'fitted', quotes: 'all', more: 2 },
  },
  'a pick and place file': {
    columns: {
      Designator: refs(','),
      Comment: value,
      Footprint: pkg,
      'Mid X': () => '12.7mm',
      'Mid Y': () => '3.81mm',
      Rotation: () => '90',
      Layer: () => 'TopLayer',
    },
    ...{ each: true, only: 'fitted' },
  },
};

async function pathOf({ columns, each, only, as, ...format }: Format): Promise<string> {
  const parts = only === 'fitted' ? FITTED : BOARD;
  const listed = each === undefined ? parts : parts.flatMap((one) => one.refs.map((ref) => ({ ...one, refs: [ref] })));
  const rows = listed.map((one, index) => Object.values(columns).map((cell) => cell(one, index + 1)));
  const { above = [], below = [], delimiter = ',', quotes, encoding, between } = format;
  if (as === 'xlsx') return workbookOf({ BOM: [Object.keys(columns), ...rows] });
  const cell = (one: string | number): string =>
    quotes === 'all' || String(one).includes(delimiter) ? `"${one}"` : String(one);
  const lines = [Object.keys(columns), ...rows].map((cells) => cells.map(cell).join(delimiter));
  if (between !== undefined) lines.splice(3, 0, between);
  const all = `${[...above, ...lines, ...below].join('\r\n')}\r\n`;
  const marked = encoding === undefined ? all : `\ufeff${all}`;
  return fileOf('board.csv', Buffer.from(marked, encoding === 'utf16le' ? 'utf16le' : 'utf8'));
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly source: ImportSource } & ImportDefinitionSpec;
}

/** Rows as a resource gets them, by field. */
async function rowsOf(path: string, manifests: readonly Manifest[], resource: string) {
  const found: Record<string, string>[] = [];
  for (const { metadata, spec: definition } of manifests.filter(({ spec }) => spec.resource === resource)) {
    const job = manifests.find(({ kind, metadata: { name } }) => kind === 'Import' && name === metadata.name);
    const source = job?.spec.source as ImportSource;
    const prepared = await prepareImport({
      ...{ path, source, definition, folder: await temporaryFolder(), signal: new AbortController().signal },
    });
    const fields = prepared.columns.map((one) => one.fields[0] ?? one.header);
    for await (const { cells } of readAllRows(prepared)) {
      found.push(Object.fromEntries(cells.map((cell, index) => [fields[index], cell])));
    }
  }
  return found;
}

/** Pieces and designators of each part. */
function piecesByPart(lines: readonly Record<string, string>[]) {
  const byPart = new Map<string, { quantity: number; refs: string[] }>();
  for (const { 'item.number': item = '', quantity = '1', refdes = '' } of lines) {
    const known = byPart.get(item) ?? { quantity: 0, refs: [] };
    const designators = refdes.split(/[\s,;]+/).filter((one) => one !== '');
    byPart.set(item, { quantity: known.quantity + Number(quantity), refs: [...known.refs, ...designators] });
  }
  return byPart;
}

describe('the list of a board, as programs and people write it, becomes the lines of that board', () => {
  test.each(Object.keys(FORMATS))('%s', async (name) => {
    const format = FORMATS[name] as Format;
    const path = await pathOf(format);
    const file = path.endsWith('.xlsx') ? 'board.xlsx' : 'board.csv';
    const { inspection } = await inspectTable({ path, file }, { file }, new AbortController().signal);
    const { problems, manifests, text: shown } = inspection.proposal;
    expect(problems, shown).toEqual([]);
    const given = manifests as unknown as readonly Manifest[];
    const lines = await rowsOf(path, given, 'ITEM_BOM');
    const byPart = piecesByPart(lines);
    const quantities = [...byPart.values()].map(({ quantity }) => quantity).sort();
    expect(quantities, shown).toEqual(
      [...FITTED.map(({ refs: all }) => all.length), ...(format.more === undefined ? [] : [format.more])].sort(),
    );
    if (format.refs === undefined && format.more === undefined) {
      const designators = [...byPart.values()].map((one) => one.refs.join(' ')).sort();
      const wanted = FITTED.map((one) =>
        one.refs.join(' ').replace('R1 R2 R3', name.includes('ranges') ? 'R1-R3' : 'R1 R2 R3'),
      );
      expect(designators, shown).toEqual(wanted.sort());
    }
    const items = new Set((await rowsOf(path, given, 'ITEM_SPECS')).map((one) => one.number));
    for (const item of byPart.keys()) expect(items.has(item), shown).toBe(true);
  });
});
