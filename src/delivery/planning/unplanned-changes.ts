import { learnedFacts } from '#core/engine/learned-facts.js';
import type { PlanInput } from '#core/engine/plan.js';
import { type UnnamedDrift, unnamedDrift } from '#core/engine/unnamed-drift.js';
import type { Address } from '#core/model/address.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Plan } from '#core/model/plan.js';

/** Returns facts about objects that a plan does not touch, for the ledger to record with its next write. */
export function unplannedFacts(input: PlanInput, { steps }: Plan): readonly (readonly [Address, ObjectFact])[] {
  const others = new Set([...steps.map(({ address }) => address), ...(input.acknowledged?.keys() ?? [])]);
  return learnedFacts({ ...input, others });
}

/** Returns the drift of fields that a plan leaves alone. */
export const unplannedDrift = (input: PlanInput): UnnamedDrift[] =>
  unnamedDrift({ ...input, stack: input.deciding.stack, described: input.prune.described });
