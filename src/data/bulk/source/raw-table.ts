import type { Encoding } from '#core/jobs/source.js';
import type { CellRange } from './cell-range.js';
import type { CellFault, SourceNote, SourceRow, WorkbookFormat } from './source-table.js';
import type { Worksheet } from './workbook.js';

/** A row of a file before anything is left out, with the cells of all columns from the first. */
export interface RawRow {
  readonly row: number;
  /** The last line of a row in a text file, if its cells contain line breaks. */
  readonly end?: number;
  readonly cells: readonly string[];
  readonly faults?: readonly CellFault[];
  readonly hidden?: true;
  /** Outline level of a row in a worksheet, if it is in a group. */
  readonly outline?: number;
}

/** Selects the cells of the columns to read from all cells of a row. */
export type Projection = (raw: RawRow) => RawRow;

/** Handles a row: nothing more is read after `end`. It is given nothing once, after the last row. */
export type RowStep = (raw: RawRow | undefined, add: (row: SourceRow) => void) => 'more' | 'end';

/** Handles a row with its cells as they are in the file. */
export type TakeRow = (row: SourceRow, raw: RawRow, add: (row: SourceRow) => void) => 'more' | 'end';

/** A file as rows, in any format. Blank rows may be missing; the numbers of the other rows show it. */
export interface RawTable {
  readonly form: 'text' | 'sheet';
  readonly file: string;
  /** Of a workbook. */
  readonly format?: WorkbookFormat;
  readonly worksheet?: string;
  /** All worksheets of a workbook. */
  readonly worksheets?: readonly Worksheet[];
  readonly encoding?: Encoding;
  readonly delimiter?: string;
  /** Rows come in batches, since passing them one by one takes longer than reading them. */
  readonly batches: AsyncGenerator<readonly RawRow[]>;
  /** Known from the first batch on. Counted from 0. */
  readonly hiddenColumns: () => ReadonlySet<number>;
  /** Known for a worksheet once all batches were read. */
  readonly merged: () => readonly CellRange[];
  readonly notes: readonly SourceNote[];
}
