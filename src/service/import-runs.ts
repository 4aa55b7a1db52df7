import type { Readable } from 'node:stream';
import { DexsyncError } from '#base/errors.js';
import { isObject, type JsonObject, objectsIn } from '#core/model/json.js';
import { type Guid, isGuid } from '#core/model/kind.js';
import type { Reader, Writer } from './client.js';
import { listWhole } from './list-pages.js';
import { type FilePart, multipart } from './multipart.js';
import { saysNoEndpoint } from './refusal-meaning.js';
import { sameRun } from './same-run.js';
import { unansweredWrite } from './unanswered-write.js';

/** States of an import run (wire-facts, section 0). Others pass through as text and are treated as unknown. */
export type RunStatus = 'CREATED' | 'RUNNING' | 'COMPLETE' | 'ERROR' | 'PURGED' | (string & {});

/** An import run as the service answers it (interface 2.2; `number` and `warnings` from wire-facts 4). */
export interface ImportRun {
  readonly guid: string;
  readonly number?: number;
  readonly status: RunStatus;
  readonly commit: boolean;
  readonly totalCount: number;
  readonly successCount: number;
  /** Absent until the run is complete. */
  readonly errorCount?: number;
  /** In ISO 8601, if the service has it. */
  readonly completedAt?: string;
  /** The numbers of the changes that its items were added to (wire-facts 4, "Run object"). */
  readonly changes: readonly string[];
  readonly warnings: readonly { readonly code: number; readonly message: string }[];
}

/** The content that starts a run (interface 4.2). `open` restarts the bytes, so that a renewed session can resend. */
export interface RunUpload {
  readonly fileName: string;
  readonly fileType: 'CSV' | 'EXCEL_WORKSHEET';
  readonly worksheetName?: string;
  /** Size in bytes of what `open` yields. */
  readonly size: number;
  open(): AsyncIterable<Buffer>;
  /** The archive of physical files, the part `fileContent` (wire-facts 4). */
  readonly files?: UploadedFiles;
}

/** An archive to send; `open` restarts its bytes, `size` is their number. */
export interface UploadedFiles {
  readonly size: number;
  open(): AsyncIterable<Buffer>;
}

/** Operations that read the runs of one definition. Every method is one request. */
export interface RunReads {
  read(run: string): Promise<ImportRun>;
  /** The error report as bytes of CSV (interface 2.3). */
  errorContent(run: string): Promise<Readable>;
  /** The file as it was sent (wire-facts 4). */
  submitContent(run: string): Promise<Readable>;
}

/** The import-run endpoints of one definition (interface 4.2 to 4.5). */
export interface ImportRuns extends RunReads {
  /** Posts with `commit=false`: a lost answer leaves at worst an orphan validation. */
  post(upload: RunUpload): Promise<ImportRun>;
  commit(run: string): Promise<ImportRun>;
}

/**
 * Opens the import-run endpoints of one definition over the client (interface 4.2 to 4.5). Throws WRITE_UNANSWERED if
 * the answer to a write does not identify a run.
 */
export function openImportRuns(writer: Writer, definition: Guid): ImportRuns {
  const path = runsPath(definition);
  return {
    ...openImportRunReads(writer, definition),
    post: async (upload) =>
      writtenRunIn(await writer.write('POST', path, multipart(fieldsOf(upload), partsOf(upload))), 'posted'),
    commit: async (run) =>
      writtenRunIn(await writer.write('PUT', `${path}/${run}`, { json: { commit: true } }), 'committed', run),
  };
}

/**
 * Opens only those import-run endpoints that read, for callers that must change nothing. Throws ANSWER_UNEXPECTED for
 * an answer that is not a run.
 */
export function openImportRunReads(reader: Reader, definition: Guid): RunReads {
  const path = runsPath(definition);
  return {
    read: async (run) => sameRun(importRunIn(await reader.get(`${path}/${run}`)), run),
    errorContent: (run) => reader.stream(`${path}/${run}/errorContent`, 'messages'),
    submitContent: (run) => reader.stream(`${path}/${run}/submitContent`),
  };
}

/** Lists all runs of a definition (wire-facts 4); none if the service has no list of them. */
export async function listImportRuns(reader: Reader, definition: Guid): Promise<readonly ImportRun[]> {
  try {
    return (await listWhole(reader, runsPath(definition))).map(importRunIn);
  } catch (error) {
    if (saysNoEndpoint(error)) return [];
    throw error;
  }
}

const runsPath = (definition: Guid): string => `/imports/${definition}/runs`;

function importRunIn(body: JsonObject): ImportRun {
  const run = toImportRun(body);
  if (run !== undefined) return run;
  throw new DexsyncError('ANSWER_UNEXPECTED', 'The service answered with an import run without guid or status.');
}

function writtenRunIn(body: JsonObject, what: string, asked?: string): ImportRun {
  const run = toImportRun(body);
  if (run !== undefined && (asked === undefined || run.guid === asked)) return run;
  const came = run === undefined ? 'an import run without guid or status' : `run ${run.guid} instead of ${asked}`;
  throw unansweredWrite(`The service answered with ${came}; it may or may not have been ${what}.`);
}

function toImportRun(body: JsonObject): ImportRun | undefined {
  const { guid, status, number } = body;
  if (typeof guid !== 'string' || !isGuid(guid) || typeof status !== 'string') return undefined;
  return {
    guid,
    status,
    ...(typeof number === 'number' ? { number } : {}),
    commit: body.commit === true,
    totalCount: Number(body.totalCount ?? 0),
    successCount: Number(body.successCount ?? 0),
    ...(typeof body.errorCount === 'number' ? { errorCount: body.errorCount } : {}),
    ...(typeof body.completionDateTime === 'string' ? { completedAt: body.completionDateTime } : {}),
    changes: objectsIn(body.changes).flatMap(({ number: of }) => (typeof of === 'string' ? [of] : [])),
    warnings: warningsOf(body.warnings),
  };
}

function warningsOf(value: unknown): ImportRun['warnings'] {
  const results = isObject(value) ? value.results : [];
  return objectsIn(results).map(({ code, message }) => ({ code: Number(code), message: String(message) }));
}

const fieldsOf = ({ fileType, worksheetName }: RunUpload): readonly (readonly [string, string])[] => [
  ['commit', 'false'],
  ['submitFileType', fileType],
  ...(worksheetName === undefined ? [] : [['submitWorksheetName', worksheetName] as const]),
];

function partsOf({ fileName, fileType, size, open, files }: RunUpload): readonly FilePart[] {
  const rows = { name: 'submitContent', fileName, contentType: TYPES[fileType], size, open: () => open() };
  if (files === undefined) return [rows];
  const archive = { name: 'fileContent', fileName: 'files.zip', contentType: 'application/zip', size: files.size };
  return [rows, { ...archive, open: () => files.open() }];
}

const TYPES: Readonly<Record<RunUpload['fileType'], string>> = {
  CSV: 'text/csv',
  EXCEL_WORKSHEET: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
