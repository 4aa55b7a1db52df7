import { type Connection, isBusy, type Row, type SqlValue, type Statement } from '#base/sqlite/sqlite.js';

const RETRY_EVERY_MS = 20;
const PATIENCE_MS = 30_000;

/** Thrown instead of running a statement once the thread must stop. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
}

/** A connection that keeps its prepared statements. Its methods are synchronous; it belongs to one thread. */
export class Database {
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();

  readonly #isStopped: () => boolean;

  constructor(connection: Connection, isStopped: () => boolean = () => false) {
    this.#connection = connection;
    this.#isStopped = isStopped;
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  run(sql: string, ...values: SqlValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Runs a statement that may take effect later, but before any later read or statement. */
  runLater(sql: string, ...values: SqlValue[]): void {
    this.run(sql, ...values);
  }

  get(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  all(sql: string, ...values: SqlValue[]): Row[] {
    return this.#statement(sql).all(...values);
  }

  /** Runs the work in one write transaction: all of it is stored, or nothing. */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      this.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  #statement(sql: string): Statement {
    if (this.#isStopped()) throw new Interruption();
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = this.#connection.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

/**
 * Runs a write transaction and, while another thread is committing an import, tries again without blocking the event
 * loop. Throws what SQLite threw when the database stays busy for half a minute.
 */
export async function writeWhenFree<T>(database: Database, work: () => T): Promise<T> {
  for (let waited = 0; ; waited += RETRY_EVERY_MS) {
    try {
      return database.transaction(work);
    } catch (error) {
      if (!isBusy(error) || waited >= PATIENCE_MS) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS));
  }
}
