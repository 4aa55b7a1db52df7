import { documented } from '../documented/documented.js';
import { kept } from '../documented/kept-value.js';
import { choice } from '../family/plain-fields.js';
import { reference } from '../family/reference-fields.js';
import { creationTime, creator, modificationTime } from '../family/stamp-fields.js';
import { name } from '../family/text-fields.js';
import { ruledValues } from '../family/value-fields.js';
import { refusal } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import type { Clause } from '../store/search.js';

/** The condition that a sourcing relationship is one with a supplier item; only direct ones are in its column. */
export const sourcedAs = (guid: string): Clause => ({
  sql: `(t.supplier_item = ? OR t.supplier_item = '' AND ? IN (t.fields ->> '$.mfrItem', t.fields ->> '$.vendorItem'))`,
  values: [guid, guid],
});

const fields = {
  number: name('TEXT NOT NULL'),
  supplier: reference({ table: 'suppliers', shows: ['name'] }),
  type: kept(choice(['PART', 'PROCESS', 'DOCUMENT'], 'PART')),
  lastModifiedDateTime: modificationTime(),
  creationDateTime: creationTime(),
  creator: creator(),
  additional: ruledValues(),
};

/**
 * The items that suppliers sell under their own numbers (wire-facts 8.4). INFERRED: one that is a source of an item
 * cannot be deleted. The country of origin and the lead time come from imports (interface 9, 2025.3).
 */
export const supplierItems = documented<typeof fields>('/supplieritems', {
  fields,
  one: 'a supplier item',
  many: 'supplier items',
  table: 'supplier_items',
  imported: true,
  world: 'SUPPLIER_ITEMS',
  clearable: ['name', 'description', 'type'],
  further: {
    supplier: { guid: 'string', name: 'string' },
    leadTime: 'number|null',
    countryOfOrigin: 'string|null',
    lastModifiedDateTime: 'string|null',
    url: { api: 'string' },
  },
  shows: { type: (type) => type ?? 'PART' },
  indexes: { supplier_items_by_number: 'supplier, number' },
  check: (item, { workspace }) => {
    if (workspace.settings.get('SELECT 1 FROM suppliers WHERE guid = ?', item.supplier) !== undefined) return item;
    throw refusal(3043, `No supplier has the GUID "${item.supplier}".`);
  },
  refuseDelete: ({ guid }, { settings }: Workspace) => {
    const { sql, values } = sourcedAs(guid);
    if (settings.get(`SELECT 1 FROM item_sourcing t WHERE ${sql}`, ...values) === undefined) return;
    throw refusal(3016, 'The supplier item is a source of an item and cannot be deleted.');
  },
});

/** A stored supplier item. Its number belongs to its supplier: two suppliers may use the same one. */
export type SupplierItemRecord = ReturnType<typeof supplierItems.read>;
