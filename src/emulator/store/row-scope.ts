import type { Row, SqlValue } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';

/** What drafts need of a connection. */
export type Statements = Pick<Database, 'exec' | 'run' | 'get' | 'all'>;

/**
 * The writes of one row of an import: all of them stay, or none. Most rows write once, at their end; so the first write is
 * kept back, and a savepoint is made only if the row reads or writes again. That halves the statements of a run.
 */
export class RowScope implements Statements {
  readonly #data: Database;
  #held: { readonly sql: string; readonly values: readonly SqlValue[] } | undefined;
  #saved = false;

  constructor(data: Database) {
    this.#data = data;
  }

  exec(sql: string): void {
    this.#settle();
    this.#data.exec(sql);
  }

  /** The number of changes is not known before the end of the row, and so is 0. */
  run(sql: string, ...values: SqlValue[]): number {
    if (this.#held === undefined && !this.#saved) {
      this.#held = { sql, values };
      return 0;
    }
    this.#settle();
    return this.#data.run(sql, ...values);
  }

  get(sql: string, ...values: SqlValue[]): Row | undefined {
    this.#settle();
    return this.#data.get(sql, ...values);
  }

  all(sql: string, ...values: SqlValue[]): Row[] {
    this.#settle();
    return this.#data.all(sql, ...values);
  }

  keep(): void {
    this.#write();
    if (this.#saved) this.#data.run('RELEASE row');
    this.#saved = false;
  }

  undo(): void {
    this.#held = undefined;
    if (this.#saved) {
      this.#data.run('ROLLBACK TO row');
      this.#data.run('RELEASE row');
    }
    this.#saved = false;
  }

  /** Before anything else than the end of the row comes after its first write. */
  #settle(): void {
    if (this.#held === undefined) return;
    this.#data.run('SAVEPOINT row');
    this.#saved = true;
    this.#write();
  }

  #write(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#data.run(held.sql, ...held.values);
  }
}
