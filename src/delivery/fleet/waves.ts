import { matchesPattern } from '#core/engine/wildcard.js';
import type { FleetSettings } from '#project/config/fleet-schema.js';

/** A number, or a percentage such as `10%`. */
export type Share = number | string;

/** How many of `all` a share is: percentages are rounded down, but are at least `least`. */
export function countOf(share: Share, all: number, least: number): number {
  if (typeof share === 'number') return share;
  return Math.max(least, Math.floor((Number(share.slice(0, -1)) * all) / 100));
}

/** Whether names and patterns with commas mean an environment. */
export const isCanary = (name: string, canary: string): boolean =>
  canary.split(',').some((pattern) => matchesPattern(pattern.trim(), name));

/**
 * Spreads environments over waves, in their order: the canary first, then waves of the given sizes, and all that are
 * left last. Without settings, or if nothing changes in the canary, the first environment takes its place.
 */
export function spreadOverWaves(
  environments: readonly string[],
  { canary, waves = [] }: Pick<FleetSettings, 'canary' | 'waves'>,
): ReadonlyMap<string, number> {
  const named = environments.filter((name) => canary !== undefined && isCanary(name, canary));
  const others = environments.filter((name) => !named.includes(name));
  const sizes = named.length > 0 || (canary === undefined && waves.length > 0) ? waves : [1, ...waves];
  const sets = [named];
  let begin = 0;
  for (const size of sizes) {
    const end = begin + countOf(size, environments.length, 1);
    sets.push(others.slice(begin, end));
    begin = end;
  }
  sets.push(others.slice(begin));
  const filled = sets.filter((set) => set.length > 0);
  return new Map(filled.flatMap((set, wave) => set.map((name): [string, number] => [name, wave])));
}
