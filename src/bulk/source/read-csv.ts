import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { CsvError, type InfoRecord, type Options, type Parser, parse } from 'csv-parse';
import type { ImportSource } from '../../jobs/source.js';
import { unreadable } from './sniff.js';
import { isBlank, type SourceRow, type SourceTable } from './source-table.js';
import { utf8Lines } from './utf8.js';

const LINE_BREAK = /\r\n|\n|\r/g;

/** A text file by RFC 4180, quoting taken strictly: what cannot be read for certain is an error that names its line. */
export async function readCsv(path: string, source: ImportSource): Promise<SourceTable> {
  const { file, headerRow = 1 } = source;
  if (source.worksheet !== undefined) {
    throw unreadable(
      `${file} is a text file and has no worksheet "${source.worksheet}".`,
      'Remove `worksheet`, or name a workbook.',
    );
  }
  const delimiter = source.delimiter ?? delimiterOf(file);
  const records = recordsOf(path, file, delimiter);
  const header = await firstFrom(records, headerRow);
  if (header === undefined) throw noHeader(file, headerRow);
  return {
    file,
    headerRow: header.row,
    headers: header.cells,
    rows: tableRows(records, header.cells, file, delimiter),
  };
}

export const noHeader = (table: string, headerRow: number) =>
  unreadable(
    `${table} has no header row: row ${headerRow} lies behind its last row.`,
    'Set `headerRow` to the row of the headers.',
  );

const delimiterOf = (file: string): string => (['.tsv', '.tab'].includes(extname(file).toLowerCase()) ? '\t' : ',');

async function firstFrom(records: AsyncGenerator<SourceRow>, headerRow: number): Promise<SourceRow | undefined> {
  for (;;) {
    const { value, done } = await records.next();
    if (done) return undefined;
    if (value.row >= headerRow) return value;
  }
}

async function* tableRows(
  records: AsyncGenerator<SourceRow>,
  headers: readonly string[],
  file: string,
  delimiter: string,
): AsyncGenerator<SourceRow> {
  const width = headers.length;
  for await (const { row, cells } of records) {
    if (!isBlank(cells.slice(width))) {
      throw unreadable(
        `${file}:${row}: this row has ${cells.length} cells, but the header has ${width}.`,
        delimiterHint(headers) ?? `Quote values that hold the delimiter ${JSON.stringify(delimiter)}.`,
      );
    }
    yield cells.length < width ? padded(row, cells, width) : { row, cells: cells.slice(0, width) };
  }
}

/** Too few cells are a fault of the row, not of the file: many tables end with a summary that is narrower than they are. */
function padded(row: number, cells: readonly string[], width: number): SourceRow {
  const { length: index } = cells;
  const says = `is missing: the row has ${index} ${index === 1 ? 'cell' : 'cells'}, and the header has ${width}`;
  return {
    row,
    cells: [...cells, ...Array<string>(width - index).fill('')],
    faults: [{ index, code: 'row-short', says }],
  };
}

/** A header of one cell that holds another delimiter tells why nothing fits. */
export function delimiterHint(headers: readonly string[]): string | undefined {
  const other = headers.length === 1 ? [';', '\t', '|', ','].find((mark) => headers[0]?.includes(mark)) : undefined;
  if (other === undefined) return undefined;
  return `The header is one cell that holds ${JSON.stringify(other)}: set \`delimiter: ${JSON.stringify(other)}\`.`;
}

/** Every record that is not blank. Ends its file handle when the caller stops early. */
async function* recordsOf(path: string, file: string, delimiter: string): AsyncGenerator<SourceRow> {
  const lines = lineCounter();
  const parser = parse({
    delimiter,
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    on_record: ((cells: string[], { empty_lines }: InfoRecord): SourceRow | null => {
      const row = lines.startOf(cells, empty_lines);
      return isBlank(cells) ? null : { row, cells };
    }) as unknown as NonNullable<Options['on_record']>,
  });
  const input = createReadStream(path, { highWaterMark: 256 * 1024 });
  pipeline(Readable.from(utf8Lines(input, file)), parser, () => {});
  try {
    yield* parser as Parser & AsyncIterable<SourceRow>;
  } catch (error) {
    throw error instanceof CsvError ? explained(error, file, lines.current(error.empty_lines), delimiter) : error;
  } finally {
    input.destroy();
  }
}

/** The parser's own count takes a CRLF inside quotes for two lines, so lines are counted from the cells. */
function lineCounter() {
  let next = 1;
  return {
    startOf(cells: readonly string[], emptyLines: number): number {
      const start = next + emptyLines;
      next += 1 + cells.reduce((sum, cell) => sum + (cell.match(LINE_BREAK)?.length ?? 0), 0);
      return start;
    },
    current: (emptyLines: unknown): number => next + (typeof emptyLines === 'number' ? emptyLines : 0),
  };
}

function explained(error: CsvError, file: string, line: number, delimiter: string) {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return unreadable(
        `${file}:${line}: a quote is opened in the row that starts here and never closed.`,
        'Close it, or write a quote within a value as "".',
        error,
      );
    case 'CSV_INVALID_CLOSING_QUOTE':
      return unreadable(
        `${file}:${line}: in the row that starts here, text follows a closing quote.`,
        `After a closing quote only ${JSON.stringify(delimiter)} or the end of the line may come; write a quote within a value as "".`,
        error,
      );
    case 'INVALID_OPENING_QUOTE':
      return unreadable(
        `${file}:${line}: in the row that starts here, a quote stands within a value that is not quoted.`,
        'Quote the whole value and write the quote within it as "".',
        error,
      );
    default:
      return unreadable(
        `${file}:${line}: this row cannot be read: ${error.message}.`,
        'Write the file by RFC 4180.',
        error,
      );
  }
}
