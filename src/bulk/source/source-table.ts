/** What a cell holds that cannot be trusted as data. Reported only where a mapping uses the column. */
export interface CellFault {
  /** Position in `cells`, from 0; of a row that is too short, where it ends. */
  readonly index: number;
  readonly code: 'cell-error' | 'formula-without-value' | 'row-short';
  /** The cell's fault as the end of the sentence "The cell ...". */
  readonly says: string;
}

export interface SourceRow {
  /** As a person sees it in the file: the sheet's row, or the line of a text file on which the record starts. */
  readonly row: number;
  /** At least as many as there are headers; those that a row lacks are empty, and a fault says so. */
  readonly cells: readonly string[];
  readonly faults?: readonly CellFault[];
}

/** A table as it stands in its file: every cell text, every non-blank row in order, none held in memory. */
export interface SourceTable {
  /** As the manifest calls it; the name used in every message. */
  readonly file: string;
  readonly worksheet?: string;
  readonly headerRow: number;
  readonly headers: readonly string[];
  /** Can be iterated once. Throws FILE_UNREADABLE, naming the place, where the file turns out broken. */
  readonly rows: AsyncIterable<SourceRow>;
}

export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/** Where a table is, as findings name it. */
export const placeOf = ({ file, worksheet }: Pick<SourceTable, 'file' | 'worksheet'>) => ({
  file,
  ...(worksheet === undefined ? {} : { worksheet }),
});

/** `data/parts.xlsx, worksheet "Parts"`. */
export const nameOfTable = ({ file, worksheet }: Pick<SourceTable, 'file' | 'worksheet'>): string =>
  worksheet === undefined ? file : `${file}, worksheet "${worksheet}"`;
