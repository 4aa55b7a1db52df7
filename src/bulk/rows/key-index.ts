import { DigestTable } from './digest-table.js';
import { digestInto } from './mix-hash.js';

/**
 * Remembers where each key was first seen, in some 20 bytes a key however long the keys are: digests of 64 bits, of which two
 * of a million keys fall together once in 40 million files.
 */
export class KeyIndex {
  readonly #table = new DigestTable();
  readonly #digest = new Uint32Array(2);

  has(key: string): boolean {
    digestInto(this.#digest, key);
    const [low = 0, high = 0] = this.#digest;
    return this.#table.rowOf(low, high) !== 0;
  }

  /** The row that had this key before, or undefined where it is new and now belongs to `row`, which is 1 at least. */
  firstRow(key: string, row: number): number | undefined {
    digestInto(this.#digest, key);
    const [low = 0, high = 0] = this.#digest;
    return this.#table.firstRow(low, high, row) || undefined;
  }
}

/** Several values as one key, which no other values give. */
export const keyOf = (values: readonly string[]): string =>
  values.length === 1 ? (values[0] ?? '') : values.map((value) => `${value.length}:${value}`).join('');
