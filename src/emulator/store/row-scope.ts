import type { Row, SqlValue } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';

/** The methods of a connection that drafts need. */
export type Statements = Pick<Database, 'exec' | 'run' | 'get' | 'all'>;

/**
 * Keeps all writes of one row of an import, or none. Most rows write once, at their end; so the first write is delayed,
 * and a savepoint is set only if the row reads or writes again. That halves the statements of a run.
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

  /** Returns 0 for a delayed write, since its number of changes is not known before the end of the row. */
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

  /** Sets a savepoint and runs the delayed write, before the row executes any other statement. */
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
