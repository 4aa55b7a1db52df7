import { NumberList } from './number-list.js';

/**
 * Maps data rows to the rows of the source that they came from. Most rows follow the one before: only the beginnings of
 * such sequences are kept, by data row and by row of the source.
 */
export class RowNumbers {
  readonly #firsts = new NumberList();
  readonly #sources = new NumberList();
  #count = 0;
  #next = 0;

  get count(): number {
    return this.#count;
  }

  add(sourceRow: number): void {
    this.#count += 1;
    if (sourceRow !== this.#next || this.#count === 1) {
      this.#firsts.add(this.#count);
      this.#sources.add(sourceRow);
    }
    this.#next = sourceRow + 1;
  }

  /** Row of data row `n`, from 1; undefined if there is no such row. */
  at(n: number): number | undefined {
    if (!Number.isInteger(n) || n < 1 || n > this.#count) return undefined;
    const firsts = this.#firsts.values();
    const run = lastUpTo(firsts, n);
    return (this.#sources.values()[run] ?? 0) + n - (firsts[run] ?? 0);
  }
}

/** Index of the last of rising numbers that is not above `most`. */
function lastUpTo(rising: Uint32Array, most: number): number {
  let [low, high] = [0, rising.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rising[middle] ?? 0) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}
