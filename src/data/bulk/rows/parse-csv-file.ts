import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { type Options, parse } from 'csv-parse';
import type { ByteRange } from './file-chunks.js';

/** Reads the records of a CSV file in UTF-8 with `parseCsv`. `range`: the bytes to read, all by default. */
export const parseCsvFile = (path: string, options: Options = {}, range?: ByteRange): AsyncGenerator<string[]> =>
  parseCsv(
    () => createReadStream(path, range === undefined ? {} : { start: range.start, end: range.end - 1 }),
    options,
  );

/** Reads the first record of a CSV file in UTF-8; empty if there is none. */
export async function readHeader(path: string): Promise<readonly string[]> {
  for await (const header of parseCsvFile(path, { bom: true, to: 1 })) return header;
  return [];
}

/**
 * Reads the records of CSV in UTF-8, one by one; they may differ in length. Throws a CsvError of csv-parse for invalid
 * CSV, and the errors of its source.
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
