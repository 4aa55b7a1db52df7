/** A part of a sheet. Rows from 1, columns from 0, ends included. */
export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Maximum number of columns in a worksheet. */
export const LAST_COLUMN = 16_384;

/** The last row that a worksheet can have, from 1. */
export const LAST_ROW = 1_048_576;

/** Parses `B5:H200`, `B5:H` or `B:H`; undefined for another form, or for a range that ends before it begins. */
export function parseRange(text: string): CellRange | undefined {
  const [, left, top = '1', right, bottom] = /^([A-Z]{1,3})(\d+)?:([A-Z]{1,3})(\d+)?$/i.exec(text) ?? [];
  if (left === undefined || right === undefined) return undefined;
  const range = {
    left: columnIndex(left),
    top: Number(top),
    right: columnIndex(right),
    bottom: bottom === undefined ? Number.POSITIVE_INFINITY : Number(bottom),
  };
  return range.left <= range.right && range.top <= range.bottom ? range : undefined;
}

/** Index of a column by its letters, from 0: `AB` is 27. */
export function columnIndex(letters: string): number {
  let column = 0;
  for (let at = 0; at < letters.length; at += 1) column = column * 26 + (letters.charCodeAt(at) & 31);
  return column - 1;
}

/** The letters of a column counted from 0. */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last;
}
