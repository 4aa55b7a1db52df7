import { stringify } from 'csv-stringify/sync';
import type { FieldValue } from '../../store/items.js';

/** A column with its two possible headers; the options of the export choose one. */
export interface TableColumn {
  readonly apiName: string;
  readonly name: string;
}

/** A value in a table; null is an empty cell of CSV, and several choices are joined by semicolons there. */
export type Cell = FieldValue | null;

/** A file of an archive: its rows are read only while it is written. */
export interface Table {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly rows: () => Iterable<readonly Cell[]>;
}

/** How tables are written (wire-facts 5.1, "format", "header"). */
export interface TableFormat {
  readonly format: 'csv' | 'json';
  readonly header: 'apiName' | 'name';
}

/** The number of rows in one piece of a file. */
const BATCH = 500;

const DELIMITER = ';';

/** Yields the text of a table, piece by piece: CSV of RFC 4180 with a header, or an array of JSON objects. */
export function* tableText(table: Table, { format, header }: TableFormat): Generator<string> {
  const names = table.columns.map((column) => column[header]);
  if (format === 'json') yield* jsonOf(names, table);
  else yield* csvOf(names, table);
}

function* csvOf(names: readonly string[], table: Table): Generator<string> {
  let lines: string[][] = [[...names]];
  for (const row of table.rows()) {
    lines.push(row.map(csvCell));
    if (lines.length < BATCH) continue;
    yield stringify(lines, { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
    lines = [];
  }
  yield stringify(lines, { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

function* jsonOf(names: readonly string[], table: Table): Generator<string> {
  let objects: string[] = [];
  let separator = '[';
  for (const row of table.rows()) {
    objects.push(JSON.stringify(Object.fromEntries(names.map((name, index) => [name, row[index] ?? null]))));
    if (objects.length < BATCH) continue;
    yield separator + objects.join(',\n');
    separator = ',\n';
    objects = [];
  }
  yield objects.length > 0 ? `${separator}${objects.join(',\n')}]\n` : `${separator === '[' ? '[' : ''}]\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'object' ? cell.join(DELIMITER) : String(cell);
}
