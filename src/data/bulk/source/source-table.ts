import type { Encoding } from '#core/jobs/source.js';

/** What a cell holds that cannot be trusted as data. Reported only where a mapping uses the column. */
export interface CellFault {
  /** Position in `cells`, from 0; of a row that is too short, where it ends. */
  readonly index: number;
  readonly code: 'cell-error' | 'formula-without-value' | 'row-short' | 'parent-unknown';
  /** The cell's fault as the end of the sentence "The cell ...". */
  readonly says: string;
}

/** A row of a table, its cells in the order of the headers. */
export interface SourceRow {
  /** As a person sees it in the file: the sheet's row, or the line of a text file on which the record starts. */
  readonly row: number;
  /** At least as many as there are headers; those that a row lacks are empty, and a fault says so. */
  readonly cells: readonly string[];
  readonly faults?: readonly CellFault[];
}

/** What was decided without being told. `warning`: the file may mean something else; the option that says so ends it. */
export interface SourceNote {
  readonly severity: 'info' | 'warning';
  /** Stable and kebab-case. */
  readonly code: 'delimiter-detected' | 'encoding-guessed' | 'hidden-read' | 'merged-cells';
  readonly message: string;
  readonly hint?: string;
}

/** A table as it stands in its file: every cell text, every row that is asked for in order, none held in memory. */
export interface SourceTable {
  /** As the manifest calls it, or the file that a name with * stands for; the name used in every message. */
  readonly file: string;
  readonly worksheet?: string;
  /** Of a text file. */
  readonly encoding?: Encoding;
  /** Of a text file. */
  readonly delimiter?: string;
  /** The first of its header rows; of a table without headers, its first row. */
  readonly headerRow: number;
  /** `none`: the columns have letters for names. */
  readonly header?: 'none';
  /** As `rename` leaves them. */
  readonly headers: readonly string[];
  /** Of a worksheet: the letters of the column that a header stands in, by its position. */
  readonly letters?: readonly string[];
  /** Where another row looks more like the header: what to do about it, as a sentence. */
  readonly headerHint?: string;
  /** Can be iterated once. Throws FILE_UNREADABLE, naming the place, where the file turns out broken. */
  readonly rows: AsyncIterable<SourceRow>;
  /** The same rows as they are read, in place of `rows`: handing over each for itself takes longer than reading it. */
  readonly batches: AsyncIterable<readonly SourceRow[]>;
  /** Complete once all rows were read. */
  readonly notes?: () => readonly SourceNote[];
}

/** Whether no cell holds anything but white space. */
export const isBlank = (cells: readonly string[]): boolean => cells.every(isEmpty);

/** White space alone counts as empty. */
export const isEmpty = (cell: string): boolean => cell === '' || cell.trim() === '';

/** Where a table is, as findings name it. */
export const placeOf = ({ file, worksheet }: Pick<SourceTable, 'file' | 'worksheet'>) => ({
  file,
  ...(worksheet === undefined ? {} : { worksheet }),
});

/** `data/parts.xlsx, worksheet "Parts"`. */
export const nameOfTable = ({ file, worksheet }: Pick<SourceTable, 'file' | 'worksheet'>): string =>
  worksheet === undefined ? file : `${file}, worksheet "${worksheet}"`;
