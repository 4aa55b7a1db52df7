import type { Row } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';
import { type Clause, type Columns, type Search, whereClause } from './search.js';

/** A list of the interface: what is selected, what it can be searched by, and its order. */
export interface List<T> {
  readonly select: string;
  readonly columns: Columns;
  readonly order: string;
  readonly read: (row: Row) => T;
}

/** One page of a list, in a stable order. */
export function selectPage<T>(database: Database, list: List<T>, search: Search, ...fixed: readonly Clause[]): T[] {
  const where = whereClause(search.criteria, list.columns, ...fixed);
  const sql = `${list.select} ${where.sql} ORDER BY ${list.order} LIMIT ? OFFSET ?`;
  return database.all(sql, ...where.values, search.limit, search.offset).map(list.read);
}

/** The one entry that a condition finds. */
export function selectOne<T>(database: Database, list: List<T>, condition: Clause): T | undefined {
  const row = database.get(`${list.select} WHERE ${condition.sql} ORDER BY ${list.order} LIMIT 1`, ...condition.values);
  return row && list.read(row);
}

/** All entries that meet the conditions, in the order of the list. */
export function selectAll<T>(database: Database, list: List<T>, ...fixed: readonly Clause[]): T[] {
  const where = whereClause([], list.columns, ...fixed);
  return database.all(`${list.select} ${where.sql} ORDER BY ${list.order}`, ...where.values).map(list.read);
}

/** The text in a column; empty where the row has none. */
export function text(row: Row, column: string): string {
  return String(row[column] ?? '');
}

/** The text in a column; null where the row has none. */
export function textOrNull(row: Row, column: string): string | null {
  const value = row[column] ?? null;
  return value === null ? null : String(value);
}

/** The number in a column; 0 where the row has none. */
export function number(row: Row, column: string): number {
  return Number(row[column] ?? 0);
}

/** Whether a column holds 1, as SQLite stores what is true. */
export function flag(row: Row, column: string): boolean {
  return number(row, column) === 1;
}
