import type { Row, SqlValue } from '#base/sqlite/sqlite.js';
import { Database } from './database.js';

/** How long a write may wait to be committed, in milliseconds. */
const COMMIT_AFTER = 100;

/**
 * A connection whose single writes share transactions: each can be read at once over this connection, and is committed
 * within moments, before `exec` and on close. A killed process loses the last ones, but none of them in part. Only for
 * a file that nobody else has open.
 */
export class BatchedDatabase extends Database {
  #timer: NodeJS.Timeout | undefined;
  #waiting: (readonly [sql: string, values: readonly SqlValue[]])[] = [];

  override run(sql: string, ...values: SqlValue[]): number {
    this.#begin();
    this.#writeWaiting();
    return super.run(sql, ...values);
  }

  /** Delays a write until the next read, `run` or commit: several in a row take a fraction of the time. */
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
    // Does not keep the process alive: its end closes the connection.
    this.#timer = setTimeout(() => this.#commit(), COMMIT_AFTER).unref();
  }

  #writeWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [sql, values] of waiting) super.run(sql, ...values);
  }

  /** Commits the open transaction, if there is one. */
  #commit(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writeWaiting();
    super.exec('COMMIT');
  }
}
