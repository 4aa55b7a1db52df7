import { join } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import type { ReportFiles } from '#core/stream/import-event-schema.js';
import type { PreparedImport } from '../prepare.js';
import { type CsvFileWriter, openCsvFile } from '../rows/csv-file.js';
import { rowLabel, rowPlace } from '../source/row-place.js';
import { nameOfTable, type SourceRow, type SourceTable } from '../source/source-table.js';
import { EXTRA_COLUMNS, isExtraColumn } from './extra-columns.js';
import { FAILED_WORKBOOK, openFailedWorkbook } from './failed-workbook.js';
import type { RowVerdict, VerdictReader } from './verdicts.js';

/** Names of the files with the rows of a source, by outcome. */
export const SPLIT_FILES = { success: 'success.csv', failed: 'failed.csv', unprocessed: 'unprocessed.csv' } as const;

/** Number of rows in each file. */
export type SplitCounts = Readonly<Record<keyof typeof SPLIT_FILES, number>>;

/** The files that were written. */
export interface SplitResult {
  readonly counts: SplitCounts;
  readonly workbook: ReportFiles['workbook'];
}

type Files = Readonly<Record<keyof typeof SPLIT_FILES, CsvFileWriter>>;

/**
 * Divides the rows of a source by outcome, each row with all columns of its file. Streams the source once more; refuses
 * a source that differs from what was sent.
 */
export async function splitRows(
  folder: string,
  table: SourceTable,
  prepared: PreparedImport,
  verdicts: VerdictReader,
): Promise<SplitResult> {
  const own = table.headers.flatMap((header, index) => (isExtraColumn(header) ? [] : [index]));
  const headers = own.map((index) => table.headers[index] ?? '');
  const open = (kind: keyof typeof SPLIT_FILES, header: readonly string[]): Promise<CsvFileWriter> =>
    openCsvFile(join(folder, SPLIT_FILES[kind]), header, `${prepared.path}.${kind}`);
  const files: Files = {
    success: await open('success', headers),
    failed: await open('failed', [...headers, ...EXTRA_COLUMNS]),
    unprocessed: await open('unprocessed', [...headers, ...EXTRA_COLUMNS]),
  };
  const all = Object.values(files);
  const workbook = openFailedWorkbook(`${prepared.path}.${FAILED_WORKBOOK}`, headers);
  try {
    const verdictOf = verdictsOfRows(table, prepared, verdicts);
    let count = 0;
    for await (const row of sentRows(table, prepared)) {
      count += 1;
      const verdict = await verdictOf(row);
      const line = lineOf(row, verdict, own, table);
      await files[verdict.is].add(line);
      if (verdict.is === 'failed') await workbook.add(line, verdict.errors);
    }
    if (count !== prepared.rows + (prepared.repeats?.count ?? 0)) throw changedSource(table);
    for (const file of all) await file.finish();
  } catch (error) {
    for (const file of all) await file.abandon().catch(() => undefined);
    throw error;
  }
  return {
    counts: { success: files.success.rows, failed: files.failed.rows, unprocessed: files.unprocessed.rows },
    workbook: await workbook.finish(join(folder, FAILED_WORKBOOK)),
  };
}

/** Leaves out the rows that the workspace had already. */
async function* sentRows({ rows }: SourceTable, { only }: PreparedImport): AsyncGenerator<SourceRow> {
  let n = 0;
  for await (const row of rows) {
    n += 1;
    if (only?.has(n) !== false) yield row;
  }
}

/** Gives the outcome of each row of the source in turn; a row that was added to another has the outcome of that one. */
function verdictsOfRows(table: SourceTable, { sourceRowOf, repeats }: PreparedImport, verdicts: VerdictReader) {
  const notGood = new Map<number, RowVerdict>();
  let n = 0;
  return async ({ row, cells }: SourceRow): Promise<RowVerdict> => {
    const target = repeats?.dataRowOf(row);
    if (target !== undefined) return notGood.get(target) ?? { is: 'success' };
    n += 1;
    if (row !== sourceRowOf(n)) throw changedSource(table);
    const verdict = await verdicts.of(n, cells);
    if (verdict.is !== 'success' && repeats !== undefined && repeats.rowsOf(n).length > 0) notGood.set(n, verdict);
    return verdict;
  };
}

/** Cells beyond the last header have no column; they stay after the added ones. */
function lineOf({ row, cells }: SourceRow, verdict: RowVerdict, own: readonly number[], table: SourceTable): string[] {
  const { length: width } = table.headers;
  const beyond = cells.slice(width);
  const named = own.map((index) => cells[index] ?? '');
  return [...named, ...extraCells(rowLabel(rowPlace(table, row)), verdict), ...beyond];
}

function extraCells(place: string, verdict: RowVerdict): string[] {
  switch (verdict.is) {
    case 'success':
      return [];
    case 'unprocessed':
      return [place, verdict.reason, verdict.certainty];
    case 'failed': {
      const reasons = verdict.errors.map(({ code, message, doubt }) =>
        [code === undefined ? message : `${code}: ${message}`, ...(doubt === undefined ? [] : [doubt])].join(' '),
      );
      const certainty = verdict.errors.map((error) => error.certainty);
      return [place, reasons.join('; '), certainty.includes('doubtful') ? 'doubtful' : (certainty[0] ?? '')];
    }
  }
}

const changedSource = (table: SourceTable): DexsyncError =>
  new DexsyncError('FILE_CHANGED', `${nameOfTable(table)} no longer contains the rows that were sent.`, {
    hint: 'The report needs the file that was imported: restore it, or import the changed file.',
  });
