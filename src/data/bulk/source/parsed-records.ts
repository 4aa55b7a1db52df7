import { Parser } from 'csv-parse';
import type { CsvForm } from './csv-form.js';
import { breaksIn } from './line-breaks.js';
import type { PlainRecords } from './plain-records.js';
import type { RawRow } from './raw-table.js';

/** In characters. An unclosed quote, or a text without lines, makes one row of all that follows. */
export const LONGEST_ROW = 4 * 1024 * 1024;

/** Collects the records of csv-parse with the lines on which they start. `before`: the reader of the text so far. */
export class ParsedRecords extends Parser {
  rows: RawRow[] = [];
  /** Line after the last record, and the parser's counts at that point. */
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
      escape: quotes === 'backslash' ? '\\' : '"',
      skip_empty_lines: true,
    });
    this.#next = before?.line ?? 1;
    // The callback of the failed write reports the failure.
    this.on('error', () => {});
    this.resume();
  }

  override push(record: string[] | null): boolean {
    if (record === null) return super.push(record);
    const { lines, empty_lines: blank } = this.info;
    const row = this.#next + blank - this.#blank;
    // The parser counts a CRLF within quotes as two lines, so its count shows only that there was a break.
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

  /** Line on which the incomplete record starts. */
  nextLine(): number {
    return this.#next + this.info.empty_lines - this.#blank;
  }
}

const breaksInAll = (cells: readonly string[]): number => cells.reduce((sum, cell) => sum + breaksIn(cell), 0);
