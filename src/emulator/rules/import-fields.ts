import type { Resource } from '../store/imports.js';
import type { CategoryWorld, World } from '../store/item-settings.js';
import type { StandardField } from './standard-field.js';
import { standardFields } from './standard-fields.js';

/** The world whose custom attributes the rows of a resource can set. */
const WORLDS: Readonly<Record<Resource, World>> = {
  ITEM_SPECS: 'ITEMS',
  ITEM_BOM: 'BOM',
  ITEM_FILES: 'FILES',
  FILE_SUMMARY: 'FILES',
  ITEM_SOURCING: 'SUPPLIER_ITEMS',
};

/** Returns the world whose custom attributes the rows of a resource can set; both resources of files share one. */
export function findAttributeWorld(resource: Resource): World {
  return WORLDS[resource];
}

/** Returns the world whose categories the rows of a resource name. */
export function findCategoryWorld(resource: Resource): CategoryWorld {
  return WORLDS[resource] === 'FILES' ? 'FILES' : 'ITEMS';
}

const reference = (apiName: string, name: string): StandardField => {
  return { apiName, name, fieldType: 'SINGLE_LINE_TEXT', reference: true };
};

const ITEM = [reference('guid', 'Item GUID'), reference('number', 'Item Number')];

/** Prefixes the fields of an object that a row names besides its item; none of them is required in every row. */
function under(prefix: string, fields: readonly StandardField[]): StandardField[] {
  return fields.map(({ required: _, ...field }) => ({ ...field, apiName: `${prefix}.${field.apiName}` }));
}

/**
 * The fields of ITEM_FILES. INFERRED, since no source shows a mapping of it: the key is item number and file number
 * (wire-facts 4). As in ITEM_BOM, `number` and `guid` name the item that the row belongs to; dotted names reach into
 * the file at the other end: `file.number`, `file.guid`, `file.title` and so on. `file.name` is also the name of the
 * file in the archive of the part `fileContent`. The fields of the association are ours.
 */
const ITEM_FILE_FIELDS: readonly StandardField[] = [
  ...ITEM,
  ...under('file', standardFields('FILES')),
  { apiName: 'primary', name: 'Primary', fieldType: 'BOOLEAN' },
  { apiName: 'latestEditionAssociation', name: 'Latest Edition Association', fieldType: 'BOOLEAN' },
];

/**
 * The fields of ITEM_SOURCING. INFERRED: neither the name of the resource nor its key is in any source (wire-facts 0
 * and 10). A row relates an item to a supplier item, which is identified by `supplier.name` and `supplierItem.number`,
 * since two suppliers may use one number. The columns have the same names as in the export of sourcing.
 */
const SOURCING_FIELDS: readonly StandardField[] = [
  ...ITEM,
  reference('supplier.guid', 'Supplier GUID'),
  reference('supplier.name', 'Supplier'),
  reference('supplierItem.guid', 'Supplier Item GUID'),
  ...under('supplierItem', standardFields('SUPPLIER_ITEMS')),
  reference('approvalStatus.name', 'Approval Status'),
  { apiName: 'priority', name: 'Priority', fieldType: 'NUMBER', positive: true },
  { apiName: 'notes', name: 'Sourcing Notes', fieldType: 'MULTI_LINE_TEXT', maxLength: 4000 },
];

/** The standard fields that a mapping of the resource can name. */
export function listImportFields(resource: Resource): readonly StandardField[] {
  if (resource === 'ITEM_FILES') return ITEM_FILE_FIELDS;
  return resource === 'ITEM_SOURCING' ? SOURCING_FIELDS : standardFields(WORLDS[resource]);
}
