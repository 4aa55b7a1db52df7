import { family } from '../family/family.js';
import { embedded, optionalReference, reference } from '../family/reference-fields.js';
import type { Relation } from '../family/relation.js';
import { fieldValues, keptNumber, keptText } from '../family/value-fields.js';
import { items } from './items.js';
import { supplierItems } from './supplier-items.js';

/** That items can be bought as supplier items (interface 2.4; endpoints.md). */
export const sourcing = family({
  one: 'a sourcing relationship',
  many: 'sourcing relationships',
  table: 'item_sourcing',
  paged: true,
  fields: {
    item: reference({ table: 'items', shows: ['number', 'name'], path: '/items' }),
    supplierItem: embedded(supplierItems),
    approvalStatus: optionalReference({ table: 'approval_statuses', shows: ['name'] }),
    priority: keptNumber(),
    notes: keptText(),
    fields: fieldValues(),
  },
  indexes: { item_sourcing_by_item: 'item, supplier_item', item_sourcing_by_supplier_item: 'supplier_item' },
  search: {},
});

/** One way to buy an item, as it is stored: item, supplier item and approval status by GUID. */
export type SourcingRecord = ReturnType<typeof sourcing.read>;

const texts = { list: 'List sourcing relationships', get: 'Get a sourcing relationship' };

/** The same relationships from the end of the item and from that of the supplier item. */
export const sourcingRelations: readonly Relation[] = [
  { family: sourcing, owner: items, by: 'item', segment: 'sourcing', ...texts },
  { family: sourcing, owner: supplierItems, by: 'supplierItem', segment: 'sourcing', ...texts },
];
