import type { PreparedImport } from '../prepare.js';
import type { RowSpan } from '../rows/spooled-rows.js';

/** The rows of one run in three counts: `n` among all data rows, place in the upload, row in the sheet. */
export interface RunRows extends RowSpan {
  /** Data row `place` of the upload, from 1. */
  nth(place: number): number | undefined;
  /** Place of data row `n` in the upload. */
  placeOf(n: number): number;
  /** The data row at this row of the sheet. */
  atSheetRow(row: number): number | undefined;
  sheetRowOf(n: number): number | undefined;
}

/** Counts the rows that one run was sent. Finds rows of the sheet by bisection, since they rise with `n`. */
export function countRunRows({ sourceRowOf }: Pick<PreparedImport, 'sourceRowOf'>, { first, last }: RowSpan): RunRows {
  const nIfSent = (n: number): number | undefined => (n >= first && n <= last ? n : undefined);
  return {
    first,
    last,
    nth: (place) => nIfSent(first - 1 + place),
    placeOf: (n) => n - first + 1,
    sheetRowOf: sourceRowOf,
    atSheetRow(row) {
      let [from, to] = [first, last];
      while (from < to) {
        const middle = (from + to) >> 1;
        if ((sourceRowOf(middle) ?? 0) < row) from = middle + 1;
        else to = middle;
      }
      return sourceRowOf(from) === row ? nIfSent(from) : undefined;
    },
  };
}
