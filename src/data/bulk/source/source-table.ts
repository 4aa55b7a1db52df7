import { omitUndefined } from '#base/omit-undefined.js';
import type { Encoding } from '#core/jobs/source.js';

/** Why a cell cannot be trusted as data. Reported only if a mapping uses the column. */
export interface CellFault {
  /** Position in `cells`, from 0; for a row that is too short, its end. */
  readonly index: number;
  readonly code:
    | 'cell-error'
    | 'date-unreadable'
    | 'formula-without-value'
    | 'row-short'
    | 'parent-unknown'
    | 'values-uneven';
  /** The cell's fault as the end of the sentence "The cell ...". */
  readonly says: string;
}

/** A row of a table, with its cells in the order of the headers. */
export interface SourceRow {
  /** Row number as people see it: the row of the sheet, or the line of a text file on which the record starts. */
  readonly row: number;
  /** At least as many as there are headers; missing ones are empty, and a fault reports them. */
  readonly cells: readonly string[];
  readonly faults?: readonly CellFault[];
}

/** A decision that no option made. `warning`: the file may mean something else; setting the option ends the warning. */
export interface SourceNote {
  readonly severity: 'info' | 'warning';
  /** Stable and kebab-case. */
  readonly code:
    | 'cells-garbled'
    | 'digits-lost'
    | 'delimiter-detected'
    | 'encoding-guessed'
    | 'hidden-read'
    | 'merged-cells';
  readonly message: string;
  readonly hint?: string;
}

/** A format of workbooks, by the usual ending of its files. */
export type WorkbookFormat = 'xlsx' | 'xls' | 'ods';

/** A table as it is in its file: every cell as text, every requested row in order, none held in memory. */
export interface SourceTable {
  /** Name from the manifest, or the file that a name with * matches; used in every message. */
  readonly file: string;
  /** Of a workbook. */
  readonly format?: WorkbookFormat;
  readonly worksheet?: string;
  /** The names of the worksheets, if the source reads several: `row` is a number of `numberInSheets` then. */
  readonly worksheets?: readonly string[];
  /** Of a text file. */
  readonly encoding?: Encoding;
  /** Of a text file. */
  readonly delimiter?: string;
  /** The first of its header rows; for a table without headers, its first row. */
  readonly headerRow: number;
  /** `none`: the columns have letters for names. */
  readonly header?: 'none';
  /** After `rename`. */
  readonly headers: readonly string[];
  /** For a worksheet: the column letters of each header, by its position. */
  readonly letters?: readonly string[];
  /** If another row looks more like the header: what to do about it, as a sentence. */
  readonly headerHint?: string;
  /** Rows above and below the header, one of which may be the right one. */
  readonly nearby?: readonly SourceRow[];
  /** Can be iterated once. Throws FILE_UNREADABLE, with the place, if the file turns out to be broken. */
  readonly rows: AsyncIterable<SourceRow>;
  /** The same rows in batches, instead of `rows`: passing rows one by one takes longer than reading them. */
  readonly batches: AsyncIterable<readonly SourceRow[]>;
  /** Complete once all rows were read. */
  readonly notes?: () => readonly SourceNote[];
}

/** A table by its name and its headers, before its rows are read. */
export type TableHead = Pick<SourceTable, 'file' | 'worksheet' | 'headers' | 'headerRow' | 'header'>;

/** Whether all cells are empty or white space. */
export const isBlank = (cells: readonly string[]): boolean => cells.every(isEmpty);

/** White space alone counts as empty. */
export const isEmpty = (cell: string): boolean => cell === '' || cell.trim() === '';

/** Place of a table in findings; of several worksheets, the file alone. */
export const tablePlace = ({ file, worksheet }: Pick<SourceTable, 'file' | 'worksheet'>) => ({
  file,
  ...omitUndefined({ worksheet }),
});

/** Such as `data/parts.xlsx, worksheet "Parts"`. */
export const nameOfTable = ({ file, worksheet }: Pick<SourceTable, 'file' | 'worksheet'>): string =>
  worksheet === undefined ? file : `${file}, worksheet "${worksheet}"`;
