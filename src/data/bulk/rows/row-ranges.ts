/** Some of the data rows of a file, from 1, as ranges: `2,5-9`. */
export class RowRanges {
  readonly #firsts: number[] = [];
  readonly #lasts: number[] = [];
  #count = 0;

  /** Reads what `toString` wrote. */
  static parse(text: string): RowRanges {
    const ranges = new RowRanges();
    for (const part of text.split(',')) {
      const [first = 0, last = first] = part.split('-').map(Number);
      ranges.#firsts.push(first);
      ranges.#lasts.push(last);
      ranges.#count += last - first + 1;
    }
    return ranges;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes rows in ascending order. */
  add(row: number): void {
    const last = this.#lasts.length - 1;
    if (this.#lasts[last] === row - 1) this.#lasts[last] = row;
    else {
      this.#firsts.push(row);
      this.#lasts.push(row);
    }
    this.#count += 1;
  }

  has(row: number): boolean {
    let [low, high] = [0, this.#firsts.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (row < (this.#firsts[middle] ?? 0)) high = middle - 1;
      else if (row > (this.#lasts[middle] ?? 0)) low = middle + 1;
      else return true;
    }
    return false;
  }

  toString(): string {
    return this.#firsts
      .map((first, index) => (this.#lasts[index] === first ? `${first}` : `${first}-${this.#lasts[index]}`))
      .join(',');
  }
}
