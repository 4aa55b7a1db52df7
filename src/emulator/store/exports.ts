import type { Row } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';
import { type List, number, text, textOrNull } from './select.js';
import { type Person, personColumns, readPerson } from './users.js';

type ExportStatus = 'CREATED' | 'RUNNING' | 'COMPLETE' | 'DOWNLOADED' | 'FAILED' | 'ABORTED';

/** The archive of a run. */
export interface ExportFile {
  readonly guid: string;
  readonly title: string;
  readonly size: number;
}

/**
 * A run of an export definition (wire-facts 5.1); it has a completion time only once it has ended, and a file only if
 * it succeeded.
 */
export interface ExportRun {
  readonly guid: string;
  readonly number: number;
  readonly definition: string;
  readonly status: ExportStatus;
  /** The criteria that the run was created with, its own or the definition's. */
  readonly criteria: readonly unknown[];
  readonly criteriaResultsCount: number;
  readonly file: ExportFile | null;
  readonly creationDateTime: string;
  readonly completionDateTime: string | null;
  readonly creator: Person;
}

/** The runs of export definitions, the newest first. */
export const exportRunList: List<ExportRun> = {
  select: `SELECT r.*, ${personColumns('c')} FROM export_runs r JOIN users c ON c.guid = r.creator`,
  columns: {
    number: 'r.number',
    status: 'r.status',
    completionDateTimeFrom: 'r.completed',
    completionDateTimeTo: 'r.completed',
  },
  order: 'r.number DESC',
  read: readRun,
};

function readRun(row: Row): ExportRun {
  return {
    guid: text(row, 'guid'),
    number: number(row, 'number'),
    definition: text(row, 'definition'),
    status: text(row, 'status') as ExportStatus,
    criteria: JSON.parse(text(row, 'criteria')) as unknown[],
    criteriaResultsCount: number(row, 'results'),
    file: row.file === null ? null : { guid: text(row, 'file'), title: text(row, 'title'), size: number(row, 'size') },
    creationDateTime: text(row, 'created'),
    completionDateTime: textOrNull(row, 'completed'),
    creator: readPerson(row, 'c'),
  };
}

type NewRun = Pick<ExportRun, 'guid' | 'definition' | 'criteria' | 'criteriaResultsCount' | 'creationDateTime'>;

/** Stores a run as CREATED; its number is the next one of the workspace. */
export function insertExportRun(database: Database, run: NewRun, by: string): void {
  database.run(
    `INSERT INTO export_runs (guid, definition, status, criteria, results, created, creator)
     VALUES (?, ?, 'CREATED', ?, ?, ?, ?)`,
    run.guid,
    run.definition,
    JSON.stringify(run.criteria),
    run.criteriaResultsCount,
    run.creationDateTime,
    by,
  );
}

/** Changes only the status; {@link completeExport} and {@link failExport} end a run and set the time. */
export function setExportStatus(database: Database, guid: string, status: ExportStatus): void {
  database.run('UPDATE export_runs SET status = ? WHERE guid = ?', status, guid);
}

/**
 * Completes a run in one statement, so that a client that sees COMPLETE finds the archive. Items are counted again,
 * since some may have changed since the run was planned.
 */
export function completeExport(database: Database, guid: string, results: number, file: ExportFile, at: string): void {
  database.run(
    `UPDATE export_runs SET status = 'COMPLETE', results = ?, file = ?, title = ?, size = ?, completed = ?
     WHERE guid = ?`,
    results,
    file.guid,
    file.title,
    file.size,
    at,
    guid,
  );
}

/** Ends a run without an archive; only the log says why. */
export function failExport(database: Database, guid: string, at: string): void {
  database.run("UPDATE export_runs SET status = 'FAILED', completed = ? WHERE guid = ?", at, guid);
}
