import { basename, extname } from 'node:path';
import type { ImportSource } from '#core/jobs/source.js';
import type { Finding, FindingSummary } from '#core/model/findings.js';
import { openRowFiles, type PreparedFiles, prepareFiles } from './archive/prepared-files.js';
import { interruptedIn } from './interrupted.js';
import { collectFindings, type FindingCollector } from './preflight/collect-findings.js';
import { bindColumns, type Column } from './preflight/columns.js';
import type { AllowedValues } from './preflight/row-check.js';
import { type ExpectedRows, rowCountProblem } from './preflight/row-count.js';
import { type ReadingRows, type ReadRows, readRows } from './read-rows.js';
import { copyOriginal, type OriginalFile, originalOf, originalProblem } from './rows/original.js';
import type { RowRanges } from './rows/row-ranges.js';
import type { Spool } from './rows/spool.js';
import { openSource } from './source/open-source.js';
import { nameOfTable, placeOf, type SourceTable } from './source/source-table.js';

/** A source to read, what its rows are for, and where their spool goes. */
export interface ImportInput extends ReadingRows {
  /** Where the file is; `source.file` is what messages call it. */
  readonly path: string;
  readonly source: ImportSource;
  /** The folder or pattern that `source.files` means, absolute. */
  readonly filesPath?: string;
  readonly expected?: ExpectedRows;
  /** `original`: the file itself is sent, where the service reads it as dexsync does. */
  readonly upload?: 'normalised' | 'original';
  /** How many findings are kept; all are counted. */
  readonly keepFindings?: number;
}

/** A source that was read once, whole: rows on disk, findings, nothing sent yet. */
export interface PreparedImport extends ReadRows {
  readonly file: string;
  readonly worksheet?: string;
  readonly resource: string;
  readonly columns: readonly Column[];
  /** What is known of the values that its fields take. */
  readonly allowed: ReadonlyMap<string, AllowedValues>;
  readonly findings: FindingSummary;
  /** The physical files that the rows name; absent where the import has none. */
  readonly files?: PreparedFiles;
  /** The data rows that it has of the file; absent where it has all. */
  readonly only?: RowRanges;
  /** What the upload is called. */
  readonly fileName: string;
  /** The file itself, where it is what is sent. */
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
  const { file, worksheet } = table;
  for (const note of warningsOf(table)) collector.add(note);
  if (spool.rows === 0) collector.add(noRows(table));
  const unexpected = input.expected === undefined ? undefined : rowCountProblem(spool.rows, input.expected);
  if (unexpected !== undefined) collector.add(unexpectedRows(unexpected, table));
  const original = upload === 'original' ? await originalIn(path, table, spool, input, collector) : undefined;
  return {
    ...spool,
    file,
    ...(worksheet === undefined ? {} : { worksheet }),
    resource: definition.resource,
    columns,
    allowed: input.allowed ?? new Map(),
    ...files,
    ...(input.only === undefined ? {} : { only: input.only }),
    findings: collector.findings(),
    fileName: `${basename(file, extname(file))}.csv`,
    ...(original === undefined ? {} : { original }),
  };
}

/** The file that is sent as it is, where nothing keeps the service from reading it so. */
async function originalIn(
  path: string,
  table: SourceTable,
  { parts }: Spool,
  { source, repeated }: ImportInput,
  collector: FindingCollector,
): Promise<OriginalFile | undefined> {
  const problem =
    repeated === 'sum'
      ? '`repeated: sum` changes its rows'
      : originalProblem(source, table, parts.length > 1 ? 'several' : 'one');
  if (problem === undefined) return originalOf(path, table);
  const message = `${nameOfTable(table)} cannot be sent as it is: ${problem}.`;
  const hint = 'Leave out `upload: original`.';
  collector.add({ severity: 'error', code: 'original-unreadable', message, hint, ...placeOf(table) });
  return undefined;
}

/** What the reader decided without being told, where it may be wrong. */
const warningsOf = (table: SourceTable): Finding[] =>
  (table.notes?.() ?? []).flatMap(({ severity, ...note }) =>
    severity === 'warning' ? [{ severity, ...note, ...placeOf(table) }] : [],
  );

/** Opening a large workbook takes seconds; whoever interrupts does not wait for it, and the process ends. */
function interruption({ signal, source }: ImportInput): Promise<never> {
  return new Promise((_, interrupt) => {
    if (signal?.aborted) interrupt(interruptedIn(source.file));
    signal?.addEventListener('abort', () => interrupt(interruptedIn(source.file)), { once: true });
  });
}

function unexpectedRows(message: string, table: SourceTable): Finding {
  const hint = 'Check that the export is complete; change `expectRows` if the number is right.';
  return { severity: 'error', code: 'rows-unexpected', message, hint, ...placeOf(table) };
}

function noRows(table: SourceTable): Finding {
  const message = `${nameOfTable(table)} has no rows below its header (row ${table.headerRow}).`;
  const hint = 'Check `headerRow` and `worksheet`, and that the export is complete.';
  return { severity: 'error', code: 'no-rows', message, hint, ...placeOf(table) };
}
