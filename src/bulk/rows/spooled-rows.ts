import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';

/** A normalised row; `n` counts data rows from 1. */
export interface SpooledRow {
  readonly n: number;
  readonly cells: readonly string[];
}

/** The data rows of a spool that one run was sent, both included. */
export interface Covered {
  readonly first: number;
  readonly last: number;
}

/** Reads normalised rows back, in order. */
export async function* spooledRows(path: string): AsyncGenerator<SpooledRow> {
  const input = createReadStream(path);
  const parser = parse({ from_line: 1, relax_column_count: true });
  pipeline(input, parser, () => {});
  let n = -1;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      n += 1;
      if (n > 0) yield { n, cells };
    }
  } finally {
    input.destroy();
  }
}

/** Those of one run. */
export async function* coveredRows(path: string, { first, last }: Covered): AsyncGenerator<SpooledRow> {
  for await (const row of spooledRows(path)) {
    if (row.n > last) return;
    if (row.n >= first) yield row;
  }
}
