import type { Encoding } from '#core/jobs/source.js';
import type { CellRange } from './cell-range.js';
import type { CellFault, SourceNote } from './source-table.js';
import type { Worksheet } from './workbook.js';

/** A row of a file before anything is left out of it, with the cells of all columns from the first. */
export interface RawRow {
  readonly row: number;
  /** The last line of a row of a text file whose cells hold line breaks. */
  readonly end?: number;
  readonly cells: readonly string[];
  readonly faults?: readonly CellFault[];
  readonly hidden?: true;
  /** The outline level of a row of a worksheet, where it is in a group. */
  readonly outline?: number;
}

/** The cells of the columns that are read, from all cells of a row. */
export type Projection = (raw: RawRow) => RawRow;

/** A file as rows, whatever it is made of. Blank rows may be missing; the numbers of the others tell. */
export interface RawTable {
  readonly form: 'text' | 'sheet';
  readonly file: string;
  readonly worksheet?: string;
  /** All those of a workbook. */
  readonly worksheets?: readonly Worksheet[];
  readonly encoding?: Encoding;
  readonly delimiter?: string;
  /** Rows come in batches, since handing over each for itself takes longer than reading it. */
  readonly batches: AsyncGenerator<readonly RawRow[]>;
  /** Known from the first batch on. From 0. */
  readonly hiddenColumns: () => ReadonlySet<number>;
  /** Of a worksheet, once all batches were read. */
  readonly merged: () => readonly CellRange[];
  readonly notes: readonly SourceNote[];
}
