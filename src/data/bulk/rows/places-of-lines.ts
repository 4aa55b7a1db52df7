import type { ReadRows } from '../read-rows.js';
import { RowRanges } from './row-ranges.js';

/**
 * Places of lines among all data rows of their file. An added-up line has the places of all its rows: preparing these
 * alone gives the same lines. Only for whole files, whose rows are lines or were added to one.
 */
export function placesOfLines(
  lines: RowRanges,
  { rows, sourceRowOf, repeats }: Pick<ReadRows, 'rows' | 'sourceRowOf' | 'repeats'>,
): RowRanges {
  if (repeats === undefined) return lines;
  const places: number[] = [];
  for (let n = 1; n <= rows; n += 1) {
    if (!lines.has(n)) continue;
    places.push(n + repeats.countUpTo(sourceRowOf(n) ?? 0));
    for (const row of repeats.rowsOf(n)) places.push(linesUpTo(row, rows, sourceRowOf) + repeats.countUpTo(row));
  }
  const found = new RowRanges();
  for (const place of places.sort((a, b) => a - b)) found.add(place);
  return found;
}

/** Number of lines that begin at a row of the source or before it; lines are in the order of their first rows. */
function linesUpTo(row: number, rows: number, sourceRowOf: ReadRows['sourceRowOf']): number {
  let [low, high] = [0, rows];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sourceRowOf(middle) ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
