import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { type Options, parse } from 'csv-parse';
import type { ByteRange } from './file-chunks.js';

/**
 * The records of a CSV file in UTF-8, one by one; they may differ in length. Throws a CsvError of csv-parse where it is no CSV.
 * `range`: the bytes to read, all by default.
 */
export async function* parseCsvFile(path: string, options: Options = {}, range?: ByteRange): AsyncGenerator<string[]> {
  const input = createReadStream(path, range === undefined ? {} : { start: range.start, end: range.end - 1 });
  const parser = parse({ relax_column_count: true, ...options });
  pipeline(input, parser, () => {});
  try {
    yield* parser as AsyncIterable<string[]>;
  } finally {
    input.destroy();
  }
}
