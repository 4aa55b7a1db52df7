import { type TestAPI, test } from 'vitest';

/** Chooses the same entries again: DEXSYNC_SEED repeats a sample. */
export const SEED = Number(process.env.DEXSYNC_SEED ?? Date.now() % 100_000);

/** Some entries of a large matrix, by chance; `all` for the whole. Prints how to repeat the choice. */
export function sample<T>(what: string, entries: readonly T[], wanted: string): T[] {
  console.info(`${what}: ${wanted} of ${entries.length}, DEXSYNC_SEED=${SEED}`);
  if (wanted === 'all') return [...entries];
  let state = SEED;
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state;
  };
  return entries
    .map((entry) => [next(), entry] as const)
    .sort(([a], [b]) => a - b)
    .slice(0, Number(wanted))
    .map(([, entry]) => entry);
}

/**
 * A `test` that leaves about half of its cases out, by chance: the long scenarios of one file, where `npm test` has to stay
 * short. DEXSYNC_SCENARIOS=all runs them whole (`npm run scenarios`). Cases of a table are never left out.
 */
export function sampledTest(what: string): TestAPI {
  const all = process.env.DEXSYNC_SCENARIOS === 'all';
  if (!all) console.info(`${what}: about half of the scenarios, DEXSYNC_SEED=${SEED}`);
  const picks = (name: string): boolean => all || digestOf(`${SEED} ${name}`) % 2 === 0;
  return new Proxy(test, {
    apply: (_, __, [name, ...rest]: [string, ...never[]]) => (picks(name) ? test : test.skip)(name, ...rest),
  });
}

function digestOf(text: string): number {
  let digest = 7;
  for (const character of text) digest = (Math.imul(digest, 31) + character.charCodeAt(0)) >>> 0;
  return (Math.imul(digest ^ (digest >>> 15), 0x85ebca6b) >>> 13) & 0xffff;
}
