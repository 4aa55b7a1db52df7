import { CsvError, type Options, Parser } from 'csv-parse';
import type { RawRow } from './raw-table.js';
import { unreadableFile } from './unreadable-file.js';

const LINE_BREAK = /\r\n|\n|\r/g;

/** How a text file is cut into cells. `lenient`: a quote within a value that is not quoted is a character like others. */
export interface CsvForm {
  readonly delimiter: string;
  readonly quotes: 'strict' | 'lenient';
}

/**
 * The records of a text by RFC 4180 with the lines on which they start, blank lines left out. Takes the parser's records
 * where it hands them over: one at a time through a stream they take twice as long.
 */
export async function* csvRecords(
  blocks: AsyncIterable<Buffer>,
  { delimiter, quotes }: CsvForm,
  file: string,
): AsyncGenerator<readonly RawRow[]> {
  const parser = new CollectingParser({
    delimiter,
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: quotes === 'lenient',
    skip_empty_lines: true,
  });
  try {
    for await (const block of blocks) {
      await parser.accept(block);
      if (parser.rows.length > 0) yield parser.release();
    }
    await parser.finish();
    if (parser.rows.length > 0) yield parser.release();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (parser.rows.length > 0) yield parser.release();
    throw syntaxError(error, file, parser.nextLine(), delimiter);
  } finally {
    parser.destroy();
  }
}

class CollectingParser extends Parser {
  rows: RawRow[] = [];
  /** The line after the last record, and what the parser had counted by then. */
  #next = 1;
  #lines = 0;
  #blank = 0;

  constructor(options: Options) {
    super(options);
    // A failure comes by the callback of the write that it happened in.
    this.on('error', () => {});
    this.resume();
  }

  override push(record: string[] | null): boolean {
    if (record === null) return super.push(record);
    const { lines, empty_lines: blank } = this.info;
    const row = this.#next + blank - this.#blank;
    // The parser takes a CRLF within quotes for two lines, so that its count tells only that there was a break.
    const breaks = lines - this.#lines - (blank - this.#blank) === 1 ? 0 : breaksIn(record);
    this.#next = row + 1 + breaks;
    this.#lines = lines;
    this.#blank = blank;
    this.rows.push(breaks === 0 ? { row, cells: record } : { row, end: row + breaks, cells: record });
    return true;
  }

  accept(block: Buffer): Promise<void> {
    return new Promise((done, fail) => {
      this.write(block, (error) => (error ? fail(error) : done()));
    });
  }

  finish(): Promise<void> {
    return new Promise((done, fail) => {
      this.once('error', fail);
      this.end(done);
    });
  }

  release(): readonly RawRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  /** The line on which the record starts that is not complete. */
  nextLine(): number {
    return this.#next + this.info.empty_lines - this.#blank;
  }
}

const breaksIn = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.match(LINE_BREAK)?.length ?? 0), 0);

function syntaxError(error: CsvError, file: string, line: number, delimiter: string) {
  switch (error.code) {
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
