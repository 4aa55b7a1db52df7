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
