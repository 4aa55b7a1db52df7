import type { Database } from './database.js';
import { ITEM_COLUMNS, type ItemRecord, itemValues, readItem } from './items.js';

const COLUMNS = ITEM_COLUMNS.split(', ');
const UNTOUCHED = 'NOT EXISTS (SELECT 1 FROM temp.draft_items d WHERE d.guid = i.guid)';

/**
 * Items as they would be after the rows so far: the stored ones under those that the import changed. The draft lives in
 * temporary tables, so it locks nobody out, and nothing is stored before {@link merge}.
 */
export class ItemDraft {
  readonly #data: Database;

  constructor(data: Database) {
    this.#data = data;
    data.exec(`
      DROP TABLE IF EXISTS temp.draft_items;
      CREATE TEMP TABLE draft_items (
        seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, number TEXT NOT NULL, name TEXT NOT NULL, description TEXT,
        category TEXT NOT NULL, phase TEXT NOT NULL, owner TEXT NOT NULL, fields TEXT NOT NULL,
        additional TEXT NOT NULL, created TEXT NOT NULL, creator TEXT NOT NULL, modified TEXT, deleted INTEGER NOT NULL
      );
      CREATE INDEX temp.draft_items_by_number ON draft_items (number);
    `);
  }

  /** The items that have exactly this number. */
  byNumber(number: string): ItemRecord[] {
    const sql = `SELECT ${ITEM_COLUMNS} FROM temp.draft_items WHERE number = ? AND deleted = 0
      UNION ALL SELECT ${ITEM_COLUMNS} FROM main.items i
      WHERE number = ? COLLATE NOCASE AND number = ? AND ${UNTOUCHED}`;
    return this.#data.all(sql, number, number, number).map(readItem);
  }

  byGuid(guid: string): ItemRecord | undefined {
    const sql = `SELECT ${ITEM_COLUMNS} FROM temp.draft_items WHERE guid = ? AND deleted = 0
      UNION ALL SELECT ${ITEM_COLUMNS} FROM main.items i WHERE guid = ? AND ${UNTOUCHED}`;
    const row = this.#data.get(sql, guid, guid);
    return row && readItem(row);
  }

  /** Whether an item that is not deleted has the item in its BOM. */
  isUsed(guid: string): boolean {
    const sql = `SELECT 1 FROM main.bom_lines b WHERE b.child = ?
      AND NOT EXISTS (SELECT 1 FROM temp.draft_items d WHERE d.guid = b.parent AND d.deleted = 1) LIMIT 1`;
    return this.#data.get(sql, guid) !== undefined;
  }

  /** Whether the stored version of an item is locked (interface 2.4, isLocked). */
  isLocked(guid: string): boolean {
    return this.#data.get('SELECT 1 FROM main.items WHERE guid = ? AND locked = 1', guid) !== undefined;
  }

  put(item: ItemRecord): void {
    this.#write(item, 0);
  }

  remove(item: ItemRecord): void {
    this.#write(item, 1);
  }

  /** Stores the draft. To be called in a write transaction. */
  merge(): void {
    this.#data.exec(`
      DELETE FROM main.bom_lines WHERE parent IN (SELECT guid FROM temp.draft_items WHERE deleted = 1);
      DELETE FROM main.item_files WHERE item IN (SELECT guid FROM temp.draft_items WHERE deleted = 1);
      DELETE FROM main.item_sourcing WHERE item IN (SELECT guid FROM temp.draft_items WHERE deleted = 1);
      DELETE FROM main.items WHERE guid IN (SELECT guid FROM temp.draft_items WHERE deleted = 1);
      INSERT INTO main.items (${ITEM_COLUMNS})
        SELECT ${ITEM_COLUMNS} FROM temp.draft_items WHERE deleted = 0 ORDER BY seq
        ON CONFLICT (guid) DO UPDATE SET ${updates(COLUMNS)};
    `);
  }

  #write(item: ItemRecord, deleted: number): void {
    const sql = `INSERT INTO temp.draft_items (${ITEM_COLUMNS}, deleted) VALUES (${COLUMNS.map(() => '?').join(', ')}, ?)
      ON CONFLICT (guid) DO UPDATE SET ${updates([...COLUMNS, 'deleted'])}`;
    this.#data.run(sql, ...itemValues(item), deleted);
  }
}

/** The SET clause that takes over every column of the row that met a conflict. */
export function updates(columns: readonly string[]): string {
  return columns
    .filter((column) => column !== 'guid')
    .map((column) => `${column} = excluded.${column}`)
    .join(', ');
}
