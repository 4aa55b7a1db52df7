import { growing } from './growing.js';

/** The rows of a source that data rows came from. */
export interface RowNumbers {
  add(sourceRow: number): void;
  count(): number;
  /** Of data row `n`, from 1. */
  at(n: number): number | undefined;
}

/** Most rows follow on the one before: what is kept are the beginnings of such runs, by data row and by row of the source. */
export function rowNumbers(): RowNumbers {
  const [firsts, sources] = [growing(), growing()];
  let count = 0;
  let next = 0;
  return {
    add(sourceRow) {
      count += 1;
      if (sourceRow !== next || count === 1) {
        firsts.add(count);
        sources.add(sourceRow);
      }
      next = sourceRow + 1;
    },
    count: () => count,
    at(n) {
      if (!Number.isInteger(n) || n < 1 || n > count) return undefined;
      const run = lastUpTo(firsts.values(), n);
      return (sources.values()[run] ?? 0) + n - (firsts.values()[run] ?? 0);
    },
  };
}

/** The place of the last of rising numbers that is not above `most`. */
function lastUpTo(rising: Uint32Array, most: number): number {
  let [low, high] = [0, rising.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rising[middle] ?? 0) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}
