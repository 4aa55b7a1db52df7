import { isObject } from '../model/json.js';
import type { Action, Step } from '../model/plan.js';

/**
 * What became of a step. `unknown`: a write was begun, and nobody knows whether it was done. `partly`: some of its writes
 * were done and no other was begun. `skipped`: none was begun.
 */
export type StepOutcome = 'done' | Undone;

type Undone = (typeof UNDONE)[number];

const UNDONE = ['failed', 'unknown', 'partly', 'skipped', 'manual', 'blocked'] as const;

/** How many steps came to what; those that were done, by action. */
export interface Counts extends Readonly<Record<Undone, number>> {
  readonly done: Readonly<Partial<Record<Action, number>>>;
}

/** One step and what became of it. */
export interface Counted {
  readonly action: Action;
  readonly outcome: StepOutcome;
}

export function countSteps(steps: Iterable<Counted>): Counts {
  const done: Partial<Record<Action, number>> = {};
  const undone: Record<Undone, number> = { failed: 0, unknown: 0, partly: 0, skipped: 0, manual: 0, blocked: 0 };
  for (const { action, outcome } of steps) {
    if (outcome === 'done') done[action] = (done[action] ?? 0) + 1;
    else undone[outcome] += 1;
  }
  return { done, ...undone };
}

/** What a step without writes comes to is the plan's word. */
export const plannedOutcome = ({ action }: Step): StepOutcome => (action === 'manual' ? 'manual' : 'blocked');

/** Whether a record that anybody may have edited holds counts. */
export const isCounts = (value: unknown): value is Counts =>
  isObject(value) &&
  isObject(value.done) &&
  [...Object.values(value.done), ...UNDONE.map((one) => value[one])].every((count) => typeof count === 'number');
