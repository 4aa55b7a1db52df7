import type { Row, SqlValue } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';
import { flag, type List, number, text, textOrNull } from './select.js';
import { type Person, personColumns, readPerson } from './users.js';

/** Whether the runs after the first one contain the changes besides the whole (interface 2.4). */
export type ExtractType = 'FULL' | 'FULL_AND_DELTA';

type ExtractStatus = 'IN_PROCESS' | 'COMPLETED' | 'FAILED' | 'ABORTED';

/** The archive of a run; its size is in bytes. */
export interface ExtractFile {
  readonly guid: string;
  readonly name: string;
  readonly size: number;
}

/** A run of an extract (wire-facts 5.2). Its type is that of the extract at the time of the request. */
export interface ExtractRun {
  readonly guid: string;
  readonly extract: string;
  readonly status: ExtractStatus;
  readonly type: ExtractType;
  readonly viewsExtracted: readonly string[];
  readonly scheduledDateTime: string;
  readonly runDateTime: string | null;
  readonly completionDateTime: string | null;
  readonly creator: Person;
  readonly file: ExtractFile | null;
  readonly downloadDateTime: string | null;
}

const DATE_TIMES = { scheduled: 'scheduled', run: 'started', completion: 'completed', download: 'downloaded' } as const;

/** The runs of extracts, the newest first. Searches use the states InProcess, Completed and so on (wire-facts 5.2). */
export const extractRunList: List<ExtractRun> = {
  select: `SELECT r.*, ${personColumns('c')} FROM extract_runs r JOIN users c ON c.guid = r.creator`,
  columns: {
    status: "replace(r.status, '_', '')",
    ...Object.fromEntries(
      Object.entries(DATE_TIMES).flatMap(([name, column]) => [
        [`${name}DateTimeFrom`, `r.${column}`],
        [`${name}DateTimeTo`, `r.${column}`],
      ]),
    ),
  },
  order: 'r.seq DESC',
  read: readRun,
};

function readRun(row: Row): ExtractRun {
  return {
    guid: text(row, 'guid'),
    extract: text(row, 'extract'),
    status: text(row, 'status') as ExtractStatus,
    type: text(row, 'type') as ExtractType,
    viewsExtracted: JSON.parse(text(row, 'views')) as string[],
    scheduledDateTime: text(row, 'scheduled'),
    runDateTime: textOrNull(row, 'started'),
    completionDateTime: textOrNull(row, 'completed'),
    creator: readPerson(row, 'c'),
    file:
      row.file === null ? null : { guid: text(row, 'file'), name: text(row, 'file_name'), size: number(row, 'size') },
    downloadDateTime: textOrNull(row, 'downloaded'),
  };
}

/** Stores a run as IN_PROCESS, the only open status; it starts when those before it have ended. */
export function insertExtractRun(
  database: Database,
  run: Pick<ExtractRun, 'guid' | 'extract' | 'type' | 'scheduledDateTime'>,
  by: string,
): void {
  database.run(
    `INSERT INTO extract_runs (guid, extract, status, type, views, scheduled, creator)
     VALUES (?, ?, 'IN_PROCESS', ?, '[]', ?, ?)`,
    run.guid,
    run.extract,
    run.type,
    run.scheduledDateTime,
    by,
  );
}

/** Records the start of the work; a run that a restart interrupted gets the time of its second start. */
export function startExtract(database: Database, guid: string, at: string): void {
  database.run('UPDATE extract_runs SET started = ? WHERE guid = ?', at, guid);
}

/** Completes a run in one statement, so that a client that sees COMPLETED finds the archive and its views. */
export function completeExtract(
  database: Database,
  run: ExtractRun,
  views: readonly string[],
  file: ExtractFile,
  at: string,
): void {
  const values: SqlValue[] = [JSON.stringify(views), file.guid, file.name, file.size, at, run.guid];
  database.run(
    `UPDATE extract_runs SET status = 'COMPLETED', views = ?, file = ?, file_name = ?, size = ?, completed = ?
     WHERE guid = ?`,
    ...values,
  );
}

/** Ends a run without an archive; the changes recorded so far stay for the next one. */
export function failExtract(database: Database, guid: string, at: string): void {
  database.run("UPDATE extract_runs SET status = 'FAILED', completed = ? WHERE guid = ?", at, guid);
}

/** Records the time of a download, which overwrites that of an earlier one. */
export function recordDownload(database: Database, guid: string, at: string): void {
  database.run('UPDATE extract_runs SET downloaded = ? WHERE guid = ?', at, guid);
}

/** Whether the changes since the last completed run of an extract are known. */
export function isTracked(database: Database, extract: string): boolean {
  const row = database.get('SELECT tracking FROM extracts WHERE guid = ?', extract);
  return row !== undefined && flag(row, 'tracking');
}

/** Starts to collect changes for the next run; the run that ends now contains those so far. */
export function trackFromNow(database: Database, extract: string): void {
  database.run("UPDATE extracts SET tracking = 1 WHERE guid = ? AND type = 'FULL_AND_DELTA'", extract);
  database.run('DELETE FROM extract_changes WHERE extract = ?', extract);
}

/** Stops collecting changes, and forgets those so far. */
export function stopTracking(database: Database, extract: string): void {
  database.run('UPDATE extracts SET tracking = 0 WHERE guid = ?', extract);
  database.run('DELETE FROM extract_changes WHERE extract = ?', extract);
}

/**
 * Records for the next runs which items the drafts of an import create or change, directly or in their BOM. Call it in
 * the transaction that stores the drafts.
 */
export function trackDrafts(database: Database): void {
  if (!database.get('SELECT 1 FROM extracts WHERE tracking = 1')) return;
  database.exec(`
    INSERT OR IGNORE INTO extract_changes (extract, item)
      SELECT e.guid, d.guid FROM extracts e JOIN temp.draft_items d WHERE e.tracking = 1
      UNION SELECT e.guid, l.parent FROM extracts e JOIN temp.draft_lines l WHERE e.tracking = 1;
  `);
}

/** Lists the items that changed since the last completed run. */
export function changedItems(database: Database, extract: string): string[] {
  const sql = 'SELECT c.item FROM extract_changes c JOIN items i ON i.guid = c.item WHERE c.extract = ? ORDER BY i.seq';
  return database.all(sql, extract).map((row) => text(row, 'item'));
}
