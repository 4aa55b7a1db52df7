import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { openSource, type Source, SourceError, type SourceRow, UNREADABLE } from './source.js';

/** Reads RFC-4180 text in UTF-8, with or without a byte order mark (wire-facts 4, "Source files"). */
export function readCsv(path: string): Promise<Source> {
  return openSource(rowsOf(path));
}

async function* rowsOf(path: string): AsyncGenerator<SourceRow> {
  const parser = parse({ bom: true, relax_column_count: true });
  pipeline(createReadStream(path), decodeStrictly, parser, () => undefined);
  try {
    let number = 0;
    for await (const cells of parser as AsyncIterable<string[]>) {
      number += 1;
      yield { number, cells };
    }
  } catch (error) {
    throw explained(error);
  }
}

/** Decodes UTF-8; an invalid byte ends the run instead of becoming a question mark in the workspace. */
async function* decodeStrictly(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

function explained(error: unknown): unknown {
  if (error instanceof CsvError) return new SourceError(UNREADABLE, `The file is not valid CSV: ${error.message}`);
  if (error instanceof TypeError && (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new SourceError(UNREADABLE, 'The file is not text in UTF-8.');
  }
  return error;
}
