import { join } from 'node:path';
import { type Connection, connect, type Row, type SqlValue, type Statement } from '#base/sqlite/sqlite.js';
import type { ValueForm } from './value-form.js';

/** A value of one target as it is kept: null where its source does not show it. */
export type KeptValue = readonly [form: ValueForm, text: string] | null;

/** A row that stands on the other side of a comparison. */
export interface KeptRow {
  /** Its place in the order in which rows were added, from 1. */
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
 * Rows by their key in a file that is removed with its folder: memory stays the same however many there are. Several may have
 * one key. A row also has a second name, such as a GUID, by which it can be found.
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

  /** An empty one in a file of this name in a folder that is there. */
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

  /** Forgets all rows: their source has to be read again from its beginning. */
  clear(): void {
    this.#connection.exec('DELETE FROM kept');
    this.#count = 0;
  }

  /** Ends the adding; rows can be found from here on. */
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

  /** Names are indexed when the first is asked for: most rows name their records by key. */
  withName(name: string): readonly KeptRow[] {
    this.#byName ??= this.#indexNames();
    return this.#byName.all(name).map(readRow);
  }

  /** The rows whose key has this first part and more, such as the lines of a parent. */
  withParent(first: string): readonly KeptRow[] {
    const start = JSON.stringify([first]).slice(0, -1);
    // What follows is a comma; the hyphen comes after it.
    return (this.#byParent?.all(`${start},`, `${start}-`) ?? []).map(readRow);
  }

  /** For the next comparison none was found yet. */
  forgetMarks(): void {
    this.#marks = new Uint8Array(this.#count + 1);
  }

  /** Remembers that a row was found; says whether it was found before. */
  mark({ id }: KeptRow): 'first' | 'again' {
    if (this.#marks[id] === 1) return 'again';
    this.#marks[id] = 1;
    return 'first';
  }

  isMarked({ id }: KeptRow): boolean {
    return this.#marks[id] === 1;
  }

  /** The rows that were not marked, in their order. */
  *unmarked(): Generator<KeptRow> {
    // In pages: an iterator of SQLite is lost where its statement is not held by anybody, or used meanwhile.
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
