import type { Row } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';
import { flag, type List, number, text, textOrNull } from './select.js';
import { type Person, personColumns, readPerson } from './users.js';

/** One line of a definition's mapping (interface 2.1; `inResponse` and `notes`: wire-facts 4). */
export interface MappingEntry {
  readonly resource: string;
  readonly apiName: string;
  readonly sourceName: string;
  readonly inResponse: boolean;
  readonly notes?: string;
}

/** Mapping entries of this resource name columns of the result file (wire-facts 4). */
export const REPORT_RESOURCE = 'IMPORT';

/** The columns of a result file that report the outcome of a row (interface 2.3; wire-facts 4). */
export const REPORT_COLUMNS = ['status', 'errorCode', 'errorMessage'] as const;

/** The resources that rows can be imported as. ITEM_SOURCING is INFERRED (wire-facts 0, "sourcing import resource"). */
export const RESOURCES = ['ITEM_SPECS', 'ITEM_BOM', 'ITEM_FILES', 'FILE_SUMMARY', 'ITEM_SOURCING'] as const;

/** One of {@link RESOURCES}, in upper case. */
export type Resource = (typeof RESOURCES)[number];

/** How a run treats existing and missing records (wire-facts 4, "mode"). */
export type Mode = 'CREATE' | 'EDIT' | 'OVERWRITE' | 'REPLACE' | 'DELETE';

/** A change by GUID or number, or the body that creates one (wire-facts 4, "addToChange"). */
export type AddToChange = string | Readonly<Record<string, unknown>>;

/** The options of a definition: those valid for its mode, defaults filled in (wire-facts 4). */
export interface ImportOptions {
  readonly createDuplicates?: 'ALLOW' | 'ERROR';
  readonly matchDuplicates?: 'APPLY_TO_ALL' | 'ERROR';
  readonly matchDuplicateParents?: 'ALLOW' | 'ERROR';
  readonly removeValue?: string;
  readonly multiSelectDelimiter?: string;
  readonly checkRefDes?: 'CHECK' | 'DO_NOT_CHECK';
  readonly timeZone?: string;
  readonly stripWhiteSpace?: 'STRIP' | 'RETAIN';
  readonly numberingFreeTextHeader?: string;
  readonly useCategoryNumberFormat?: string;
  readonly fileEdition?: 'CREATE_EDITION';
  readonly addToChange?: AddToChange;
  readonly mapping?: readonly MappingEntry[];
}

/** A stored definition (interface 2.1); after its creation, only name and description change. */
export interface ImportDefinition {
  readonly guid: string;
  readonly number: number;
  readonly name: string;
  readonly description: string | null;
  readonly resource: Resource;
  readonly mode: Mode;
  readonly options: ImportOptions;
  readonly creationDateTime: string;
  readonly creator: Person;
}

/** Import definitions by number. */
export const definitionList: List<ImportDefinition> = {
  select: `SELECT d.*, ${personColumns('c')} FROM import_definitions d JOIN users c ON c.guid = d.creator`,
  columns: {
    name: 'd.name',
    number: 'd.number',
    description: 'd.description',
    mode: 'd.mode',
    resource: 'd.resource',
    'creator.guid': 'c.guid',
    'creator.email': 'c.email',
    'creator.fullName': 'c.full_name',
  },
  order: 'd.number',
  read: readDefinition,
};

function readDefinition(row: Row): ImportDefinition {
  return {
    guid: text(row, 'guid'),
    number: number(row, 'number'),
    name: text(row, 'name'),
    description: textOrNull(row, 'description'),
    resource: text(row, 'resource') as Resource,
    mode: text(row, 'mode') as Mode,
    options: JSON.parse(text(row, 'options')) as ImportOptions,
    creationDateTime: text(row, 'created'),
    creator: readPerson(row, 'c'),
  };
}

type NewDefinition = Pick<ImportDefinition, 'guid' | 'name' | 'description' | 'resource' | 'mode' | 'options'>;

/** Stores a definition; its number is the next one of the workspace. */
export function insertDefinition(database: Database, definition: NewDefinition, by: string, at: string): void {
  database.run(
    `INSERT INTO import_definitions (guid, name, description, resource, mode, options, created, creator)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    definition.guid,
    definition.name,
    definition.description,
    definition.resource,
    definition.mode,
    JSON.stringify(definition.options),
    at,
    by,
  );
}

/** Sets the two fields that can change (wire-facts 0); the definition keeps its runs. */
export function renameDefinition(database: Database, guid: string, name: string, description: string | null): void {
  database.run('UPDATE import_definitions SET name = ?, description = ? WHERE guid = ?', name, description, guid);
}

type RunStatus = 'CREATED' | 'RUNNING' | 'COMPLETE' | 'ERROR' | 'PURGED';

/** The file type that a run gives (wire-facts 4); without it, the content of the file decides. */
export type FileType = 'CSV' | 'EXCEL_WORKSHEET';

/** A problem with a file as a whole (wire-facts 2.1: code 331). */
export interface Warning {
  readonly code: number;
  readonly message: string;
}

/** A run of a definition (interface 2.2). While it is RUNNING, its counts say how far it got. */
export interface ImportRun {
  readonly guid: string;
  readonly number: number;
  readonly definition: string;
  readonly status: RunStatus;
  readonly commit: boolean;
  readonly submitFileType: FileType | null;
  readonly submitWorksheetName: string | null;
  readonly warnings: readonly Warning[];
  readonly totalCount: number;
  readonly successCount: number;
  readonly errorCount: number;
  readonly creationDateTime: string;
  readonly completionDateTime: string | null;
  readonly creator: Person;
  /** The GUID of the change that its items are added to. */
  readonly change: string | null;
}

/** The runs of definitions, the newest first. */
export const runList: List<ImportRun> = {
  select: `SELECT r.*, ${personColumns('c')} FROM import_runs r JOIN users c ON c.guid = r.creator`,
  columns: {
    number: 'r.number',
    status: 'r.status',
    'creator.guid': 'c.guid',
    'creator.email': 'c.email',
    'creator.fullName': 'c.full_name',
  },
  order: 'r.number DESC',
  read: readRun,
};

function readRun(row: Row): ImportRun {
  return {
    guid: text(row, 'guid'),
    number: number(row, 'number'),
    definition: text(row, 'definition'),
    status: text(row, 'status') as RunStatus,
    commit: flag(row, 'committed'),
    submitFileType: textOrNull(row, 'file_type') as FileType | null,
    submitWorksheetName: textOrNull(row, 'worksheet'),
    warnings: JSON.parse(text(row, 'warnings')) as Warning[],
    totalCount: number(row, 'total'),
    successCount: number(row, 'success'),
    errorCount: number(row, 'failed'),
    creationDateTime: text(row, 'created'),
    completionDateTime: textOrNull(row, 'completed'),
    creator: readPerson(row, 'c'),
    change: textOrNull(row, 'change'),
  };
}

type NewRun = Pick<
  ImportRun,
  'guid' | 'definition' | 'commit' | 'submitFileType' | 'submitWorksheetName' | 'creationDateTime' | 'change'
>;

/** Stores a run as CREATED, with all counts at zero; its number is the next one of the workspace. */
export function insertRun(database: Database, run: NewRun, by: string): void {
  database.run(
    `INSERT INTO import_runs (guid, definition, status, committed, file_type, worksheet, warnings, total, success,
     failed, created, creator, change) VALUES (?, ?, 'CREATED', ?, ?, ?, '[]', 0, 0, 0, ?, ?, ?)`,
    run.guid,
    run.definition,
    Number(run.commit),
    run.submitFileType,
    run.submitWorksheetName,
    run.creationDateTime,
    by,
    run.change,
  );
}

/** The state and the counts of a run so far. */
interface Progress {
  readonly status: RunStatus;
  readonly totalCount: number;
  readonly successCount: number;
  readonly errorCount: number;
}

/** Updates the progress of a run; {@link finishRun} ends it and sets the time. */
export function updateProgress(database: Database, guid: string, progress: Progress): void {
  database.run(
    'UPDATE import_runs SET status = ?, total = ?, success = ?, failed = ? WHERE guid = ?',
    progress.status,
    progress.totalCount,
    progress.successCount,
    progress.errorCount,
    guid,
  );
}

/** Ends a run in one statement, so that a client that sees its end sees its warnings too. */
export function finishRun(
  database: Database,
  guid: string,
  { status, totalCount, successCount, errorCount }: Progress,
  warnings: readonly Warning[],
  at: string,
): void {
  const sql = `UPDATE import_runs SET status = ?, total = ?, success = ?, failed = ?, warnings = ?, completed = ?
    WHERE guid = ?`;
  database.run(sql, status, totalCount, successCount, errorCount, JSON.stringify(warnings), at, guid);
}

/** Turns a validated run into a committed one, to be processed again (wire-facts 0: the rows are validated again). */
export function reopenForCommit(database: Database, guid: string, change: string | null): void {
  database.run(
    `UPDATE import_runs SET committed = 1, status = 'RUNNING', total = 0, success = 0, failed = 0, completed = NULL,
     change = ? WHERE guid = ?`,
    change,
    guid,
  );
}
