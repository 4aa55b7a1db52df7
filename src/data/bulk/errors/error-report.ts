import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError } from 'csv-parse';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { parseCsvFile } from '../rows/parse-csv-file.js';

/** One line of the error report as the service wrote it (interface 2.3). */
export interface ReportedError {
  /** Undefined if the column is missing or does not contain a whole number. */
  readonly rowNumber: number | undefined;
  readonly key: string;
  readonly code: number | undefined;
  readonly message: string;
}

const COLUMNS = { row: 'row number', key: 'number', code: 'error code', message: 'error message' } as const;

/** Writes a report to disk as it arrives: it is requested once, but read more than once. */
export const spoolErrorReport = (content: Readable, path: string): Promise<void> =>
  pipeline(content, createWriteStream(path, { mode: 0o600 }));

/**
 * Reads a spooled report line by line. Column names match in any letter case and order, also among other columns.
 * Refuses a report with neither an error code nor a message column: errors must not look like none.
 */
export async function* readErrorReport(path: string): AsyncGenerator<ReportedError> {
  let cellOf: CellOf | undefined;
  for await (const record of recordsOf(path)) {
    if (cellOf === undefined) cellOf = cellsBy(record);
    else yield errorOf(record, cellOf);
  }
}

type CellOf = (record: readonly string[], column: keyof typeof COLUMNS) => string;

async function* recordsOf(path: string): AsyncGenerator<string[]> {
  try {
    yield* parseCsvFile(path, { bom: true, skip_empty_lines: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unexpectedReport(`The error report of the run is not a readable CSV file: ${error.message}.`, error);
  }
}

function cellsBy(header: readonly string[]): CellOf {
  const names = header.map((name) => name.trim().toLowerCase());
  const places = new Map(Object.entries(COLUMNS).map(([column, name]) => [column, names.indexOf(name)]));
  if (places.get('message') === -1 && places.get('code') === -1) {
    throw unexpectedReport(
      `The error report of the run has the columns ${names.map((name) => `"${name}"`).join(', ')}, but neither "Error Code" nor "Error Message".`,
    );
  }
  return (record, column) => record[places.get(column) ?? -1] ?? '';
}

const unexpectedReport = (message: string, cause?: unknown): DexsyncError =>
  new DexsyncError('ANSWER_UNEXPECTED', message, {
    hint: 'Use `--trace` to see the answer.',
    ...omitUndefined({ cause }),
  });

const wholeNumber = (text: string): number | undefined => (/^\s*\d{1,10}\s*$/.test(text) ? Number(text) : undefined);

const errorOf = (record: readonly string[], cellOf: CellOf): ReportedError => ({
  rowNumber: wholeNumber(cellOf(record, 'row')),
  key: cellOf(record, 'key').trim(),
  code: wholeNumber(cellOf(record, 'code')),
  message: cellOf(record, 'message').trim(),
});
