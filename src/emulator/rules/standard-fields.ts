import type { Attribute, World } from '../store/item-settings.js';
import type { StandardField } from './standard-field.js';
import { FURTHER_FIELDS } from './world-fields.js';

/**
 * The fields of an item (wire-facts 3, "Item object"); dotted names reach into the object that an item refers to
 * (wire-facts 4, "Mapping entry"). The types and lengths are ours where no source shows them.
 */
const ITEM_FIELDS: readonly StandardField[] = [
  { apiName: 'guid', name: 'Item GUID', fieldType: 'SINGLE_LINE_TEXT', reference: true },
  { apiName: 'number', name: 'Item Number', fieldType: 'SINGLE_LINE_TEXT', required: true, maxLength: 200 },
  { apiName: 'name', name: 'Item Name', fieldType: 'SINGLE_LINE_TEXT', required: true, maxLength: 1000 },
  { apiName: 'description', name: 'Description', fieldType: 'MULTI_LINE_TEXT', maxLength: 4000 },
  { apiName: 'category.name', name: 'Category', fieldType: 'SINGLE_LINE_TEXT', reference: true },
  { apiName: 'category.path', name: 'Category Path', fieldType: 'SINGLE_LINE_TEXT', reference: true },
  { apiName: 'category.guid', name: 'Category GUID', fieldType: 'SINGLE_LINE_TEXT', reference: true },
  { apiName: 'lifecyclePhase.name', name: 'Lifecycle Phase', fieldType: 'SINGLE_LINE_TEXT', reference: true },
  { apiName: 'lifecyclePhase.guid', name: 'Lifecycle Phase GUID', fieldType: 'SINGLE_LINE_TEXT', reference: true },
  { apiName: 'owner.fullName', name: 'Owner', fieldType: 'SINGLE_LINE_TEXT', reference: true },
  { apiName: 'uom', name: 'Unit of Measure', fieldType: 'SINGLE_LINE_TEXT', maxLength: 50 },
  {
    apiName: 'procurementType',
    name: 'Procurement Type',
    fieldType: 'FIXED_DROP_DOWN',
    possibleValues: ['OTS', 'MTS'],
  },
  { apiName: 'standardCost', name: 'Standard Cost', fieldType: 'NUMBER', positive: true },
  { apiName: 'targetCost', name: 'Target Cost', fieldType: 'NUMBER', positive: true },
  { apiName: 'prototypeCost', name: 'Prototype Cost', fieldType: 'NUMBER', positive: true },
  { apiName: 'productionCost', name: 'Production Cost', fieldType: 'NUMBER', positive: true },
  { apiName: 'targetPrice', name: 'Target Price', fieldType: 'NUMBER', positive: true },
  { apiName: 'shared', name: 'Shared', fieldType: 'BOOLEAN' },
];

/**
 * The fields of a BOM line. INFERRED, since no source shows an ITEM_BOM mapping: the interface says that the
 * identifying column `Number` contains the parent's number, so `number` and `guid` name the parent; the line object of
 * wire-facts 3 (`{"item":{"guid"},"quantity","refDes","notes"}`) calls the child `item`, so `item.number` and
 * `item.guid` name the child. The other fields are those of the line.
 */
const BOM_FIELDS: readonly StandardField[] = [
  { apiName: 'guid', name: 'Parent Item GUID', fieldType: 'SINGLE_LINE_TEXT', reference: true },
  { apiName: 'number', name: 'Parent Item Number', fieldType: 'SINGLE_LINE_TEXT', reference: true },
  { apiName: 'item.guid', name: 'Item GUID', fieldType: 'SINGLE_LINE_TEXT', reference: true },
  { apiName: 'item.number', name: 'Item Number', fieldType: 'SINGLE_LINE_TEXT', reference: true },
  { apiName: 'lineNumber', name: 'Line Number', fieldType: 'NUMBER', positive: true },
  { apiName: 'quantity', name: 'Quantity', fieldType: 'NUMBER', positive: true },
  { apiName: 'refDes', name: 'Reference Designators', fieldType: 'MULTI_LINE_TEXT', maxLength: 40_000 },
  { apiName: 'notes', name: 'Notes', fieldType: 'MULTI_LINE_TEXT', maxLength: 4000 },
];

const FIELDS: Readonly<Record<World, readonly StandardField[]>> = {
  ITEMS: ITEM_FIELDS,
  BOM: BOM_FIELDS,
  ...FURTHER_FIELDS,
};

/** Returns the standard fields of a world in the order of its columns, including references to other objects. */
export function standardFields(world: World): readonly StandardField[] {
  return FIELDS[world];
}

/** Whether only the service sets a standard attribute (interface 7: the country of origin). */
export function isReadOnly(world: World, apiName: string): boolean {
  return standardFields(world).some((field) => field.readOnly && field.apiName === apiName);
}

/** Creates the standard attributes of a new workspace. */
export function standardAttributes(world: World, guid: () => string): Attribute[] {
  return standardFields(world)
    .filter((field) => !field.reference)
    .map((field) => ({
      guid: guid(),
      world,
      apiName: field.apiName,
      name: field.name,
      fieldType: field.fieldType,
      custom: false,
      required: field.required ?? false,
      multiSelect: false,
      maxLength: field.maxLength ?? null,
      possibleValues: field.possibleValues ?? [],
      category: null,
    }));
}
