import type { Holder } from './row-digests.js';

/** How many rows have each wanted key, and the first of them, in about 32 bytes a key. */
export interface Holders {
  /** To be called for all wanted digests before the first row is counted. 0 is no key. */
  want(digest: bigint): void;
  count(digest: bigint, row: number): void;
  of(digest: bigint): Holder | undefined;
}

const HIGHEST_LOAD = 0.5;

/** Open addressing, so that a hundred thousand failed rows do not become as many objects. */
export function holders(): Holders {
  let capacity = 1024;
  let digests = new BigUint64Array(capacity);
  let firsts = new Uint32Array(capacity);
  let counts = new Uint32Array(capacity);
  let wanted = 0;

  const slotOf = (digest: bigint): number => {
    let slot = Number(digest & BigInt(capacity - 1));
    while (digests[slot] !== 0n && digests[slot] !== digest) slot = (slot + 1) & (capacity - 1);
    return slot;
  };
  const grow = (): void => {
    const before = digests;
    capacity *= 2;
    digests = new BigUint64Array(capacity);
    firsts = new Uint32Array(capacity);
    counts = new Uint32Array(capacity);
    for (const digest of before) if (digest !== 0n) digests[slotOf(digest)] = digest;
  };

  return {
    want(digest) {
      const slot = slotOf(digest);
      if (digest === 0n || digests[slot] === digest) return;
      digests[slot] = digest;
      wanted += 1;
      if (wanted > capacity * HIGHEST_LOAD) grow();
    },
    count(digest, row) {
      const slot = slotOf(digest);
      if (digest === 0n || digests[slot] !== digest) return;
      if (counts[slot] === 0) firsts[slot] = row;
      counts[slot] = (counts[slot] ?? 0) + 1;
    },
    of(digest) {
      const slot = slotOf(digest);
      const count = counts[slot] ?? 0;
      return digest === 0n || digests[slot] !== digest || count === 0 ? undefined : { first: firsts[slot] ?? 0, count };
    },
  };
}
