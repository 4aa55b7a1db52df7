import type { Plan } from '#core/model/plan.js';
import type { StepStatus } from '#core/stream/event.js';
import type { RoundEnd } from '#core/stream/watch-event.js';
import type { Look } from './seen.js';

/** Errors that say nothing of the environment: somebody stopped the look, or works there. */
export const SILENT: ReadonlySet<string> = new Set(['INTERRUPTED', 'LOCKED']);

/**
 * What is said to people after a round of a watch; undefined if it was interrupted, or if the files changed meanwhile.
 * `ends`: the last status of each step, by address.
 */
export function lookOfRound(
  { result, error, held, drifted }: Pick<RoundEnd, 'result' | 'error' | 'held' | 'drifted'>,
  plan: Pick<Plan, 'steps'> | undefined,
  ends: ReadonlyMap<string, StepStatus['is']>,
): Look | undefined {
  if (error !== undefined) return SILENT.has(error.code) ? undefined : { failed: { code: error.code } };
  if (result === 'held' && held.length === 0) return undefined;
  const isLeft = (address: string): boolean => ends.get(address) !== 'done';
  const withoutWrites = (plan?.steps ?? []).filter(({ writes, address }) => writes.length === 0 && isLeft(address));
  const left = [...held, ...withoutWrites].map(({ address }) => address);
  return {
    waiting: [...new Set(left)],
    drifted: drifted.map(({ address }) => address),
    failed: [...ends].flatMap(([address, is]) => (is === 'failed' || is === 'unknown' ? [address] : [])),
  };
}
