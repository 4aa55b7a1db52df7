import type { Sources } from '../../../dist/emulator/serve.js';

/** Draws that one seed decides. */
export interface Random {
  /** From 0 up to but not including `count`. */
  below(count: number): number;
  chance(percent: number): boolean;
  pick<T>(of: readonly T[]): T;
}

/** Mulberry32, by Tommy Ettinger. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: (of) => {
      if (of.length === 0) throw new Error('Nothing to pick from.');
      return of[below(of.length)] as (typeof of)[number];
    },
  };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The identities that a service gives, from a seed. */
export function identitiesFrom(seed: number): Sources['chance'] {
  const random = randomFrom(seed);
  const letters = (count: number): string => Array.from({ length: count }, () => random.pick([...LETTERS])).join('');
  return {
    guid: () => letters(20),
    token: () => letters(43),
    workspaceId: () => 100_000_000 + random.below(900_000_000),
  };
}
