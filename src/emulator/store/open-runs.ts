import { SQLITE_BUSY } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';
import { text } from './select.js';

/** The conditions for runs that have not ended, by the tables of runs; each has an index. */
export const OPEN = {
  import_runs: "status IN ('CREATED', 'RUNNING')",
  export_runs: "status IN ('CREATED', 'RUNNING')",
  extract_runs: "status = 'IN_PROCESS'",
} as const;

/** A table of runs. */
export type RunTable = keyof typeof OPEN;

const TABLES = Object.keys(OPEN) as RunTable[];

/** The GUID of the run in a table to perform next: the oldest that has not ended. */
export function firstOpenRun(database: Database, table: RunTable): string | undefined {
  const row = database.get(`SELECT guid FROM ${table} WHERE ${OPEN[table]} ORDER BY rowid LIMIT 1`);
  return row && text(row, 'guid');
}

/** Whether a run of any kind waits, or was left unfinished by a process that ended. */
export const hasOpenRuns = (database: Database): boolean =>
  TABLES.some((table) => firstOpenRun(database, table) !== undefined);

/**
 * Fails as a busy database does while an import run has not ended: it stores what it checked against the items of its
 * beginning. Call it in the transaction that writes items, or what belongs to them.
 */
export function refuseDuringRun(database: Database): void {
  if (firstOpenRun(database, 'import_runs') === undefined) return;
  throw Object.assign(new Error('An import run has not ended.'), { errcode: SQLITE_BUSY });
}
