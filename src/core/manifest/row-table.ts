/** A list that manifests come from, as it was read: every cell as text. */
export interface RowTable {
  /** Its file, and the worksheet if it has several; for messages. */
  readonly name: string;
  readonly headers: readonly string[];
  readonly rows: readonly TableRow[];
  /** Finds a column by its header. */
  readonly find: (header: string) => ColumnPlace | undefined;
}

/** Where a column is; `repeated`: several have the header. */
export type ColumnPlace = { readonly is: 'at'; readonly index: number } | { readonly is: 'repeated' };

/** A row of a list. */
export interface TableRow {
  /** As people count it in the file; behind its worksheet if the list has several: `Frame!5`. */
  readonly row: number | string;
  readonly cells: readonly string[];
  readonly faults?: readonly CellFault[];
}

/** Why a cell cannot be trusted. */
export interface CellFault {
  /** The column; for a row that is too short, the first one that it lacks. */
  readonly index: number;
  readonly code: string;
  /** The end of the sentence "The cell ...". */
  readonly says: string;
  readonly hint?: string;
}

/** Whether a fault is one of the cell in a column. */
export const isFaultOf = ({ code, index }: CellFault, column: number): boolean =>
  code === 'row-short' ? column >= index : column === index;

const SHOWN_ROWS = 3;

/** Names rows of a list, and columns of them: `suppliers.csv, rows 2 and 3, column "City"`. */
export function rowText({ name }: RowTable, rows: readonly TableRow[], columns: readonly string[] = []): string {
  const numbers = [...new Set(rows.map(({ row }) => String(row)))];
  const more = numbers.length - SHOWN_ROWS;
  const shown = more > 1 ? [...numbers.slice(0, SHOWN_ROWS), `${more} more`] : numbers;
  const named = columns.map((column) => `"${column}"`);
  return [name, wordsOf('row', shown), ...(named.length === 0 ? [] : [wordsOf('column', named)])].join(', ');
}

const wordsOf = (noun: string, all: readonly string[]): string =>
  all.length === 1 ? `${noun} ${all[0]}` : `${noun}s ${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
