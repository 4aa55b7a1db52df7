import type { Action, Step } from '#core/model/plan.js';
import { type Shape, Type } from '#core/model/schema.js';

/**
 * What became of a step. `unknown`: a write was begun, and nobody knows whether it was done. `partly`: some of its writes
 * were done and no other was begun. `skipped`: none was begun.
 */
export type StepOutcome = 'done' | UndoneOutcome;

/** How a step ended that was not done. */
export type UndoneOutcome = 'failed' | 'unknown' | 'partly' | 'skipped' | 'manual' | 'blocked';

const countSchema = Type.Integer({ minimum: 0 });

/** The shape of Counts as a journal keeps it. */
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

/** How many steps came to what; those that were done, by action. */
export interface StepCounts extends Shape<typeof countsSchema> {}

/** One step and what became of it. */
export interface CountedStep {
  readonly action: Action;
  readonly outcome: StepOutcome;
}

/** Number of steps by result. Every outcome but `done` is there, also where its count is 0. */
export function countSteps(steps: Iterable<CountedStep>): StepCounts {
  const done: Partial<Record<Action, number>> = {};
  const undone: Record<UndoneOutcome, number> = { failed: 0, unknown: 0, partly: 0, skipped: 0, manual: 0, blocked: 0 };
  for (const { action, outcome } of steps) {
    if (outcome === 'done') done[action] = (done[action] ?? 0) + 1;
    else undone[outcome] += 1;
  }
  return { done, ...undone };
}

/** What a step without writes comes to: the plan says it. */
export const plannedOutcome = ({ action }: Step): StepOutcome => (action === 'manual' ? 'manual' : 'blocked');
