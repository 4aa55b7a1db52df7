/**
 * Standard fields by what people call them (wire-facts 3, item object; those of BOM lines as in model/import-resources.ts). Only
 * letters and digits are compared. Earlier names are better ones.
 */
const ITEM: Readonly<Record<string, readonly string[]>> = {
  number: [
    'itemnumber',
    'partnumber',
    'number',
    'partno',
    'partnr',
    'itemnr',
    'articlenumber',
    'artikelnummer',
    'materialnumber',
    'materialnummer',
    'teilenummer',
    'sku',
    'ipn',
    'pn',
    'part',
    'itemid',
    'partid',
    'mpn',
    'manufacturerpartnumber',
    'mfgpartnum',
    'mfgpn',
    'manf',
  ],
  name: ['itemname', 'partname', 'name', 'title', 'bezeichnung', 'benennung'],
  description: ['description', 'itemdescription', 'partdescription', 'desc', 'beschreibung'],
  'category.path': ['categorypath'],
  'category.name': ['category', 'itemcategory', 'parttype', 'kategorie'],
  'lifecyclePhase.name': ['lifecyclephase', 'lifecycle', 'phase'],
  uom: ['uom', 'unitofmeasure', 'unit', 'units', 'einheit'],
  procurementType: ['procurementtype', 'procurement'],
  standardCost: ['standardcost', 'unitcost', 'cost', 'unitprice', 'price'],
};

const BOM: Readonly<Record<string, readonly string[]>> = {
  number: [
    'parentnumber',
    'parentitemnumber',
    'parentpartnumber',
    'parent',
    'assemblynumber',
    'assembly',
    'topassembly',
  ],
  'item.number': [
    'childnumber',
    'childitemnumber',
    'componentnumber',
    'child',
    ...(ITEM.number ?? []),
    'component',
    'manufacturerpart',
    'mpn',
    'mfgpartnum',
    'manufacturerpartnumber',
    'manf',
  ],
  quantity: ['quantity', 'qty', 'quantityperpcb', 'qtyper', 'amount', 'menge', 'anzahl'],
  refDes: [
    'refdes',
    'referencedesignators',
    'referencedesignator',
    'designators',
    'designator',
    'references',
    'reference',
    'refs',
    'location',
  ],
  lineNumber: ['linenumber', 'line', 'findnumber', 'itemno', 'item', 'position', 'pos', 'id'],
  notes: ['notes', 'note', 'remarks', 'remark', 'comments', 'comment'],
};

/** The resources whose columns `knownFields` can tell by their headers. */
export type KnownResource = 'ITEM_SPECS' | 'ITEM_BOM';

/** The index of the best column for each field that a header stands for; a column serves one field. */
export function knownFields(headers: readonly string[], resource: KnownResource): ReadonlyMap<string, number> {
  const bare = headers.map((header) => header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  const found = new Map<string, number>();
  for (const [field, names] of Object.entries(resource === 'ITEM_BOM' ? BOM : ITEM)) {
    const used = new Set(found.values());
    const index = names
      .map((name) => bare.findIndex((one, at) => one === name && !used.has(at)))
      .find((at) => at !== -1);
    if (index !== undefined) found.set(field, index);
  }
  return found;
}
