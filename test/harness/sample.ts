/**
 * What generated cases are chosen by: the same ones every time, until somebody gives another seed. Chosen once, by nothing
 * but the calendar.
 */
export const SEED = Number(process.env.DEXSYNC_SEED ?? 20_261_121);

/** Whether the large matrices run whole, as `npm run faults` and its like have them; `npm test` takes a part of them. */
export const IS_WHOLE = process.env.DEXSYNC_WHOLE === 'yes';

/** A number of generated cases, or of rows: the large one for the whole, the small one for `npm test`. */
export const scaled = (large: number, small: number): number => (IS_WHOLE ? large : small);

/** Some of many generated cases: the same for one seed. */
export function sample<T>(entries: readonly T[], count: number): T[] {
  if (IS_WHOLE) return [...entries];
  let state = SEED;
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state;
  };
  return entries
    .map((entry) => [next(), entry] as const)
    .sort(([a], [b]) => a - b)
    .slice(0, count)
    .map(([, entry]) => entry);
}
