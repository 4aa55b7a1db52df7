import type { SqlValue } from '../../sqlite/sqlite.js';
import { Database } from './database.js';

/** How long a write may wait to be committed, in milliseconds. */
const COMMIT_AFTER = 100;

/**
 * A connection whose single writes share transactions: each is read at once by everybody who reads over it, and committed
 * within moments, before `exec` and when it is closed. A process that is killed loses the last ones, none of them by half.
 * For a file that nobody else has open.
 */
export class BatchedDatabase extends Database {
  #timer: NodeJS.Timeout | undefined;

  override run(sql: string, ...values: SqlValue[]): number {
    if (this.#timer === undefined) {
      super.exec('BEGIN');
      // The process need not stay for it: whoever ends it closes the connection.
      this.#timer = setTimeout(() => this.#commit(), COMMIT_AFTER).unref();
    }
    return super.run(sql, ...values);
  }

  override exec(sql: string): void {
    this.#commit();
    super.exec(sql);
  }

  override close(): void {
    this.#commit();
    super.close();
  }

  /** Ends the transaction that is open, if one is. */
  #commit(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    super.exec('COMMIT');
  }
}
