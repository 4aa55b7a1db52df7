import { family } from '../family/family.js';
import { embedded, optionalReference, reference } from '../family/reference-fields.js';
import type { Relation } from '../family/relation.js';
import { fieldValues, keptNumber, keptText } from '../family/value-fields.js';
import { items } from './items.js';
import { supplierItems } from './supplier-items.js';

/** Sourcing relationships: items can be bought as supplier items (interface 2.4; endpoints.md). */
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

/** A stored sourcing relationship: item, supplier item and approval status by GUID. */
export type SourcingRecord = ReturnType<typeof sourcing.read>;

const texts = { list: 'List sourcing relationships', get: 'Get a sourcing relationship' };

/** The relationships as read from an item, and as read from a supplier item. */
export const sourcingRelations: readonly Relation[] = [
  { family: sourcing, owner: items, by: 'item', segment: 'sourcing', ...texts },
  { family: sourcing, owner: supplierItems, by: 'supplierItem', segment: 'sourcing', ...texts },
];
