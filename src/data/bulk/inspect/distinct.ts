import { mixBits } from '../rows/key-digest.js';

const REGISTERS = 2048;
const EXACT = 2000;

/**
 * Counts different texts in a fixed amount of memory: exactly for few, and by HyperLogLog for many, where the register
 * of a hash has its longest run of zeros.
 */
export class DistinctCounter {
  readonly #exact = new Set<string>();
  /** Undefined as long as texts are counted exactly. */
  #registers: Uint8Array | undefined;
  #repetition: 'repeated' | 'all different' = 'all different';

  /** `repeated`: one of the first 2,000 different texts came again. */
  get repetition(): 'repeated' | 'all different' {
    return this.#repetition;
  }

  add(text: string): void {
    if (this.#exact.has(text)) {
      this.#repetition = 'repeated';
      return;
    }
    if (this.#exact.size < EXACT) {
      this.#exact.add(text);
      return;
    }
    this.#registers ??= registersOf(this.#exact);
    register(this.#registers, text);
  }

  /** Exact up to 2,000, about 2 % off beyond. */
  count(): number {
    return this.#registers === undefined ? this.#exact.size : Math.max(EXACT, estimateOf(this.#registers));
  }
}

function registersOf(texts: Iterable<string>): Uint8Array {
  const registers = new Uint8Array(REGISTERS);
  for (const text of texts) register(registers, text);
  return registers;
}

function register(registers: Uint8Array, text: string): void {
  const hash = hashOf(text);
  const at = hash & (REGISTERS - 1);
  const run = Math.clz32((hash >>> 11) | 1) - 10;
  if (run > (registers[at] ?? 0)) registers[at] = run;
}

function estimateOf(registers: Uint8Array): number {
  const sum = registers.reduce((total, run) => total + 2 ** -run, 0);
  const raw = ((0.7213 / (1 + 1.079 / REGISTERS)) * REGISTERS * REGISTERS) / sum;
  const empty = registers.filter((run) => run === 0).length;
  return Math.round(raw <= 2.5 * REGISTERS && empty > 0 ? REGISTERS * Math.log(REGISTERS / empty) : raw);
}

/** FNV-1a with the final mixing of MurmurHash3, so that similar texts spread evenly. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixBits(hash);
}
