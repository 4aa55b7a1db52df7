import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';

/** A normalised row; `n` counts data rows from 1. */
export interface SpooledRow {
  readonly n: number;
  readonly cells: readonly string[];
}

/** The data rows of a spool that one run was sent, both included, and the bytes that hold them, where they are known. */
export interface Covered {
  readonly first: number;
  readonly last: number;
  readonly start?: number;
  readonly end?: number;
}

/** Reads normalised rows back, in order. */
async function* spooledRows(path: string): AsyncGenerator<SpooledRow> {
  let n = -1;
  for await (const cells of recordsOf(path, {})) {
    n += 1;
    if (n > 0) yield { n, cells };
  }
}

/** Those of one run; without its bytes the rows before them are read over. */
export async function* coveredRows(path: string, { first, last, start, end }: Covered): AsyncGenerator<SpooledRow> {
  if (start === undefined || end === undefined) {
    for await (const row of spooledRows(path)) {
      if (row.n > last) return;
      if (row.n >= first) yield row;
    }
    return;
  }
  let n = first;
  for await (const cells of recordsOf(path, { start, end: end - 1 })) {
    yield { n, cells };
    n += 1;
  }
}

async function* recordsOf(
  path: string,
  bytes: { readonly start?: number; readonly end?: number },
): AsyncGenerator<string[]> {
  const input = createReadStream(path, bytes);
  const parser = parse({ relax_column_count: true });
  pipeline(input, parser, () => {});
  try {
    yield* parser as AsyncIterable<string[]>;
  } finally {
    input.destroy();
  }
}
