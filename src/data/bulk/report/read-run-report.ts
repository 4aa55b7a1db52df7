import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, jsonIn } from '#core/model/json.js';
import type { RowError } from '#core/stream/row-error.js';
import { openSource } from '../source/open-source.js';
import { rowLabel } from '../source/row-place.js';
import { EXTRA_COLUMNS } from './extra-columns.js';
import { REPORT_FILE, REPORT_VERSION, type RunReport } from './run-report.js';
import { SPLIT_FILES } from './split-rows.js';

/** Which of the failed rows are read. */
export interface FailedRowChoice {
  /** How many are passed over, and how many follow; 0 and 100 by default. */
  readonly from?: number;
  readonly count?: number;
  /** Only those of this cause, by its position among the causes of the report. */
  readonly cause?: number;
}

/** An error of a row that is shown. */
export interface ShownRowError extends Pick<RowError, 'message' | 'code' | 'certainty' | 'doubt'> {
  /** The position of the failed cell in its row; absent if no cell alone is wrong. */
  readonly cell?: number;
  /** The position of its cause among the causes of the report; absent if it is not among them. */
  readonly cause?: number;
}

/** A row that failed, with all cells of its file. */
export interface ShownFailedRow {
  /** Such as `5`, or `Frame!5`; empty for an error of which the row was not found. */
  readonly row: string;
  /** As they are in the file of failed rows, which somebody may have corrected. */
  readonly cells: readonly string[];
  /** All that is said of the row. */
  readonly reason: string;
  /** Empty for rows beyond the first 10,000 errors, of which the reason says the same. */
  readonly errors: readonly ShownRowError[];
}

/** A report that was kept, and some of its failed rows. */
export interface KeptRunReport {
  readonly report: Omit<RunReport, 'errors'>;
  readonly headers: readonly string[];
  readonly rows: readonly ShownFailedRow[];
  /** How many there were to choose from when the report was written. */
  readonly rowsInAll: number;
}

/**
 * Reads the report in a folder; undefined if there is none that this version understands. Reads no further than the chosen
 * rows, in memory that does not grow with the others.
 */
export async function readRunReport(folder: string, choice: FailedRowChoice = {}): Promise<KeptRunReport | undefined> {
  const found = jsonIn(await readFile(join(folder, REPORT_FILE), 'utf8').catch(() => ''));
  if (!isObject(found) || found.version !== REPORT_VERSION) return undefined;
  const { errors, ...report } = found as unknown as RunReport;
  const table = await openSource(join(folder, SPLIT_FILES.failed), FAILED_CSV).catch(() => undefined);
  if (table === undefined) return undefined;
  const added = table.headers.findIndex((header) => header.toLowerCase() === EXTRA_COLUMNS[0]);
  // A person who corrected the file may have removed them.
  const width = added === -1 ? table.headers.length : added;
  const headers = table.headers.slice(0, width);
  const show = shownErrors(errors, report, headers);
  const { from = 0, count = 100, cause } = choice;
  const rows: ShownFailedRow[] = [];
  const rowsInAll = cause === undefined ? report.counts.failed + show.at('').length : show.count(cause);
  const last = Math.min(from + count, rowsInAll);
  let passed = 0;
  const add = (row: ShownFailedRow): void => {
    if (cause !== undefined && !row.errors.some((error) => error.cause === cause)) return;
    if (passed >= from && passed < last) rows.push(row);
    passed += 1;
  };
  for await (const { cells } of table.rows) {
    if (passed >= last) break;
    const [row = '', reason = ''] = cells.slice(width);
    add({ row, cells: cells.slice(0, width), reason, errors: row === '' ? [] : show.at(row) });
  }
  for (const error of show.at('')) add({ row: '', cells: [], reason: error.message, errors: [error] });
  return { report, headers, rows, rowsInAll };
}

const FAILED_CSV = { file: SPLIT_FILES.failed, delimiter: ',', encoding: 'utf-8', headerRow: 1 } as const;

/** The errors by the rows that they are about, as `failed.csv` numbers them; those without a row at an empty text. */
function shownErrors(errors: readonly RowError[], report: KeptRunReport['report'], headers: readonly string[]) {
  const causes = new Map(report.causes.map(({ code, message }, index) => [JSON.stringify([code, message]), index]));
  const byRow = new Map<string, ShownRowError[]>();
  for (const error of errors) {
    const { message, code, certainty, doubt } = error;
    const [cell, cause] = [headers.indexOf(error.column ?? ''), causes.get(JSON.stringify([code, error.cause]))];
    const shown: ShownRowError = {
      ...{ message, code, certainty },
      ...(doubt === undefined ? {} : { doubt }),
      ...(cell === -1 ? {} : { cell }),
      ...(cause === undefined ? {} : { cause }),
    };
    for (const row of rowsOf(error, report.worksheet)) {
      const known = byRow.get(row);
      if (known === undefined) byRow.set(row, [shown]);
      else known.push(shown);
    }
  }
  const withCause = ([row, all]: readonly [string, readonly ShownRowError[]], cause: number) => {
    const found = all.filter((error) => error.cause === cause);
    return row === '' ? found.length : Math.min(found.length, 1);
  };
  return {
    at: (row: string): readonly ShownRowError[] => byRow.get(row) ?? [],
    /** How many rows have a cause; each error without a row is one. */
    count: (cause: number): number => [...byRow].reduce((sum, one) => sum + withCause(one, cause), 0),
  };
}

function rowsOf({ row, worksheet, alsoRows = [], alsoIn = [] }: RowError, only: string | undefined): string[] {
  if (row === undefined) return [''];
  const label = (at: number, sheet: string | undefined): string =>
    rowLabel({ row: at, ...(sheet === undefined || sheet === only ? {} : { worksheet: sheet }) });
  return [label(row, worksheet), ...alsoRows.map((at, index) => label(at, alsoIn[index] ?? worksheet))];
}
