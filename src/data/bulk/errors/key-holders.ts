/** The data rows of one key. */
export interface KeyHolder {
  readonly first: number;
  readonly count: number;
}

const HIGHEST_LOAD = 0.5;

/**
 * Counts the rows of each wanted key and finds the first of them, in about 32 bytes a key: open addressing avoids an
 * object for each of a hundred thousand failed rows. Digest 0 means no key.
 */
export class KeyHolders {
  #capacity = 1024;
  #digests = new BigUint64Array(this.#capacity);
  #firsts = new Uint32Array(this.#capacity);
  #counts = new Uint32Array(this.#capacity);
  #wanted = 0;

  /** Call it for all wanted digests before the first row is counted. */
  want(digest: bigint): void {
    const slot = this.#slotOf(digest);
    if (digest === 0n || this.#digests[slot] === digest) return;
    this.#digests[slot] = digest;
    this.#wanted += 1;
    if (this.#wanted > this.#capacity * HIGHEST_LOAD) this.#grow();
  }

  count(digest: bigint, row: number): void {
    const slot = this.#slotOf(digest);
    if (digest === 0n || this.#digests[slot] !== digest) return;
    if (this.#counts[slot] === 0) this.#firsts[slot] = row;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
  }

  /** Undefined if no row has the key, or if it was not wanted. */
  of(digest: bigint): KeyHolder | undefined {
    const slot = this.#slotOf(digest);
    const count = this.#counts[slot] ?? 0;
    if (digest === 0n || this.#digests[slot] !== digest || count === 0) return undefined;
    return { first: this.#firsts[slot] ?? 0, count };
  }

  #slotOf(digest: bigint): number {
    const digests = this.#digests;
    const last = this.#capacity - 1;
    let slot = Number(digest & BigInt(last));
    while (digests[slot] !== 0n && digests[slot] !== digest) slot = (slot + 1) & last;
    return slot;
  }

  #grow(): void {
    const before = this.#digests;
    this.#capacity *= 2;
    this.#digests = new BigUint64Array(this.#capacity);
    this.#firsts = new Uint32Array(this.#capacity);
    this.#counts = new Uint32Array(this.#capacity);
    for (const digest of before) if (digest !== 0n) this.#digests[this.#slotOf(digest)] = digest;
  }
}
