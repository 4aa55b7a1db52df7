import { Parser } from 'csv-parse';
import type { CsvForm } from './csv-form.js';
import { breaksIn } from './line-breaks.js';
import type { PlainRecords } from './plain-records.js';
import type { RawRow } from './raw-table.js';

/** In characters. A quote that is never closed, or a text without lines, makes one row of all that follows. */
export const LONGEST_ROW = 4 * 1024 * 1024;

/** The records of csv-parse as it hands them over, with the lines on which they start. `before`: what was read of the text. */
export class ParsedRecords extends Parser {
  rows: RawRow[] = [];
  /** The line after the last record, and what the parser had counted by then. */
  #next: number;
  #lines = 0;
  #blank = 0;

  constructor({ delimiter, quotes }: CsvForm, before?: Pick<PlainRecords, 'line' | 'hasBegun'>) {
    super({
      delimiter,
      max_record_size: LONGEST_ROW,
      bom: before?.hasBegun !== true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: quotes === 'lenient',
      skip_empty_lines: true,
    });
    this.#next = before?.line ?? 1;
    // A failure comes by the callback of the write that it happened in.
    this.on('error', () => {});
    this.resume();
  }

  override push(record: string[] | null): boolean {
    if (record === null) return super.push(record);
    const { lines, empty_lines: blank } = this.info;
    const row = this.#next + blank - this.#blank;
    // The parser takes a CRLF within quotes for two lines, so that its count tells only that there was a break.
    const breaks = lines - this.#lines - (blank - this.#blank) === 1 ? 0 : breaksInAll(record);
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

const breaksInAll = (cells: readonly string[]): number => cells.reduce((sum, cell) => sum + breaksIn(cell), 0);
