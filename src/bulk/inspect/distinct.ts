const REGISTERS = 2048;
const EXACT = 2000;

/** How many different texts there are, in a fixed amount of memory. */
export interface DistinctCounter {
  add(text: string): void;
  /** Exact up to 2,000, about 2 % off beyond. */
  count(): number;
  /** `repeated`: some text came twice among the first 2,000 different ones. */
  seen(): 'repeated' | 'all different';
}

/** Exact for few texts, and by HyperLogLog for many: the register of a hash holds its longest run of zeros. */
export function distinctCounter(): DistinctCounter {
  const exact = new Set<string>();
  const registers = new Uint8Array(REGISTERS);
  let repeated = false;
  return {
    add(text) {
      if (exact.has(text)) {
        repeated = true;
        return;
      }
      if (exact.size < EXACT) exact.add(text);
      const hash = hashOf(text);
      const at = hash & (REGISTERS - 1);
      const run = Math.clz32((hash >>> 11) | 1) - 10;
      if (run > (registers[at] ?? 0)) registers[at] = run;
    },
    count: () => (exact.size < EXACT ? exact.size : Math.max(EXACT, estimate(registers))),
    seen: () => (repeated ? 'repeated' : 'all different'),
  };
}

function estimate(registers: Uint8Array): number {
  const sum = registers.reduce((total, run) => total + 2 ** -run, 0);
  const raw = ((0.7213 / (1 + 1.079 / REGISTERS)) * REGISTERS * REGISTERS) / sum;
  const empty = registers.filter((run) => run === 0).length;
  return Math.round(raw <= 2.5 * REGISTERS && empty > 0 ? REGISTERS * Math.log(REGISTERS / empty) : raw);
}

/** FNV-1a with the final mixing of MurmurHash3, so that texts that differ little spread evenly. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
