import type { Row } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';
import { type ItemRecord, readItem } from './items.js';
import { number } from './select.js';

/** A stored item with its place in BOMs. */
export interface PlacedItem extends ItemRecord {
  readonly isAssembly: boolean;
  readonly inAssembly: boolean;
}

/** The number of entries read at a time: a workspace is never in memory as a whole. */
export const PAGE = 500;

/** The columns of {@link readPlaced}, for items with the alias `i`. Drafts of an import are not counted. */
export const PLACED = `i.*, EXISTS (SELECT 1 FROM main.bom_lines b WHERE b.parent = i.guid) AS is_assembly,
  EXISTS (SELECT 1 FROM main.bom_lines b WHERE b.child = i.guid) AS in_assembly`;

/** Reads an item from a row that was selected with {@link PLACED}. */
export function readPlaced(row: Row): PlacedItem {
  return { ...readItem(row), isAssembly: row.is_assembly === 1, inAssembly: row.in_assembly === 1 };
}

/** Yields all items in pages, in the order of their creation. */
export function* itemPages(database: Database): Generator<readonly PlacedItem[]> {
  const sql = `SELECT ${PLACED} FROM main.items i WHERE i.seq > ? ORDER BY i.seq LIMIT ${PAGE}`;
  for (const rows of readPages(database, sql)) yield rows.map(readPlaced);
}

/** Items that are picked one by one before they are read, in a table that lives as long as its connection. */
export class PickedItems {
  readonly #database: Database;
  #count = 0;

  constructor(database: Database) {
    this.#database = database;
    database.exec(`
      DROP TABLE IF EXISTS temp.picked_items;
      CREATE TEMP TABLE picked_items (seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE);
    `);
  }

  get count(): number {
    return this.#count;
  }

  add(guid: string): void {
    this.#count += this.#database.run('INSERT OR IGNORE INTO temp.picked_items (guid) VALUES (?)', guid);
  }

  *items(): Generator<PlacedItem> {
    const sql = `SELECT p.seq AS seq_picked, ${PLACED} FROM temp.picked_items p JOIN main.items i ON i.guid = p.guid
      WHERE p.seq > ? ORDER BY p.seq LIMIT ${PAGE}`;
    for (const rows of readPages(this.#database, sql, 'seq_picked')) yield* rows.map(readPlaced);
  }
}

/** Yields the pages of a statement that takes the last `seq` of the page before. */
export function* readPages(database: Database, sql: string, seq = 'seq'): Generator<readonly Row[]> {
  let after = 0;
  for (;;) {
    const rows = database.all(sql, after);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = number(last, seq);
  }
}
