import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { type DigestTable, homeSlot, SLOT } from './digest-table.js';

const SLOT_BYTES = SLOT * Uint32Array.BYTES_PER_ELEMENT;
/** Number of slots to read at once: in a full table an empty one is seldom farther away. */
const WINDOW = 64;
/** Bits of a filter, a power of two. Of 100 digests that are not in a table of 1.5 million, one or two pass. */
const FILTER_BITS = 2 ** 24;

/** A full table in the file, and its filter in memory: 2 MB. */
interface Run {
  readonly start: number;
  readonly capacity: number;
  readonly filter: Uint32Array;
}

/** Full tables of digests in a file, one after another, each as it was in memory. */
export class KeyRuns {
  readonly #path: string;
  readonly #runs: Run[] = [];
  readonly #window = new Uint32Array(WINDOW * SLOT);
  #file: number | undefined;
  #end = 0;

  /** Creates the file with the first table; its folder must exist by then. */
  constructor(path: string) {
    this.#path = path;
  }

  get count(): number {
    return this.#runs.length;
  }

  add({ slots }: DigestTable): void {
    this.#file ??= openSync(this.#path, 'w+', 0o600);
    const bytes = new Uint8Array(slots.buffer, slots.byteOffset, slots.byteLength);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at, this.#end + at);
    this.#runs.push({ start: this.#end, capacity: slots.length / SLOT, filter: filterOf(slots) });
    this.#end += bytes.length;
  }

  /** Row of a digest; 0 if there is none. */
  rowOf(low: number, high: number): number {
    for (const run of this.#runs) {
      const row = mayHold(run.filter, low, high) ? this.#rowIn(run, low, high) : 0;
      if (row !== 0) return row;
    }
    return 0;
  }

  /** Removes the file. */
  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
    this.#file = undefined;
    this.#runs.length = 0;
  }

  #rowIn({ start, capacity }: Run, low: number, high: number): number {
    for (let slot = homeSlot(capacity, low); ; ) {
      const count = Math.min(WINDOW, capacity - slot);
      const slots = this.#slotsAt(start + slot * SLOT_BYTES, count);
      for (let at = 0; at < slots.length; at += SLOT) {
        const row = slots[at + 2] ?? 0;
        if (row === 0 || (slots[at] === low && slots[at + 1] === high)) return row;
      }
      slot = (slot + count) % capacity;
    }
  }

  #slotsAt(position: number, count: number): Uint32Array {
    const length = count * SLOT_BYTES;
    const read = readSync(this.#file ?? -1, this.#window, 0, length, position);
    if (read < length) throw new Error(`${this.#path} became shorter while it was used.`);
    return this.#window.subarray(0, count * SLOT);
  }
}

function filterOf(slots: Uint32Array): Uint32Array {
  const filter = new Uint32Array(FILTER_BITS / 32);
  for (let at = 0; at < slots.length; at += SLOT) {
    if (slots[at + 2] === 0) continue;
    const [low = 0, high = 0] = [slots[at], slots[at + 1]];
    for (const bits of [low, high, mixed(low, high)]) filter[wordOf(bits)] = (filter[wordOf(bits)] ?? 0) | (1 << bits);
  }
  return filter;
}

const mayHold = (filter: Uint32Array, low: number, high: number): boolean =>
  isSet(filter, low) && isSet(filter, high) && isSet(filter, mixed(low, high));

const isSet = (filter: Uint32Array, bits: number): boolean => ((filter[wordOf(bits)] ?? 0) & (1 << bits)) !== 0;

/** Word of a bit, by the lower bits of a number; the lowest five count within the word. */
const wordOf = (bits: number): number => (bits >>> 5) % (FILTER_BITS / 32);

const mixed = (low: number, high: number): number => Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
