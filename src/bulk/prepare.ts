import { basename, extname, join } from 'node:path';
import { DexsyncError } from '../errors.js';
import type { ImportSource } from '../jobs/source.js';
import type { ImportDefinitionSpec } from '../kinds/import-definition.js';
import { resourceNamed } from '../model/import-resources.js';
import { openRowFiles, type PreparedFiles, prepareFiles } from './archive/prepared-files.js';
import type { RowFiles } from './archive/row-files.js';
import { circleCheck } from './preflight/circle-check.js';
import { collectFindings, type FindingCollector } from './preflight/collect-findings.js';
import { bindColumns, type Column, normaliseRow } from './preflight/columns.js';
import type { Finding, FindingSummary } from './preflight/findings.js';
import { partCheck } from './preflight/part-check.js';
import { preflight } from './preflight/preflight.js';
import type { AllowedValues } from './preflight/row-check.js';
import { type ExpectedRows, rowCountProblem } from './preflight/row-count.js';
import type { Division } from './rows/divide-rows.js';
import { copyOriginal, type OriginalFile, originalOf, originalProblem } from './rows/original.js';
import type { RowRanges } from './rows/row-ranges.js';
import { type Spool, SpoolWriter } from './rows/spool.js';
import { openSource } from './source/open-source.js';
import { nameOfTable, placeOf, type SourceTable } from './source/source-table.js';

/** A source to read, what its rows are for, and where their spool goes. */
export interface ImportInput {
  /** Where the file is; `source.file` is what messages call it. */
  readonly path: string;
  readonly source: ImportSource;
  readonly definition: ImportDefinitionSpec;
  /** A folder of this import alone; the spool stays in it until the caller removes it. */
  readonly folder: string;
  /** The folder or pattern that `source.files` means, absolute. */
  readonly filesPath?: string;
  /** Into how many runs the rows are divided; one where it is not given. */
  readonly division?: Division;
  readonly expected?: ExpectedRows;
  /** The data rows that are prepared; all by default. */
  readonly only?: RowRanges;
  /** `original`: the file itself is sent, where the service reads it as dexsync does. */
  readonly upload?: 'normalised' | 'original';
  /** Known values by target field, such as the paths of the workspace's categories. */
  readonly allowed?: ReadonlyMap<string, AllowedValues>;
  /** How many findings are kept; all are counted. */
  readonly keepFindings?: number;
  /** Told of the rows that were read so far, now and then and at the end. */
  readonly onRows?: (rows: number) => void;
  readonly signal?: AbortSignal;
}

/** A source that was read once, whole: rows on disk, findings, nothing sent yet. */
export interface PreparedImport extends Spool {
  readonly file: string;
  readonly worksheet?: string;
  readonly resource: string;
  readonly columns: readonly Column[];
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
const EVENT_EVERY = 5000;

/** Reads, normalises and checks a source in one pass. Findings never remove a row: the commit rule decides. */
export async function prepareImport(input: ImportInput): Promise<PreparedImport> {
  const { source, definition, folder, upload = 'normalised', keepFindings = KEEP } = input;
  const path = upload === 'original' ? await copyOriginal(input.path, folder) : input.path;
  const table = await Promise.race([openSource(path, source), interruption(input)]);
  const collector = collectFindings(keepFindings);
  const { columns, findings } = bindColumns(table, source, definition);
  for (const finding of findings) collector.add(finding);
  const rowFiles = await openRowFiles(table, columns, input, collector.add);
  const writer = await SpoolWriter.open(join(folder, 'rows.csv'), columns);
  const spool = await readRows(table, columns, { ...input, rowFiles }, collector, writer);
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
  { source }: ImportInput,
  collector: FindingCollector,
): Promise<OriginalFile | undefined> {
  const problem = originalProblem(source, table, parts.length > 1 ? 'several' : 'one');
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

interface RowPass extends ImportInput {
  readonly rowFiles: RowFiles | undefined;
}

async function readRows(
  table: SourceTable,
  columns: readonly Column[],
  { definition, division, allowed = new Map(), only, onRows, signal, rowFiles }: RowPass,
  collector: FindingCollector,
  writer: SpoolWriter,
): Promise<Spool> {
  const check = preflight(
    table,
    columns,
    { definition, rules: resourceNamed(definition.resource), allowed },
    collector.add,
  );
  const circles = circleCheck(table, columns, definition, collector.add);
  const parts = division === undefined ? undefined : partCheck(table, columns, definition, division, collector.add);
  let rows = 0;
  try {
    for await (const { row, cells, faults = [] } of table.rows) {
      rows += 1;
      if (only?.has(rows) === false) continue;
      const normalised = normaliseRow(columns, cells);
      const checked = { row, cells: normalised, faults };
      check(checked);
      rowFiles?.check(checked);
      circles?.add(row, normalised);
      if (parts?.(row, normalised) === 'cut') await writer.cut();
      const written = writer.add(row, normalised);
      if (written !== undefined) await written;
      if (signal?.aborted) throw interruptedIn(table.file);
      if (rows % EVENT_EVERY === 0) onRows?.(rows);
    }
  } catch (error) {
    await writer.abandon();
    throw error;
  }
  onRows?.(rows);
  const spool = await writer.finish();
  await circles?.finish(spool);
  return spool;
}

/** Opening a large workbook takes seconds; whoever interrupts does not wait for it, and the process ends. */
function interruption({ signal, source }: ImportInput): Promise<never> {
  return new Promise((_, interrupt) => {
    if (signal?.aborted) interrupt(interruptedIn(source.file));
    signal?.addEventListener('abort', () => interrupt(interruptedIn(source.file)), { once: true });
  });
}

const interruptedIn = (file: string): DexsyncError =>
  new DexsyncError('INTERRUPTED', `Interrupted while reading ${file}. Nothing was sent.`);

function unexpectedRows(message: string, table: SourceTable): Finding {
  const hint = 'Check that the export is complete; change `expectRows` if the number is right.';
  return { severity: 'error', code: 'rows-unexpected', message, hint, ...placeOf(table) };
}

function noRows(table: SourceTable): Finding {
  const message = `${nameOfTable(table)} has no rows below its header (row ${table.headerRow}).`;
  const hint = 'Check `headerRow` and `worksheet`, and that the export is complete.';
  return { severity: 'error', code: 'no-rows', message, hint, ...placeOf(table) };
}
