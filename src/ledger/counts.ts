import type { Step } from '#core/model/plan.js';
import { type Shape, Type } from '#core/model/schema.js';
import type { Action } from '#core/model/step-schema.js';

/**
 * The outcome of a step. `unknown`: a write was begun, and nobody knows whether it was done. `partly`: some of its
 * writes were done and no other was begun. `skipped`: none was begun.
 */
export type StepOutcome = 'done' | UndoneOutcome;

/** The outcome of a step that was not done. */
export type UndoneOutcome = 'failed' | 'unknown' | 'partly' | 'skipped' | 'manual' | 'blocked';

const countSchema = Type.Integer({ minimum: 0 });

/** The shape of StepCounts in a journal. */
export const countsSchema = Type.Object(
  {
    done: Type.Unsafe<Partial<Record<Action, number>>>(
      { type: 'object', additionalProperties: countSchema },
      { description: 'Completed steps, by action.' },
    ),
    failed: countSchema,
    unknown: countSchema,
    partly: countSchema,
    skipped: countSchema,
    manual: countSchema,
    blocked: countSchema,
  },
  { description: 'Number of steps by result.' },
);

/** Number of steps by outcome; those that were done, by action. */
export interface StepCounts extends Shape<typeof countsSchema> {}

/** The action and outcome of one step. */
export interface CountedStep {
  readonly action: Action;
  readonly outcome: StepOutcome;
}

/** Counts steps by outcome. Every outcome but `done` is present even if its count is 0. */
export function countSteps(steps: Iterable<CountedStep>): StepCounts {
  const done: Partial<Record<Action, number>> = {};
  const undone: Record<UndoneOutcome, number> = { failed: 0, unknown: 0, partly: 0, skipped: 0, manual: 0, blocked: 0 };
  for (const { action, outcome } of steps) {
    if (outcome === 'done') done[action] = (done[action] ?? 0) + 1;
    else undone[outcome] += 1;
  }
  return { done, ...undone };
}

/** The outcome of a step without writes, which follows from the plan. */
export const plannedOutcome = ({ action }: Step): StepOutcome => (action === 'manual' ? 'manual' : 'blocked');
