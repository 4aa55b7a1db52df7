import type { Row } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';
import { type Clause, type Columns, type Search, whereClause } from './search.js';

/** A list of the interface: its SELECT, its searchable columns and its order. */
export interface List<T> {
  readonly select: string;
  readonly columns: Columns;
  readonly order: string;
  readonly read: (row: Row) => T;
}

/** Selects one page of a list, in a stable order. */
export function selectPage<T>(database: Database, list: List<T>, search: Search, ...fixed: readonly Clause[]): T[] {
  const where = whereClause(search.criteria, list.columns, ...fixed);
  const sql = `${list.select} ${where.sql} ORDER BY ${list.order} LIMIT ? OFFSET ?`;
  return database.all(sql, ...where.values, search.limit, search.offset).map(list.read);
}

/** Selects the first entry that meets a condition. */
export function selectOne<T>(database: Database, list: List<T>, condition: Clause): T | undefined {
  const row = database.get(`${list.select} WHERE ${condition.sql} ORDER BY ${list.order} LIMIT 1`, ...condition.values);
  return row && list.read(row);
}

/** Selects all entries that meet the conditions, in the order of the list. */
export function selectAll<T>(database: Database, list: List<T>, ...fixed: readonly Clause[]): T[] {
  const where = whereClause([], list.columns, ...fixed);
  return database.all(`${list.select} ${where.sql} ORDER BY ${list.order}`, ...where.values).map(list.read);
}

/** Returns the text in a column; empty if the row has none. */
export function text(row: Row, column: string): string {
  return String(row[column] ?? '');
}

/** Returns the text in a column; null if the row has none. */
export function textOrNull(row: Row, column: string): string | null {
  const value = row[column] ?? null;
  return value === null ? null : String(value);
}

/** Returns the number in a column; 0 if the row has none. */
export function number(row: Row, column: string): number {
  return Number(row[column] ?? 0);
}

/** Whether a column is 1, which is how SQLite stores true. */
export function flag(row: Row, column: string): boolean {
  return number(row, column) === 1;
}
