import type { Range } from '#core/model/plan.js';
import type { FleetSettings } from '#project/config/fleet-schema.js';
import { spreadOverWaves } from './waves.js';

/** What applying the plan of an environment takes of the daily quota of its workspace. */
export interface QuotaNeed {
  readonly environment: string;
  readonly apply: Range;
  /** How many requests it may spend today and on each later day; null if the service does not say. */
  readonly today: number | null;
  readonly daily: number | null;
}

/** Whether it may take longer than today. */
export const isShort = ({ apply, today }: QuotaNeed): boolean => today !== null && apply.max > today;

/** On which day an environment is done that is begun on some day, counted from 1 for today; null if that is not known. */
export function lastDay(need: QuotaNeed, begin = 1): number | null {
  const { apply, today, daily } = need;
  if (!isShort(need)) return begin;
  if (daily === null || daily <= 0) return null;
  const spent = begin === 1 ? Math.max(0, today ?? 0) : daily;
  return begin + Math.ceil(Math.max(0, apply.max - spent) / daily);
}

/**
 * Estimates how many days a rollout takes by the daily quotas alone; null if that is not known. The wave after the
 * canary begins once all of the canary is done, each later one once any environment of the wave before is.
 */
export function rolloutDays(
  needs: readonly QuotaNeed[],
  settings: Pick<FleetSettings, 'canary' | 'waves'>,
): number | null {
  const environments = needs.map(({ environment }) => environment);
  const waveOf = spreadOverWaves(environments, settings);
  let [begin, last] = [1, 1];
  for (const wave of new Set(waveOf.values())) {
    const ends = needs.flatMap((need) => (waveOf.get(need.environment) === wave ? [lastDay(need, begin)] : []));
    const known = ends.filter((day) => day !== null);
    if (known.length < ends.length) return null;
    last = Math.max(last, ...known);
    begin = wave === 0 ? last : Math.min(...known);
  }
  return last;
}
