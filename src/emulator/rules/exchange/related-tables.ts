import type { SqlValue } from '#base/sqlite/sqlite.js';
import type { Database } from '../../store/database.js';
import { PAGE, readPages } from '../../store/item-pages.js';
import type { ExportView } from '../export-options.js';
import type { Table, TableColumn } from './table.js';

interface RelatedColumn extends TableColumn {
  readonly sql: string;
}

/** A view of what belongs to the picked items, whose rows are in the order of a table's `seq`. */
interface RelatedView {
  readonly columns: readonly RelatedColumn[];
  readonly from: string;
  readonly where?: string;
  readonly seq: string;
  /** A table that exists only once something was stored in it. */
  readonly table?: string;
}

const column = (apiName: string, name: string, sql: string): RelatedColumn => ({ apiName, name, sql });

const ITEM = [column('guid', 'Item GUID', 'i.guid'), column('number', 'Item Number', 'i.number')];
const FILE = [
  column('file.guid', 'File GUID', 'f.guid'),
  column('file.number', 'File Number', 'f.number'),
  column('file.name', 'File Name', 'f.name'),
];
const SUPPLIER_NAME = column('supplier.name', 'Supplier', 's.name');
const SUPPLIER_ITEM = [
  column('supplierItem.guid', 'Supplier Item GUID', 'm.guid'),
  column('supplierItem.number', 'Supplier Item Number', 'm.number'),
  SUPPLIER_NAME,
];

const PICKED = 'temp.picked_items p JOIN main.items i ON i.guid = p.guid';
const SOURCED = `supplier_items m JOIN suppliers s ON s.guid = m.supplier`;
const SOURCED_BY_PICKED = `SELECT r.supplier_item FROM temp.picked_items p JOIN item_sourcing r ON r.item = p.guid`;

const VIEWS: Readonly<Record<Exclude<ExportView, 'SPECS' | 'BOM'>, RelatedView>> = {
  BOM_SUBSTITUTES: {
    columns: [
      ...ITEM,
      column('item.guid', 'Replaced Item GUID', 'c.guid'),
      column('item.number', 'Replaced Item Number', 'c.number'),
      column('substitute.guid', 'Substitute Item GUID', 'x.guid'),
      column('substitute.number', 'Substitute Item Number', 'x.number'),
    ],
    from: `${PICKED} JOIN bom_lines b ON b.parent = i.guid JOIN items c ON c.guid = b.child
      JOIN bom_substitutes u ON u.owner = b.guid LEFT JOIN item_revisions v ON v.guid = u.fields ->> '$.item'
      JOIN items x ON x.guid = coalesce(v.item, u.fields ->> '$.item')`,
    seq: 'u.seq',
    table: 'bom_substitutes',
  },
  SOURCING: {
    columns: [...ITEM, ...SUPPLIER_ITEM],
    from: `${PICKED} JOIN item_sourcing r ON r.item = i.guid JOIN ${SOURCED}`,
    where: 'm.guid = r.supplier_item',
    seq: 'r.seq',
  },
  FILES: {
    columns: [...ITEM, ...FILE],
    from: `${PICKED} JOIN item_files a ON a.item = i.guid JOIN files f ON f.guid = a.file`,
    seq: 'a.seq',
  },
  FILES_FILE_SUMMARY: {
    columns: FILE,
    from: 'files f',
    where: 'f.guid IN (SELECT a.file FROM temp.picked_items p JOIN item_files a ON a.item = p.guid)',
    seq: 'f.seq',
  },
  SOURCING_SUPPLIERITEM_SPECS: {
    columns: SUPPLIER_ITEM,
    from: SOURCED,
    where: `m.guid IN (${SOURCED_BY_PICKED})`,
    seq: 'm.seq',
  },
  SOURCING_SUPPLIERITEM_SUPPLIER_PROFILE: {
    columns: [column('supplier.guid', 'Supplier GUID', 's.guid'), SUPPLIER_NAME],
    from: 'suppliers s',
    where: `s.guid IN (SELECT m.supplier FROM supplier_items m WHERE m.guid IN (${SOURCED_BY_PICKED}))`,
    seq: 's.seq',
  },
  SOURCING_SUPPLIERITEM_FILES: {
    columns: [...SUPPLIER_ITEM, ...FILE],
    from: `supplieritems_files a JOIN files f ON f.guid = a.fields ->> '$.file' JOIN ${SOURCED}`,
    where: `m.guid = a.owner AND m.guid IN (${SOURCED_BY_PICKED})`,
    seq: 'a.seq',
    table: 'supplieritems_files',
  },
  SOURCING_SUPPLIERITEM_FILES_FILE_SUMMARY: {
    columns: FILE,
    from: 'files f',
    where: `f.guid IN (SELECT a.fields ->> '$.file' FROM supplieritems_files a
      WHERE a.owner IN (${SOURCED_BY_PICKED}))`,
    seq: 'f.seq',
    table: 'supplieritems_files',
  },
};

/** Builds the table of a view of substitutes, files or suppliers of the picked items. */
export function relatedTable(view: keyof typeof VIEWS, database: Database): Table {
  const { columns, from, where = 'TRUE', seq, table } = VIEWS[view];
  const cells = columns.map(({ sql }, index) => `${sql} AS c${index}`).join(', ');
  const sql = `SELECT ${seq} AS seq, ${cells} FROM ${from} WHERE ${where} AND ${seq} > ? ORDER BY ${seq} LIMIT ${PAGE}`;
  return {
    name: view,
    columns,
    *rows() {
      if (table !== undefined && database.get('SELECT 1 FROM sqlite_master WHERE name = ?', table) === undefined)
        return;
      for (const rows of readPages(database, sql)) {
        for (const row of rows) yield columns.map((_, index) => textOf(row[`c${index}`]));
      }
    },
  };
}

const textOf = (value: SqlValue | undefined): string | null =>
  value === null || value === undefined ? null : String(value);
