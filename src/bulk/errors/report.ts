import { pipeline, type Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { DexsyncError } from '../../errors.js';

/** One line of the error report as the service wrote it (interface 2.3). */
export interface ReportedError {
  /** Undefined where the column is missing or holds no whole number. */
  readonly rowNumber: number | undefined;
  readonly key: string;
  readonly code: number | undefined;
  readonly message: string;
}

/** Failed rows of one cause. */
export interface ErrorGroup {
  readonly code: number | undefined;
  readonly message: string;
  readonly count: number;
}

export interface ErrorReport {
  /** The first ones; memory is bounded. */
  readonly errors: readonly ReportedError[];
  readonly total: number;
  /** Most frequent first; the causes beyond the bound are counted in `total` only. */
  readonly groups: readonly ErrorGroup[];
}

const MOST_GROUPS = 1000;
const COLUMNS = { row: 'row number', key: 'number', code: 'error code', message: 'error message' } as const;

/**
 * Reads an error report as a stream. Column names are matched letter case aside and may come in any order, with others
 * among them. A report without any of them is refused: errors must not look like none.
 */
export async function readReport(content: Readable, keep: number): Promise<ErrorReport> {
  const errors: ReportedError[] = [];
  const groups = new Map<string, ErrorGroup>();
  let total = 0;
  let cellOf: CellOf | undefined;
  for await (const record of recordsOf(content)) {
    if (cellOf === undefined) {
      cellOf = cellsBy(record);
      continue;
    }
    const error = errorOf(record, cellOf);
    total += 1;
    if (errors.length < keep) errors.push(error);
    count(groups, error);
  }
  return { errors, total, groups: [...groups.values()].sort((a, b) => b.count - a.count) };
}

type CellOf = (record: readonly string[], column: keyof typeof COLUMNS) => string;

async function* recordsOf(content: Readable): AsyncGenerator<string[]> {
  const parser = parse({ bom: true, relax_column_count: true, skip_empty_lines: true });
  pipeline(content, parser, () => {});
  try {
    yield* parser as AsyncIterable<string[]>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unexpected(`The error report of the run is no readable CSV: ${error.message}.`, error);
  }
}

function cellsBy(header: readonly string[]): CellOf {
  const names = header.map((name) => name.trim().toLowerCase());
  const places = new Map(Object.entries(COLUMNS).map(([column, name]) => [column, names.indexOf(name)]));
  if (places.get('message') === -1 && places.get('code') === -1) {
    throw unexpected(
      `The error report of the run has the columns ${names.map((name) => `"${name}"`).join(', ')}, but none of "Error Code" and "Error Message".`,
    );
  }
  return (record, column) => record[places.get(column) ?? -1] ?? '';
}

const unexpected = (message: string, cause?: unknown): DexsyncError =>
  new DexsyncError('ANSWER_UNEXPECTED', message, {
    hint: 'Use --trace to see the answer.',
    ...(cause === undefined ? {} : { cause }),
  });

const wholeNumber = (text: string): number | undefined => (/^\s*\d{1,10}\s*$/.test(text) ? Number(text) : undefined);

const errorOf = (record: readonly string[], cellOf: CellOf): ReportedError => ({
  rowNumber: wholeNumber(cellOf(record, 'row')),
  key: cellOf(record, 'key').trim(),
  code: wholeNumber(cellOf(record, 'code')),
  message: cellOf(record, 'message').trim(),
});

function count(groups: Map<string, ErrorGroup>, { code, message }: ReportedError): void {
  const cause = JSON.stringify([code, message]);
  const known = groups.get(cause);
  if (known !== undefined) groups.set(cause, { ...known, count: known.count + 1 });
  else if (groups.size < MOST_GROUPS) groups.set(cause, { code, message, count: 1 });
}
