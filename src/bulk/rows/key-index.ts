import { digestInto } from './mix-hash.js';

const TABLES = 256;

/**
 * Remembers where each key was first seen, in about 18 bytes a key however long the keys are: digests of 64 bits, of which
 * two of a million keys fall together once in 40 million files. They are spread over many tables, which grow one at a time,
 * so that the memory follows the keys and never doubles.
 */
export class KeyIndex {
  readonly #tables = Array.from({ length: TABLES }, () => new DigestTable());
  readonly #digest = new Uint32Array(2);

  has(key: string): boolean {
    digestInto(this.#digest, key);
    const [low = 0, high = 0] = this.#digest;
    return this.#tables[high % TABLES]?.has(low, high) ?? false;
  }

  /** The row that had this key before, or undefined where it is new and now belongs to `row`, which is 1 at least. */
  firstRow(key: string, row: number): number | undefined {
    digestInto(this.#digest, key);
    const [low = 0, high = 0] = this.#digest;
    return this.#tables[high % TABLES]?.firstRow(low, high, row);
  }
}

/** Several values as one key, which no other values give. */
export const keyOf = (values: readonly string[]): string =>
  values.length === 1 ? (values[0] ?? '') : values.map((value) => `${value.length}:${value}`).join('');

const HIGHEST_LOAD = 0.8;
const GROWTH = 1.5;

/** Open addressing; row 0 is an empty slot. */
class DigestTable {
  #capacity = 8;
  #digests = new Uint32Array(2 * this.#capacity);
  #rows = new Uint32Array(this.#capacity);
  #count = 0;

  has(low: number, high: number): boolean {
    return this.#rows[this.#slotOf(low, high)] !== 0;
  }

  firstRow(low: number, high: number, row: number): number | undefined {
    const known = this.#rows[this.#slotOf(low, high)];
    if (known) return known;
    if (this.#count + 1 > this.#capacity * HIGHEST_LOAD) this.#grow();
    this.#put(low, high, row);
    this.#count += 1;
    return undefined;
  }

  #slotOf(low: number, high: number): number {
    const digests = this.#digests;
    const rows = this.#rows;
    const capacity = this.#capacity;
    let slot = low % capacity;
    while (rows[slot] !== 0 && (digests[2 * slot] !== low || digests[2 * slot + 1] !== high)) {
      slot = slot + 1 === capacity ? 0 : slot + 1;
    }
    return slot;
  }

  #put(low: number, high: number, row: number): void {
    const slot = this.#slotOf(low, high);
    this.#digests[2 * slot] = low;
    this.#digests[2 * slot + 1] = high;
    this.#rows[slot] = row;
  }

  #grow(): void {
    const [digests, rows] = [this.#digests, this.#rows];
    this.#capacity = Math.ceil(this.#capacity * GROWTH);
    this.#digests = new Uint32Array(2 * this.#capacity);
    this.#rows = new Uint32Array(this.#capacity);
    for (const [slot, row] of rows.entries()) {
      if (row !== 0) this.#put(digests[2 * slot] ?? 0, digests[2 * slot + 1] ?? 0, row);
    }
  }
}
