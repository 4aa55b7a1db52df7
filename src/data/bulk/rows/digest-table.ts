/** Numbers in a slot: the two halves of a digest, and its row. */
export const SLOT = 3;
const HIGHEST_LOAD = 0.75;
const SMALLEST = 16;
const HALF = 2 ** 32;

/**
 * Maps digests of 64 bits to rows, in 12 bytes a slot: open addressing, where a row of 0 is an empty slot. Slots follow
 * the order of the digests, so that growing goes through the memory from its beginning to its end.
 */
export class DigestTable {
  #slots = new Uint32Array(SMALLEST * SLOT);
  #count = 0;
  #most = SMALLEST * HIGHEST_LOAD;

  get count(): number {
    return this.#count;
  }

  /** All slots, including the empty ones. */
  get slots(): Uint32Array {
    return this.#slots;
  }

  /** Row of a digest; 0 if there is none. */
  rowOf(low: number, high: number): number {
    return this.#slots[slotOf(this.#slots, low, high) + 2] ?? 0;
  }

  /** Row that had this digest before; 0 if it is new and now belongs to `row`. */
  firstRow(low: number, high: number, row: number): number {
    const slots = this.#slots;
    const at = slotOf(slots, low, high);
    const known = slots[at + 2] ?? 0;
    if (known !== 0) return known;
    slots[at] = low;
    slots[at + 1] = high;
    slots[at + 2] = row;
    this.#count += 1;
    if (this.#count > this.#most) this.#grow();
    return 0;
  }

  /** Removes all digests, and keeps the memory. */
  clear(): void {
    this.#slots.fill(0);
    this.#count = 0;
  }

  #grow(): void {
    const before = this.#slots;
    const slots = new Uint32Array(before.length * 2);
    for (let at = 0; at < before.length; at += SLOT) {
      const row = before[at + 2] ?? 0;
      if (row === 0) continue;
      const [low = 0, high = 0] = [before[at], before[at + 1]];
      const to = slotOf(slots, low, high);
      slots[to] = low;
      slots[to + 1] = high;
      slots[to + 2] = row;
    }
    this.#slots = slots;
    this.#most *= 2;
  }
}

/** The slot of a digest, or the empty one where it belongs. */
function slotOf(slots: Uint32Array, low: number, high: number): number {
  let at = homeSlot(slots.length / SLOT, low) * SLOT;
  while (slots[at + 2] !== 0 && (slots[at] !== low || slots[at + 1] !== high)) {
    at += SLOT;
    if (at === slots.length) at = 0;
  }
  return at;
}

/** Number of the slot where the search for a digest begins. */
export const homeSlot = (capacity: number, low: number): number => Math.floor((low / HALF) * capacity);
