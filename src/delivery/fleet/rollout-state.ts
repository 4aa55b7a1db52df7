import { omitUndefined } from '#base/omit-undefined.js';
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
export const rolloutState = (rollout: Rollout, notes: readonly RolloutNote[]): RolloutState =>
  foldRollout(rollout, notes).state();

/** The state of a rollout while notes are added to it: each costs the same, however many there are. */
export interface RolloutFold {
  add(note: RolloutNote): void;
  state(): RolloutState;
}

export function foldRollout({ targets }: Rollout, notes: readonly RolloutNote[]): RolloutFold {
  const byName = new Map<string, TargetState>();
  for (const target of targets) byName.set(target.environment, { ...target, is: 'waiting', tries: 0 });
  const [checks, approvals] = [new Map<number, RolloutNote>(), new Map<number, RolloutNote>()];
  let general: General = { isOpen: false };
  const add = (note: RolloutNote): void => {
    const { is, environment, wave, group } = note;
    const target = byName.get(environment ?? '');
    if (target !== undefined) byName.set(target.environment, afterNote(target, note));
    if (wave !== undefined && CHECKED.has(is)) checks.set(wave, note);
    if (wave !== undefined && SAID.has(is)) approvals.set(wave, note);
    if ((environment ?? wave ?? group) === undefined) general = afterGeneral(general, note);
  };
  for (const note of notes) add(note);
  return {
    add,
    state: () => ({
      ...general,
      targets: [...byName.values()],
      checks: new Map(checks),
      approvals: new Map(approvals),
    }),
  };
}

type General = Pick<RolloutState, 'isOpen' | 'paused' | 'stopped'>;

function afterGeneral({ paused, ...state }: General, note: RolloutNote): General {
  if (note.is === 'paused') return { ...state, paused: note };
  if (note.is === 'resumed') return state;
  const isOpen = state.isOpen || note.is === 'opened';
  const stopped = state.stopped ?? (note.is === 'stopped' ? note : undefined);
  return { isOpen, ...omitUndefined({ paused, stopped }) };
}

/** The verdicts about the check of a wave, and the words of people about it. */
const CHECKED: ReadonlySet<RolloutNote['is']> = new Set(['passed', 'refused', 'retried']);
const SAID: ReadonlySet<RolloutNote['is']> = new Set(['approved', 'rejected']);

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
