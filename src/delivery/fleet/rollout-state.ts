import { omitUndefined } from '#base/omit-undefined.js';
import { groupBy } from '#core/model/group-by.js';
import { TARGET_RESULTS, type TargetReason, type TargetResult } from '#core/stream/fleet-event.js';
import type { Rollout, RolloutNote, RolloutTarget } from '#ledger/stored-rollout.js';

/** What is known of an environment of a rollout. `begun`: it was begun, and nothing says how it ended. */
export interface TargetState extends RolloutTarget, TargetReason {
  readonly is: 'waiting' | 'begun' | TargetResult;
  /** When that was, ISO 8601 in UTC; undefined while it waits. */
  readonly at?: string;
  /** How often it was begun. */
  readonly tries: number;
}

/** What became of a rollout so far. */
export interface RolloutState {
  readonly isOpen: boolean;
  readonly paused?: RolloutNote;
  readonly stopped?: RolloutNote;
  readonly targets: readonly TargetState[];
  /** The last verdict of the check of each wave; `retried`: it is to be checked again. */
  readonly checks: ReadonlyMap<number, RolloutNote>;
  /** The last word of a person about each wave. */
  readonly approvals: ReadonlyMap<number, RolloutNote>;
}

/** Folds what happened to a rollout into its state. */
export function rolloutState({ targets }: Rollout, notes: readonly RolloutNote[]): RolloutState {
  const byTarget = groupBy(notes, ({ environment }) => environment);
  const general = notes.filter(({ environment, wave, group }) => (environment ?? wave ?? group) === undefined);
  const paused = general.findLast(({ is }) => is === 'paused' || is === 'resumed');
  const stopped = general.find(({ is }) => is === 'stopped');
  return {
    isOpen: general.some(({ is }) => is === 'opened'),
    ...(paused?.is === 'paused' ? { paused } : {}),
    ...omitUndefined({ stopped }),
    targets: targets.map((target) =>
      (byTarget.get(target.environment) ?? []).reduce<TargetState>(afterNote, { ...target, is: 'waiting', tries: 0 }),
    ),
    checks: lastOfWaves(notes, ['passed', 'refused', 'retried']),
    approvals: lastOfWaves(notes, ['approved', 'rejected']),
  };
}

function lastOfWaves(notes: readonly RolloutNote[], verdicts: readonly RolloutNote['is'][]): Map<number, RolloutNote> {
  const found = notes.flatMap((note): [number, RolloutNote][] =>
    note.wave !== undefined && verdicts.includes(note.is) ? [[note.wave, note]] : [],
  );
  return new Map(found);
}

function afterNote(target: TargetState, { is, at, code, message, hint, until }: RolloutNote): TargetState {
  const { environment, wave, group, plan, workspace, tries } = target;
  const facts = { environment, wave, group, plan, workspace };
  if (is === 'begun') return { ...facts, is, at, tries: tries + 1 };
  if (is === 'retried') return { ...facts, is: 'waiting', tries };
  const result = TARGET_RESULTS.find((one) => one === is);
  return result === undefined
    ? target
    : { ...facts, is: result, at, tries, ...omitUndefined({ code, message, hint, until }) };
}
