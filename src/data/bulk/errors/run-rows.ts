import type { PreparedImport } from '../prepare.js';
import type { RowSpan } from '../rows/spooled-rows.js';

/** The rows of one run as they are counted: `n` among all data rows, its place in the upload, its row in the sheet. */
export interface RunRows extends RowSpan {
  /** Data row `place` of the upload, from 1. */
  nth(place: number): number | undefined;
  /** Of data row `n`, the place in the upload. */
  placeOf(n: number): number;
  /** The data row that stands in this row of the sheet. */
  atSheetRow(row: number): number | undefined;
  sheetRowOf(n: number): number | undefined;
}

/** The rows that one run was sent. Rows of the sheet are found by bisection, since they rise with `n`. */
export function runRowsOf({ sourceRowOf }: Pick<PreparedImport, 'sourceRowOf'>, { first, last }: RowSpan): RunRows {
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
