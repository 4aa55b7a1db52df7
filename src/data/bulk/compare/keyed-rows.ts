import { join } from 'node:path';
import { type Connection, connect, type Row, type SqlValue, type Statement } from '#base/sqlite/sqlite.js';
import type { ValueForm } from './value-form.js';

/** Stored value of one target; null if its source does not show it. */
export type KeptValue = readonly [form: ValueForm, text: string] | null;

/** A row on the other side of a comparison. */
export interface KeptRow {
  /** Position in the order of adding, from 1. */
  readonly id: number;
  readonly key: readonly string[];
  /** In the order of the targets. */
  readonly values: readonly KeptValue[];
}

const CREATE = `
  PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; PRAGMA locking_mode = EXCLUSIVE;
  CREATE TABLE kept (id INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL, vals TEXT NOT NULL);
`;
const BATCH = 5000;

const PAGE = 1000;

/**
 * Stores rows by key in a file that is removed with its folder: memory use does not depend on their number. Several
 * rows may have one key. A row also has a second name, such as a GUID, by which it can be found.
 */
export class KeyedRows {
  readonly #connection: Connection;
  readonly #insert: Statement;
  #byKey: Statement | undefined;
  #byName: Statement | undefined;
  #byParent: Statement | undefined;
  #page: Statement | undefined;
  #count = 0;
  #marks = new Uint8Array(1024);

  private constructor(connection: Connection) {
    this.#connection = connection;
    connection.exec(CREATE);
    this.#insert = connection.prepare('INSERT INTO kept (name, key, vals) VALUES (?, ?, ?)');
    connection.exec('BEGIN');
  }

  /** Creates an empty store in a file of this name in an existing folder. */
  static async open(folder: string, name: string): Promise<KeyedRows> {
    return new KeyedRows(await connect(join(folder, `${name}.sqlite`)));
  }

  get count(): number {
    return this.#count;
  }

  add(key: readonly string[], values: readonly KeptValue[], name = ''): void {
    this.#insert.run(name, JSON.stringify(key), JSON.stringify(values));
    this.#count += 1;
    if (this.#count % BATCH === 0) this.#connection.exec('COMMIT; BEGIN');
  }

  /** Deletes all rows, before their source is read again from its beginning. */
  clear(): void {
    this.#connection.exec('DELETE FROM kept');
    this.#count = 0;
  }

  /** Ends the adding of rows; from then on they can be found. */
  seal(): void {
    this.#connection.exec('CREATE INDEX kept_by_key ON kept (key); COMMIT');
    this.#byKey = this.#connection.prepare('SELECT id, vals FROM kept WHERE key = ? ORDER BY id');
    this.#byParent = this.#connection.prepare('SELECT id, key, vals FROM kept WHERE key > ? AND key < ? ORDER BY id');
    this.forgetMarks();
  }

  withKey(key: readonly string[]): readonly KeptRow[] {
    const found = this.#byKey?.all(JSON.stringify(key)) ?? [];
    return found.map(({ id, vals }) => ({ id: Number(id), key, values: valuesIn(vals) }));
  }

  /** Indexes names on first use: most rows refer to their records by key. */
  withName(name: string): readonly KeptRow[] {
    this.#byName ??= this.#indexNames();
    return this.#byName.all(name).map(readRow);
  }

  /** Finds rows whose key has this first part and more, such as the lines of a parent. */
  withParent(first: string): readonly KeptRow[] {
    const start = JSON.stringify([first]).slice(0, -1);
    // A comma follows the first part, and the hyphen is the next character after the comma.
    return (this.#byParent?.all(`${start},`, `${start}-`) ?? []).map(readRow);
  }

  /** Clears all marks, for the next comparison. */
  forgetMarks(): void {
    this.#marks = new Uint8Array(this.#count + 1);
  }

  /** Marks a row as found; returns whether it was found before. */
  mark({ id }: KeptRow): 'first' | 'again' {
    if (this.#marks[id] === 1) return 'again';
    this.#marks[id] = 1;
    return 'first';
  }

  isMarked({ id }: KeptRow): boolean {
    return this.#marks[id] === 1;
  }

  /** Yields the rows without a mark, in their order. */
  *unmarked(): Generator<KeptRow> {
    // Reads pages: an iterator of SQLite is lost if its statement is unreferenced, or used meanwhile.
    this.#page ??= this.#connection.prepare(`SELECT id, key, vals FROM kept WHERE id > ? ORDER BY id LIMIT ${PAGE}`);
    for (let last = 0; ; ) {
      const rows = this.#page.all(last).map(readRow);
      for (const row of rows) if (!this.isMarked(row)) yield row;
      if (rows.length < PAGE) return;
      last = rows.at(-1)?.id ?? 0;
    }
  }

  #indexNames(): Statement {
    this.#connection.exec('CREATE INDEX kept_by_name ON kept (name)');
    return this.#connection.prepare('SELECT id, key, vals FROM kept WHERE name = ? ORDER BY id');
  }

  close(): void {
    this.#connection.close();
  }
}

const valuesIn = (vals: SqlValue | undefined): KeptValue[] => JSON.parse(String(vals)) as KeptValue[];

const readRow = ({ id, key, vals }: Row): KeptRow => ({
  id: Number(id),
  key: JSON.parse(String(key)) as string[],
  values: valuesIn(vals),
});
