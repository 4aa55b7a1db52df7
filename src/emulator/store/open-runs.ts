import { SQLITE_BUSY } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';
import { type ExportRun, exportRunList } from './exports.js';
import { type ExtractRun, extractRunList } from './extracts.js';
import { type ImportRun, runList } from './imports.js';
import { selectOne } from './select.js';

/** The conditions for runs that have not ended. */
const OPEN = { sql: "r.status IN ('CREATED', 'RUNNING')", values: [] };
const OPEN_EXTRACT = { sql: "r.status = 'IN_PROCESS'", values: [] };

/** The import run to perform next: the oldest. */
export const openImportRun = (database: Database): ImportRun | undefined =>
  selectOne(database, { ...runList, order: 'r.number' }, OPEN);

/** The export run to perform next. */
export const openExportRun = (database: Database): ExportRun | undefined =>
  selectOne(database, { ...exportRunList, order: 'r.number' }, OPEN);

/** The extract run to perform next. */
export const openExtractRun = (database: Database): ExtractRun | undefined =>
  selectOne(database, { ...extractRunList, order: 'r.seq' }, OPEN_EXTRACT);

/** Whether a run of any kind waits, or was left unfinished by a process that ended. */
export const hasOpenRuns = (database: Database): boolean =>
  [openImportRun, openExportRun, openExtractRun].some((open) => open(database) !== undefined);

/**
 * Fails as a busy database does while an import run has not ended: it stores what it checked against the items of its
 * beginning. Call it in the transaction that writes items, or what belongs to them.
 */
export function refuseDuringRun(database: Database): void {
  if (openImportRun(database) === undefined) return;
  throw Object.assign(new Error('An import run has not ended.'), { errcode: SQLITE_BUSY });
}
