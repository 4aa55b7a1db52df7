import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { type Options, parse } from 'csv-parse';
import type { ByteRange } from './file-chunks.js';

/** The records of a CSV file in UTF-8, as `parseCsv` gives them. `range`: the bytes to read, all by default. */
export const parseCsvFile = (path: string, options: Options = {}, range?: ByteRange): AsyncGenerator<string[]> =>
  parseCsv(
    () => createReadStream(path, range === undefined ? {} : { start: range.start, end: range.end - 1 }),
    options,
  );

/**
 * The records of CSV in UTF-8, one by one; they may differ in length. Throws a CsvError of csv-parse where it is no CSV, and
 * what its source throws.
 */
export async function* parseCsv(open: () => Readable, options: Options = {}): AsyncGenerator<string[]> {
  const input = open();
  const parser = parse({ relax_column_count: true, ...options });
  pipeline(input, parser, () => {});
  try {
    yield* parser as AsyncIterable<string[]>;
  } finally {
    input.destroy();
  }
}
