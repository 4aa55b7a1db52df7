/** A workbook has no more. */
export const LAST_COLUMN = 16_384;

/** The column of letters, from 0: `AB` is 27. */
export function columnOf(letters: string): number {
  let column = 0;
  for (let at = 0; at < letters.length; at += 1) column = column * 26 + (letters.charCodeAt(at) & 31);
  return column - 1;
}

/** The letters of a column counted from 0. */
export function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last;
}
