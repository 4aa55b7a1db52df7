import type { Row } from '#base/sqlite/sqlite.js';
import { ITEM_COLUMNS, type ItemRecord, itemValues, readItem } from './items.js';
import type { Statements } from './row-scope.js';
import { text } from './select.js';

const COLUMNS = ITEM_COLUMNS.split(', ');
const UNTOUCHED = 'NOT EXISTS (SELECT 1 FROM temp.draft_items d WHERE d.guid = i.guid)';

const BY_NUMBER = `SELECT ${ITEM_COLUMNS} FROM temp.draft_items WHERE number = ? AND deleted = 0
  UNION ALL SELECT ${ITEM_COLUMNS} FROM main.items i WHERE number = ? COLLATE NOCASE AND number = ? AND ${UNTOUCHED}`;
const BY_GUID = `SELECT ${ITEM_COLUMNS} FROM temp.draft_items WHERE guid = ? AND deleted = 0
  UNION ALL SELECT ${ITEM_COLUMNS} FROM main.items i WHERE guid = ? AND ${UNTOUCHED}`;
const NAME = `SELECT guid, number, EXISTS (SELECT 1 FROM main.bom_lines b WHERE b.parent = i.guid) AS is_assembly
  FROM main.items i`;
const NAME_BY_NUMBER = `${NAME} WHERE number = ? COLLATE NOCASE AND number = ? ORDER BY seq`;
const NAME_BY_GUID = `${NAME} WHERE guid = ?`;
const WRITE = `INSERT INTO temp.draft_items (${ITEM_COLUMNS}, deleted) VALUES (${COLUMNS.map(() => '?').join(', ')}, ?)
  ON CONFLICT (guid) DO UPDATE SET ${updates([...COLUMNS, 'deleted'])}`;

/** The data of an item that rows of other resources need. */
export interface ItemName {
  readonly guid: string;
  readonly number: string;
  /** Whether it has stored lines. */
  readonly isAssembly: boolean;
}

/**
 * Items as they would be after the rows so far: the stored ones, overlaid by those that the import changed. The draft
 * is in temporary tables, so it locks nobody out, and nothing is stored before {@link merge}.
 */
export class ItemDraft {
  readonly #data: Statements;

  constructor(data: Statements) {
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
    return this.#data.all(BY_NUMBER, number, number, number).map(readItem);
  }

  byGuid(guid: string): ItemRecord | undefined {
    const row = this.#data.get(BY_GUID, guid, guid);
    return row && readItem(row);
  }

  /** Finds the stored items with exactly this number, for an import that drafts no items. */
  namesByNumber(number: string): ItemName[] {
    return this.#data.all(NAME_BY_NUMBER, number, number).map(readName);
  }

  nameByGuid(guid: string): ItemName | undefined {
    const row = this.#data.get(NAME_BY_GUID, guid);
    return row && readName(row);
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

  /** Stores the draft. Call it in a write transaction. */
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
    this.#data.run(WRITE, ...itemValues(item), deleted);
  }
}

function readName(row: Row): ItemName {
  return { guid: text(row, 'guid'), number: text(row, 'number'), isAssembly: row.is_assembly === 1 };
}

/** Builds the SET clause that overwrites every column on a conflict. */
export function updates(columns: readonly string[]): string {
  return columns
    .filter((column) => column !== 'guid')
    .map((column) => `${column} = excluded.${column}`)
    .join(', ');
}
