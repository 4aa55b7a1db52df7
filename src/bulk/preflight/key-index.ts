import { createHash } from 'node:crypto';

/** Remembers where each key was first seen, in about 25 bytes a key however long the keys are. */
export interface KeyIndex {
  /** The row that had this key before, or undefined where it is new and now belongs to `row`. */
  firstRow(key: string, row: number): number | undefined;
  has(key: string): boolean;
}

const HIGHEST_LOAD = 0.5;

/** Open addressing over the first 64 bits of a digest: two of a million keys fall together once in 40 million files. */
export function keyIndex(): KeyIndex {
  let capacity = 1024;
  let digests = new BigUint64Array(capacity);
  let rows = new Uint32Array(capacity);
  let count = 0;

  const slotOf = (digest: bigint): number => {
    let slot = Number(digest & BigInt(capacity - 1));
    while (rows[slot] !== 0 && digests[slot] !== digest) slot = (slot + 1) & (capacity - 1);
    return slot;
  };
  const grow = (): void => {
    const [oldDigests, oldRows] = [digests, rows];
    capacity *= 2;
    digests = new BigUint64Array(capacity);
    rows = new Uint32Array(capacity);
    for (const [index, row] of oldRows.entries()) {
      if (row !== 0) put(oldDigests[index] ?? 0n, row);
    }
  };
  const put = (digest: bigint, row: number): void => {
    const slot = slotOf(digest);
    digests[slot] = digest;
    rows[slot] = row;
  };

  const digestOf = (key: string): bigint => createHash('sha256').update(key).digest().readBigUInt64LE();

  return {
    has: (key) => rows[slotOf(digestOf(key))] !== 0,
    firstRow(key, row) {
      const digest = digestOf(key);
      const known = rows[slotOf(digest)];
      if (known) return known;
      if (count + 1 > capacity * HIGHEST_LOAD) grow();
      put(digest, row);
      count += 1;
      return undefined;
    },
  };
}
