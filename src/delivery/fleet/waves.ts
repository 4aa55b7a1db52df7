import { matchesPattern } from '#core/engine/wildcard.js';
import type { FleetSettings } from '#project/config/fleet-schema.js';

/** A number, or a percentage such as `10%`. */
export type Share = number | string;

/** How many of `all` a share is: percentages are rounded down, but are at least `least`. */
export function countOf(share: Share, all: number, least: number): number {
  if (typeof share === 'number') return share;
  return Math.max(least, Math.floor((Number(share.slice(0, -1)) * all) / 100));
}

/**
 * Spreads environments over waves, in their order: the canary first, then waves of the given sizes, and all that are
 * left last. Without settings the first environment is the canary.
 */
export function spreadOverWaves(
  environments: readonly string[],
  { canary, waves = canary === undefined ? [1] : [] }: Pick<FleetSettings, 'canary' | 'waves'>,
): ReadonlyMap<string, number> {
  const patterns = canary?.split(',').map((one) => one.trim()) ?? [];
  const isCanary = (name: string): boolean => patterns.some((pattern) => matchesPattern(pattern, name));
  const others = environments.filter((name) => !isCanary(name));
  const sets = [environments.filter(isCanary)];
  let begin = 0;
  for (const size of waves) {
    const end = begin + countOf(size, environments.length, 1);
    sets.push(others.slice(begin, end));
    begin = end;
  }
  sets.push(others.slice(begin));
  const filled = sets.filter((set) => set.length > 0);
  return new Map(filled.flatMap((set, wave) => set.map((name): [string, number] => [name, wave])));
}
