import { parseCsvFile } from './parse-csv-file.js';

/** A normalised row; `n` counts data rows from 1. */
export interface SpooledRow {
  readonly n: number;
  readonly cells: readonly string[];
}

/** A file of normalised rows, and their number. */
interface SpooledRows {
  readonly path: string;
  readonly rows: number;
}

/** Data rows of a spool that one run was sent, inclusive, and their bytes, if these are known. */
export interface RowSpan {
  readonly first: number;
  readonly last: number;
  readonly start?: number;
  readonly end?: number;
}

/** Reads all data rows of a spool, in order. */
export const readAllRows = ({ path, rows }: SpooledRows): AsyncGenerator<SpooledRow> =>
  readSpooledRows(path, { first: 1, last: rows });

/** Reads normalised rows in order; without the bytes of the span it skips the rows before it. */
export async function* readSpooledRows(path: string, { first, last, start, end }: RowSpan): AsyncGenerator<SpooledRow> {
  if (start === undefined || end === undefined) {
    for await (const row of readFrom(path)) {
      if (row.n > last) return;
      if (row.n >= first) yield row;
    }
    return;
  }
  let n = first;
  for await (const cells of parseCsvFile(path, {}, { start, end })) {
    yield { n, cells };
    n += 1;
  }
}

async function* readFrom(path: string): AsyncGenerator<SpooledRow> {
  let n = -1;
  for await (const cells of parseCsvFile(path)) {
    n += 1;
    if (n > 0) yield { n, cells };
  }
}
