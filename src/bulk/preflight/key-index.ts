/** Remembers where each key was first seen, in about 18 bytes a key however long the keys are. */
export interface KeyIndex {
  /** The row that had this key before, or undefined where it is new and now belongs to `row`. */
  firstRow(key: string, row: number): number | undefined;
  has(key: string): boolean;
}

const TABLES = 256;

/**
 * Digests of 64 bits: two of a million keys fall together once in 40 million files. They are spread over many tables,
 * which grow one at a time, so that the memory follows the keys and never doubles.
 */
export function keyIndex(): KeyIndex {
  const tables = Array.from({ length: TABLES }, digestTable);
  const digest = new Uint32Array(2);
  return {
    has(key) {
      digestInto(digest, key);
      const [low = 0, high = 0] = digest;
      return tables[high % TABLES]?.has(low, high) ?? false;
    },
    firstRow(key, row) {
      digestInto(digest, key);
      const [low = 0, high = 0] = digest;
      return tables[high % TABLES]?.firstRow(low, high, row);
    },
  };
}

const HIGHEST_LOAD = 0.8;
const GROWTH = 1.5;

/** Open addressing; row 0 is an empty slot. */
function digestTable() {
  let capacity = 8;
  let digests = new Uint32Array(2 * capacity);
  let rows = new Uint32Array(capacity);
  let count = 0;

  const slotOf = (low: number, high: number): number => {
    let slot = low % capacity;
    while (rows[slot] !== 0 && (digests[2 * slot] !== low || digests[2 * slot + 1] !== high)) {
      slot = slot + 1 === capacity ? 0 : slot + 1;
    }
    return slot;
  };
  const put = (low: number, high: number, row: number): void => {
    const slot = slotOf(low, high);
    digests[2 * slot] = low;
    digests[2 * slot + 1] = high;
    rows[slot] = row;
  };
  const grow = (): void => {
    const [oldDigests, oldRows] = [digests, rows];
    capacity = Math.ceil(capacity * GROWTH);
    digests = new Uint32Array(2 * capacity);
    rows = new Uint32Array(capacity);
    for (let slot = 0; slot < oldRows.length; slot += 1) {
      const row = oldRows[slot] ?? 0;
      if (row !== 0) put(oldDigests[2 * slot] ?? 0, oldDigests[2 * slot + 1] ?? 0, row);
    }
  };
  return {
    has: (low: number, high: number): boolean => rows[slotOf(low, high)] !== 0,
    firstRow(low: number, high: number, row: number): number | undefined {
      const known = rows[slotOf(low, high)];
      if (known) return known;
      if (count + 1 > capacity * HIGHEST_LOAD) grow();
      put(low, high, row);
      count += 1;
      return undefined;
    },
  };
}

/** Several values as one key, which no other values give. */
export const keyOf = (values: readonly string[]): string =>
  values.length === 1 ? (values[0] ?? '') : values.map((value) => `${value.length}:${value}`).join('');

/**
 * Two lanes as in MurmurHash3, each with multipliers of its own, mixed with each other at the end. Keys are nobody's
 * secret and nobody's weapon, so that a digest which nobody could find a pair for would only be slower.
 */
function digestInto(digest: Uint32Array, key: string): void {
  let low = 0x9747b28c;
  let high = 0x3c6ef372;
  for (let at = 0; at < key.length; at += 1) {
    const code = key.charCodeAt(at);
    low = Math.imul(rotated(low ^ scrambled(code, 0xcc9e2d51, 0x1b873593, 15), 13), 5) + 0xe6546b64;
    high = Math.imul(rotated(high ^ scrambled(code, 0x239b961b, 0xab0e9789, 17), 19), 5) + 0x561ccd1b;
  }
  low = finished(low ^ key.length);
  high = finished(high ^ key.length ^ low);
  digest[0] = finished(low + high);
  digest[1] = high;
}

const rotated = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

const scrambled = (code: number, first: number, second: number, bits: number): number =>
  Math.imul(rotated(Math.imul(code, first), bits), second);

function finished(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}
