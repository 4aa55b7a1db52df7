import { basename, extname } from 'node:path';
import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportSource } from '#core/jobs/source.js';
import type { Finding, FindingSummary } from '#core/model/findings.js';
import { openRowFiles, type PreparedFiles, prepareFiles } from './archive/prepared-files.js';
import { interruptionError } from './interrupted.js';
import { collectFindings, type FindingCollector } from './preflight/collect-findings.js';
import { bindColumns, type Column } from './preflight/columns.js';
import type { AllowedValues } from './preflight/row-check.js';
import { type ExpectedRows, rowCountProblem } from './preflight/row-count.js';
import { type ReadRows, type ReadRowsOptions, readRows } from './read-rows.js';
import { copyOriginal, describeOriginal, type OriginalFile, originalProblem } from './rows/original.js';
import type { RowRanges } from './rows/row-ranges.js';
import type { Spool } from './rows/spool.js';
import { openSource } from './source/open-source.js';
import { nameOfTable, type SourceTable, tablePlace } from './source/source-table.js';

/** A source to read, the purpose of its rows, and the folder of their spool. */
export interface ImportInput extends ReadRowsOptions {
  /** Path of the file; messages use `source.file`. */
  readonly path: string;
  readonly source: ImportSource;
  /** The folder or pattern of `source.files`, absolute. */
  readonly filesPath?: string;
  readonly expected?: ExpectedRows;
  /** `original`: the file itself is sent, if the service reads it as dexsync does. */
  readonly upload?: 'normalised' | 'original';
  /** Number of findings to keep; all are counted. */
  readonly keepFindings?: number;
}

/** A source that was read once as a whole: rows on disk, findings, nothing sent yet. */
export interface PreparedImport extends ReadRows {
  readonly file: string;
  readonly worksheet?: string;
  /** Of several: the rows of `sourceRowOf` are numbers of `numberInSheets` then. */
  readonly worksheets?: readonly string[];
  readonly resource: string;
  readonly columns: readonly Column[];
  /** Known values of its fields. */
  readonly allowed: ReadonlyMap<string, AllowedValues>;
  readonly findings: FindingSummary;
  /** The physical files that the rows refer to; absent if the import has none. */
  readonly files?: PreparedFiles;
  /** The data rows of the file that are prepared; absent if all are. */
  readonly only?: RowRanges;
  /** File name of the upload. */
  readonly fileName: string;
  /** The file itself, if it is sent as it is. */
  readonly original?: OriginalFile;
}

const KEEP = 1000;

/** Reads, normalises and checks a source in one pass. Findings never remove a row: the commit rule decides. */
export async function prepareImport(input: ImportInput): Promise<PreparedImport> {
  const { source, definition, folder, upload = 'normalised', keepFindings = KEEP } = input;
  const path = upload === 'original' ? await copyOriginal(input.path, folder) : input.path;
  const table = await Promise.race([openSource(path, source), interruption(input)]);
  const collector = collectFindings(keepFindings);
  const { columns, findings } = bindColumns(table, source, definition);
  for (const finding of findings) collector.add(finding);
  const rowFiles = await openRowFiles(table, columns, input, collector.add);
  const spool = await readRows(table, columns, { ...input, rowFiles }, collector);
  rowFiles?.finish();
  const files = rowFiles === undefined ? {} : { files: await prepareFiles(rowFiles, spool.rows) };
  const { file, worksheet, worksheets } = table;
  for (const note of warningsOf(table)) collector.add(note);
  if (spool.rows === 0) collector.add(noRows(table));
  const unexpected = input.expected === undefined ? undefined : rowCountProblem(spool.rows, input.expected);
  if (unexpected !== undefined) collector.add(unexpectedRows(unexpected, table));
  const original = upload === 'original' ? await originalIn(path, table, spool, input, collector) : undefined;
  return {
    ...spool,
    file,
    ...omitUndefined({ worksheet, worksheets }),
    resource: definition.resource,
    columns,
    allowed: input.allowed ?? new Map(),
    ...files,
    ...omitUndefined({ only: input.only }),
    findings: collector.findings(),
    fileName: `${basename(file, extname(file))}.csv`,
    ...omitUndefined({ original }),
  };
}

/** Returns the file to send as it is; adds a finding if the service would read it differently. */
async function originalIn(
  path: string,
  table: SourceTable,
  { parts }: Spool,
  { source, repeated }: ImportInput,
  collector: FindingCollector,
): Promise<OriginalFile | undefined> {
  const problem =
    repeated === 'sum' || repeated === 'once'
      ? `\`repeated: ${repeated}\` changes its rows`
      : originalProblem(source, table, parts.length > 1 ? 'several' : 'one');
  if (problem === undefined) return describeOriginal(path, table);
  const message = `${nameOfTable(table)} cannot be sent as it is: ${problem}.`;
  const hint = 'Leave out `upload: original`.';
  collector.add({ severity: 'error', code: 'original-unreadable', message, hint, ...tablePlace(table) });
  return undefined;
}

/** Decisions of the reader that may be wrong. */
const warningsOf = (table: SourceTable): Finding[] =>
  (table.notes?.() ?? []).flatMap(({ severity, ...note }) =>
    severity === 'warning' ? [{ severity, ...note, ...tablePlace(table) }] : [],
  );

/** Rejects on an interruption, without waiting for a large workbook to open, which takes seconds. */
function interruption({ signal, source }: ImportInput): Promise<never> {
  return new Promise((_, interrupt) => {
    if (signal?.aborted) interrupt(interruptionError(source.file));
    signal?.addEventListener('abort', () => interrupt(interruptionError(source.file)), { once: true });
  });
}

function unexpectedRows(message: string, table: SourceTable): Finding {
  const hint = 'Check that the export is complete; change `expectRows` if the number is right.';
  return { severity: 'error', code: 'rows-unexpected', message, hint, ...tablePlace(table) };
}

function noRows(table: SourceTable): Finding {
  const message = `${nameOfTable(table)} has no rows below its header (row ${table.headerRow}).`;
  const hint = 'Check `headerRow` and `worksheet`, and that the export is complete.';
  return { severity: 'error', code: 'no-rows', message, hint, ...tablePlace(table) };
}
