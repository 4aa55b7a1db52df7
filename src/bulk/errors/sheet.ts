import type { PreparedImport } from '../prepare.js';
import type { Covered } from '../rows/spooled-rows.js';

/** The rows of one run as they are counted: `n` among all data rows, its place in the upload, its row in the sheet. */
export interface Sheet extends Covered {
  /** Data row `place` of the upload, from 1. */
  nth(place: number): number | undefined;
  place(n: number): number;
  /** The data row that stands in this row of the sheet. */
  inSheet(row: number): number | undefined;
  rowOf(n: number): number | undefined;
}

export function sheetOf({ sourceRowOf }: Pick<PreparedImport, 'sourceRowOf'>, { first, last }: Covered): Sheet {
  const within = (n: number): number | undefined => (n >= first && n <= last ? n : undefined);
  return {
    first,
    last,
    nth: (place) => within(first - 1 + place),
    place: (n) => n - first + 1,
    rowOf: sourceRowOf,
    inSheet(row) {
      let [from, to] = [first, last];
      while (from < to) {
        const middle = (from + to) >> 1;
        if ((sourceRowOf(middle) ?? 0) < row) from = middle + 1;
        else to = middle;
      }
      return sourceRowOf(from) === row ? within(from) : undefined;
    },
  };
}
