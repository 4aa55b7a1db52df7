import { DigestTable } from './digest-table.js';
import { digestInto } from './key-digest.js';
import type { KeyRuns } from './key-runs.js';

/** Number of keys that fill a table of 25 MB. */
const MOST_HELD = 1.5 * 2 ** 20;

/**
 * Remembers where each key was first seen, in 16 to 32 bytes for a key of any length: digests of 64 bits, of which two
 * of a million keys collide once in 40 million files.
 */
export class KeyIndex {
  readonly #table = new DigestTable();
  readonly #digest = new Uint32Array(2);
  readonly #runs: KeyRuns | undefined;
  readonly #mostHeld: number;

  /** `runs`: storage of the keys that exceed `mostHeld`; without it all stay in memory. */
  constructor(runs?: KeyRuns, mostHeld = MOST_HELD) {
    this.#runs = runs;
    this.#mostHeld = mostHeld;
  }

  has(key: string): boolean {
    digestInto(this.#digest, key);
    const [low = 0, high = 0] = this.#digest;
    return this.#table.rowOf(low, high) !== 0 || (this.#runs?.rowOf(low, high) ?? 0) !== 0;
  }

  /** The row that had this key before, or undefined if it is new and now belongs to `row`, which is at least 1. */
  firstRow(key: string, row: number): number | undefined {
    digestInto(this.#digest, key);
    const [low = 0, high = 0] = this.#digest;
    const earlier = this.#runs === undefined || this.#runs.count === 0 ? 0 : this.#earlierRow(this.#runs, low, high);
    const first = earlier || this.#table.firstRow(low, high, row);
    if (this.#runs !== undefined && this.#table.count >= this.#mostHeld) {
      this.#runs.add(this.#table);
      this.#table.clear();
    }
    return first || undefined;
  }

  #earlierRow(runs: KeyRuns, low: number, high: number): number {
    return this.#table.rowOf(low, high) || runs.rowOf(low, high);
  }
}

/** Joins several values to one key, which no other values give. */
export const joinKey = (values: readonly string[]): string =>
  values.length === 1 ? (values[0] ?? '') : values.map((value) => `${value.length}:${value}`).join('');
