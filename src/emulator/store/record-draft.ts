import type { Row, SqlValue } from '#base/sqlite/sqlite.js';
import { updates } from './item-draft.js';
import type { Statements } from './row-scope.js';

/** A table of records, as drafts read and write it. `guid` is the first column. */
export interface RecordTable<T> {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of each index that rows are looked up by. */
  readonly indexes: readonly string[];
  readonly values: (record: T) => SqlValue[];
  readonly read: (row: Row) => T;
}

type Match = Readonly<Record<string, SqlValue>>;

/** The records of one table as they would be after the rows so far; see `ItemDraft`. */
export class RecordDraft<T> {
  readonly #data: Statements;
  readonly #table: RecordTable<T>;
  readonly #list: string;
  readonly #insert: string;
  /** Statements by the columns that they match. */
  readonly #finds = new Map<string, string>();

  constructor(data: Statements, table: RecordTable<T>) {
    this.#data = data;
    this.#table = table;
    this.#list = table.columns.join(', ');
    this.#insert = `INSERT INTO temp.draft_${table.name} (${this.#list}, deleted)
      VALUES (${table.columns.map(() => '?').join(', ')}, ?)
      ON CONFLICT (guid) DO UPDATE SET ${updates([...table.columns, 'deleted'])}`;
    const others = table.columns.filter((column) => column !== 'guid').join(', ');
    data.exec(`
      DROP TABLE IF EXISTS temp.draft_${table.name};
      CREATE TEMP TABLE draft_${table.name} (
        seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, ${others}, deleted INTEGER NOT NULL
      );
    `);
    for (const [position, columns] of table.indexes.entries()) {
      data.exec(`CREATE INDEX temp.draft_${table.name}_${position} ON draft_${table.name} (${columns})`);
    }
  }

  /** The records with exactly these values, the stored ones first. */
  find(match: Match): T[] {
    const columns = Object.keys(match);
    const key = columns.join(' ');
    const sql = this.#finds.get(key) ?? this.#findBy(columns);
    this.#finds.set(key, sql);
    const values = Object.values(match);
    return this.#data.all(sql, ...values, ...values).map(this.#table.read);
  }

  /** The records that rows removed so far. */
  findRemoved(match: Match): T[] {
    const sql = `SELECT ${this.#list} FROM temp.draft_${this.#table.name} WHERE ${conditionOf(Object.keys(match))} AND deleted = 1`;
    return this.#data.all(sql, ...Object.values(match)).map(this.#table.read);
  }

  byGuid(guid: string): T | undefined {
    return this.find({ guid })[0];
  }

  put(record: T): void {
    this.#write(record, 0);
  }

  remove(record: T): void {
    this.#write(record, 1);
  }

  /** Stores the draft. Call it in a write transaction. */
  merge(): void {
    const { name, columns } = this.#table;
    this.#data.exec(`
      DELETE FROM main.${name} WHERE guid IN (SELECT guid FROM temp.draft_${name} WHERE deleted = 1);
      INSERT INTO main.${name} (${this.#list})
        SELECT ${this.#list} FROM temp.draft_${name} WHERE deleted = 0 ORDER BY seq
        ON CONFLICT (guid) DO UPDATE SET ${updates(columns)};
    `);
  }

  #write(record: T, deleted: number): void {
    this.#data.run(this.#insert, ...this.#table.values(record), deleted);
  }

  #findBy(columns: readonly string[]): string {
    const { name } = this.#table;
    const where = conditionOf(columns);
    return `SELECT ${this.#list} FROM main.${name} m WHERE ${where}
      AND NOT EXISTS (SELECT 1 FROM temp.draft_${name} d WHERE d.guid = m.guid)
      UNION ALL SELECT ${this.#list} FROM temp.draft_${name} WHERE ${where} AND deleted = 0`;
  }
}

function conditionOf(columns: readonly string[]): string {
  return columns.map((column) => `${column} = ?`).join(' AND ');
}
