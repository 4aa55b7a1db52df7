import type { Row, SqlValue } from '#base/sqlite/sqlite.js';
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
  #waiting: (readonly [sql: string, values: readonly SqlValue[]])[] = [];

  override run(sql: string, ...values: SqlValue[]): number {
    this.#begin();
    this.#writeWaiting();
    return super.run(sql, ...values);
  }

  /** Writes it when somebody reads, or at the commit: several in a row take a fraction of the time. */
  override runLater(sql: string, ...values: SqlValue[]): void {
    this.#begin();
    this.#waiting.push([sql, values]);
  }

  override get(sql: string, ...values: SqlValue[]): Row | undefined {
    this.#writeWaiting();
    return super.get(sql, ...values);
  }

  override all(sql: string, ...values: SqlValue[]): Row[] {
    this.#writeWaiting();
    return super.all(sql, ...values);
  }

  override exec(sql: string): void {
    this.#commit();
    super.exec(sql);
  }

  override close(): void {
    this.#commit();
    super.close();
  }

  #begin(): void {
    if (this.#timer !== undefined) return;
    super.exec('BEGIN');
    // The process need not stay for it: whoever ends it closes the connection.
    this.#timer = setTimeout(() => this.#commit(), COMMIT_AFTER).unref();
  }

  #writeWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [sql, values] of waiting) super.run(sql, ...values);
  }

  /** Ends the transaction that is open, if one is. */
  #commit(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writeWaiting();
    super.exec('COMMIT');
  }
}
