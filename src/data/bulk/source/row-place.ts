import { LAST_ROW } from './cell-range.js';
import { type SourceTable, tablePlace } from './source-table.js';

/** A table by its name, as messages have it. */
type NamedTable = Pick<SourceTable, 'file' | 'worksheet' | 'worksheets'>;
type SheetsOf = Pick<SourceTable, 'worksheets'>;

/** A row as people count it in its file, or in its worksheet if the source reads several. */
export interface RowPlace {
  readonly row?: number;
  readonly worksheet?: string;
}

const SHEET_ROWS = 2 * LAST_ROW;

/** The number of a row in one of several worksheets, counted from 0: these numbers rise through all of them. */
export const numberInSheets = (sheet: number, row: number): number => sheet * SHEET_ROWS + row;

/** Finds the place of a row by its number in a source. */
export function rowPlace({ worksheets }: SheetsOf, row: number | undefined): RowPlace {
  if (row === undefined) return {};
  if (worksheets === undefined) return { row };
  return { row: row % SHEET_ROWS, worksheet: worksheets[Math.floor(row / SHEET_ROWS)] ?? '' };
}

/** Place of a row in findings, with its file. */
export const placeOfRow = (table: NamedTable, row: number | undefined) => ({
  ...tablePlace(table),
  ...rowPlace(table, row),
});

/** Such as `5`, or `5 of worksheet "Frame"`. */
export function rowName(table: SheetsOf, number: number | undefined): string {
  const { row, worksheet } = rowPlace(table, number);
  return worksheet === undefined ? String(row) : `${row} of worksheet "${worksheet}"`;
}

/** Such as `5`, or `Frame!5`. */
export const rowLabel = ({ row, worksheet }: RowPlace): string =>
  worksheet === undefined ? String(row) : `${worksheet}!${row}`;
