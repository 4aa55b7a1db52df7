import type { Row } from './driver.js';
import type { FieldValues } from './items.js';
import type { RecordTable } from './record-draft.js';
import { type List, text, textOrNull } from './select.js';
import { type Person, personColumns, readPerson } from './users.js';

export interface SupplierRecord {
  readonly guid: string;
  readonly name: string;
  readonly fields: FieldValues;
  readonly additional: FieldValues;
  readonly created: string;
  readonly creator: string;
}

/** What a supplier sells under a number of its own. */
export interface SupplierItemRecord {
  readonly guid: string;
  readonly supplier: string;
  readonly number: string;
  readonly fields: FieldValues;
  readonly additional: FieldValues;
  readonly created: string;
  readonly creator: string;
  readonly modified: string | null;
}

/** That an item can be bought as a supplier item. */
export interface SourcingRecord {
  readonly guid: string;
  readonly item: string;
  readonly supplierItem: string;
  readonly approvalStatus: string | null;
  readonly fields: FieldValues;
}

const json = (row: Row, column: string): FieldValues => JSON.parse(text(row, column)) as FieldValues;

export const supplierTable: RecordTable<SupplierRecord> = {
  name: 'suppliers',
  columns: ['guid', 'name', 'fields', 'additional', 'created', 'creator'],
  indexes: ['name'],
  values: ({ guid, name, fields, additional, created, creator }) => {
    return [guid, name, JSON.stringify(fields), JSON.stringify(additional), created, creator];
  },
  read: readSupplier,
};

export const supplierItemTable: RecordTable<SupplierItemRecord> = {
  name: 'supplier_items',
  columns: ['guid', 'supplier', 'number', 'fields', 'additional', 'created', 'creator', 'modified'],
  indexes: ['supplier, number'],
  values: ({ guid, supplier, number, fields, additional, created, creator, modified }) => {
    return [guid, supplier, number, JSON.stringify(fields), JSON.stringify(additional), created, creator, modified];
  },
  read: readSupplierItem,
};

export const sourcingTable: RecordTable<SourcingRecord> = {
  name: 'item_sourcing',
  columns: ['guid', 'item', 'supplier_item', 'approval_status', 'fields'],
  indexes: ['item, supplier_item'],
  values: ({ guid, item, supplierItem, approvalStatus, fields }) => {
    return [guid, item, supplierItem, approvalStatus, JSON.stringify(fields)];
  },
  read: (row) => ({
    guid: text(row, 'guid'),
    item: text(row, 'item'),
    supplierItem: text(row, 'supplier_item'),
    approvalStatus: textOrNull(row, 'approval_status'),
    fields: json(row, 'fields'),
  }),
};

function readSupplier(row: Row): SupplierRecord {
  return {
    guid: text(row, 'guid'),
    name: text(row, 'name'),
    fields: json(row, 'fields'),
    additional: json(row, 'additional'),
    created: text(row, 'created'),
    creator: text(row, 'creator'),
  };
}

function readSupplierItem(row: Row): SupplierItemRecord {
  return {
    guid: text(row, 'guid'),
    supplier: text(row, 'supplier'),
    number: text(row, 'number'),
    fields: json(row, 'fields'),
    additional: json(row, 'additional'),
    created: text(row, 'created'),
    creator: text(row, 'creator'),
    modified: textOrNull(row, 'modified'),
  };
}

export interface ListedSupplier extends SupplierRecord {
  readonly creatorPerson: Person;
}

export const supplierList: List<ListedSupplier> = {
  select: `SELECT s.*, ${personColumns('c')} FROM suppliers s JOIN users c ON c.guid = s.creator`,
  columns: { name: 's.name', 'creator.guid': 's.creator', 'creator.fullName': 'c.full_name' },
  order: 's.seq',
  read: (row) => ({ ...readSupplier(row), creatorPerson: readPerson(row, 'c') }),
};

export interface ListedSupplierItem extends SupplierItemRecord {
  readonly supplierName: string;
  readonly creatorPerson: Person;
}

export const supplierItemList: List<ListedSupplierItem> = {
  select: `SELECT m.*, s.name AS supplier_name, ${personColumns('c')} FROM supplier_items m
    JOIN suppliers s ON s.guid = m.supplier JOIN users c ON c.guid = m.creator`,
  columns: {
    number: 'm.number',
    name: "m.fields ->> '$.name'",
    'supplier.guid': 'm.supplier',
    'supplier.name': 's.name',
  },
  order: 'm.seq',
  read: (row) => ({
    ...readSupplierItem(row),
    supplierName: text(row, 'supplier_name'),
    creatorPerson: readPerson(row, 'c'),
  }),
};

interface Named {
  readonly guid: string;
  readonly name: string;
}

/** A sourcing relationship with both of its ends. */
export interface ListedSourcing {
  readonly guid: string;
  readonly fields: FieldValues;
  readonly approvalStatus: Named | null;
  readonly item: Named & { readonly number: string };
  readonly supplierItem: { readonly guid: string; readonly number: string; readonly fields: FieldValues };
  readonly supplier: Named;
}

export const sourcingList: List<ListedSourcing> = {
  select: `SELECT r.*, p.name AS status_name, i.number AS item_number, i.name AS item_name, m.number AS own_number,
    m.fields AS own_fields, s.guid AS supplier_guid, s.name AS supplier_name
    FROM item_sourcing r JOIN items i ON i.guid = r.item JOIN supplier_items m ON m.guid = r.supplier_item
    JOIN suppliers s ON s.guid = m.supplier LEFT JOIN approval_statuses p ON p.guid = r.approval_status`,
  columns: {},
  order: 'r.seq',
  read: (row) => ({
    guid: text(row, 'guid'),
    fields: json(row, 'fields'),
    approvalStatus:
      row.approval_status === null ? null : { guid: text(row, 'approval_status'), name: text(row, 'status_name') },
    item: { guid: text(row, 'item'), number: text(row, 'item_number'), name: text(row, 'item_name') },
    supplierItem: {
      guid: text(row, 'supplier_item'),
      number: text(row, 'own_number'),
      fields: json(row, 'own_fields'),
    },
    supplier: { guid: text(row, 'supplier_guid'), name: text(row, 'supplier_name') },
  }),
};
