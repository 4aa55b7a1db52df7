import { CsvError } from 'csv-parse';
import { LAST_COLUMN } from './cell-range.js';
import type { CsvForm } from './csv-form.js';
import { LONGEST_ROW, ParsedRecords } from './parsed-records.js';
import { PlainRecords } from './plain-records.js';
import type { RawRow } from './raw-table.js';
import { unreadableFile } from './unreadable-file.js';

/** In bytes. A longer record would be scanned too often, again with each block. */
const LONGEST_PLAIN = 1024 * 1024;

/**
 * Reads the records of a text by RFC 4180, with the lines on which they start, without blank lines. csv-parse reads
 * from the first record that is not plain, and a last line without a line break: it alone decides what is an error.
 * Throws FILE_UNREADABLE, also for a row with too many columns.
 */
export async function* csvRecords(
  blocks: AsyncIterable<Buffer>,
  form: CsvForm,
  file: string,
): AsyncGenerator<readonly RawRow[]> {
  const iterator = blocks[Symbol.asyncIterator]();
  const plain = PlainRecords.of(form);
  try {
    const rest = plain === undefined ? Buffer.alloc(0) : yield* plainRows(iterator, plain, file);
    const parser = new ParsedRecords(form, plain);
    yield* parsedRows(follow(rest, iterator), parser, file, form);
  } finally {
    await iterator.return?.();
  }
}

/** Returns the bytes from the first record that was not read. */
async function* plainRows(
  blocks: AsyncIterator<Buffer>,
  plain: PlainRecords,
  file: string,
): AsyncGenerator<readonly RawRow[], Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for (;;) {
    const { value: block, done } = await blocks.next();
    if (done) return rest;
    const { rows, end, stop } = plain.read(rest.length === 0 ? block : Buffer.concat([rest, block]));
    if (rows.length > 0) yield bounded(rows, file);
    rest = end;
    if (stop === 'odd' || rest.length > LONGEST_PLAIN) return rest;
  }
}

async function* follow(first: Buffer, others: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (let next = await others.next(); !next.done; next = await others.next()) yield next.value;
}

/** Takes records directly from the parser: one at a time through a stream they take twice as long. */
async function* parsedRows(
  blocks: AsyncIterable<Buffer>,
  parser: ParsedRecords,
  file: string,
  { delimiter }: CsvForm,
): AsyncGenerator<readonly RawRow[]> {
  try {
    for await (const block of blocks) {
      await parser.accept(block);
      if (parser.rows.length > 0) yield bounded(parser.release(), file);
    }
    await parser.finish();
    if (parser.rows.length > 0) yield bounded(parser.release(), file);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (parser.rows.length > 0) yield bounded(parser.release(), file);
    throw syntaxError(error, file, parser.nextLine(), delimiter);
  } finally {
    parser.destroy();
  }
}

function bounded(rows: readonly RawRow[], file: string): readonly RawRow[] {
  const wide = rows.find(({ cells }) => cells.length > LAST_COLUMN);
  if (wide === undefined) return rows;
  throw unreadableFile(
    `${file}:${wide.row}: the row has ${wide.cells.length} values; a table has at most ${LAST_COLUMN} columns.`,
    'Check the line breaks of the file, and its delimiter.',
  );
}

function syntaxError(error: CsvError, file: string, line: number, delimiter: string) {
  switch (error.code) {
    case 'CSV_MAX_RECORD_SIZE':
      return unreadableFile(
        `${file}:${line}: the row that starts here has more than ${LONGEST_ROW / 1024 / 1024} MB.`,
        'A table has rows on lines of their own. Check the line breaks of the file, and that every quote is closed.',
        error,
      );
    case 'CSV_QUOTE_NOT_CLOSED':
      return unreadableFile(
        `${file}:${line}: the row that starts here has an opening quote that is never closed.`,
        'Close the quote, or write a quote within a value as "".',
        error,
      );
    case 'CSV_INVALID_CLOSING_QUOTE':
      return unreadableFile(
        `${file}:${line}: in the row that starts here, text follows a closing quote.`,
        `Only ${JSON.stringify(delimiter)} or the end of the line may follow a closing quote; write a quote within a value as "".`,
        error,
      );
    case 'INVALID_OPENING_QUOTE':
      return unreadableFile(
        `${file}:${line}: in the row that starts here, an unquoted value contains a quote.`,
        'Quote the whole value and write the quote within it as "", or set `quotes: lenient`.',
        error,
      );
    default:
      return unreadableFile(
        `${file}:${line}: this row cannot be read: ${error.message}.`,
        'Write the file according to RFC 4180.',
        error,
      );
  }
}
