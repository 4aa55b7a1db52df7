import { setTimeout as sleep } from 'node:timers/promises';
import { omitUndefined } from '#base/omit-undefined.js';
import type { FleetEvent } from '#core/stream/fleet-event.js';
import type { RolloutSettings } from '#ledger/stored-rollout.js';
import { decideRollout, type RolloutDecision } from './decide-rollout.js';
import type { RolloutState } from './rollout-state.js';
import type { RolloutPorts } from './run-rollout.js';

/** Milliseconds between two looks at the record. */
const LOOK_EVERY = 1000;

/**
 * Reports what workers record of a rollout, until nothing else happens without a person, and returns why. Without
 * `wait` it returns at once.
 */
export async function followRollout(
  settings: RolloutSettings,
  wait: boolean,
  { read, clock, signal, emit }: Pick<RolloutPorts, 'read' | 'clock' | 'signal' | 'emit'>,
): Promise<RolloutDecision> {
  let before: RolloutState | undefined;
  for (;;) {
    const state = await read();
    if (before !== undefined) for (const event of eventsBetween(before, state)) emit(event);
    before = state;
    const decision = decideRollout(state, settings, { now: clock().getTime(), since: 0 });
    const isMoving = decision.is === 'work' || decision.is === 'check' || decision.is === 'wait';
    if (!wait || !isMoving || signal.aborted) return decision;
    await sleep(LOOK_EVERY, undefined, { signal }).catch(() => undefined);
  }
}

/** What was recorded between two readings of a record. */
function eventsBetween(before: RolloutState, after: RolloutState): FleetEvent[] {
  const known = new Map(before.targets.map((target) => [target.environment, target]));
  const targets = after.targets.flatMap(({ environment, is, at, code, message, hint, until }): FleetEvent[] => {
    const last = known.get(environment);
    if (is === 'waiting' || (last?.is === is && last.at === at)) return [];
    return [
      is === 'begun' ? { is, environment } : { is, environment, ...omitUndefined({ code, message, hint, until }) },
    ];
  });
  const checks = [...after.checks].flatMap(([wave, { is, at, message }]): FleetEvent[] =>
    is === 'retried' || before.checks.get(wave)?.at === at
      ? []
      : [{ is: 'checked', wave: wave + 1, passed: is === 'passed', ...omitUndefined({ message }) }],
  );
  return [...targets, ...checks];
}
