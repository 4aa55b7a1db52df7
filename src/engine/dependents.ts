import type { Address } from '../model/address.js';
import type { Step } from '../model/plan.js';

/** Steps that wait for something that will not happen are blocked too, so that the plan tells all that it will not do. */
export function blockDependents(steps: readonly Step[]): Step[] {
  const stopped = new Set<Address>();
  return steps.map((step) => {
    const cause = step.dependsOn.find((needed) => stopped.has(needed));
    const still = step.action === 'blocked' || step.action === 'manual';
    if (still || cause !== undefined) stopped.add(step.address);
    return cause === undefined || still ? step : waiting(step, cause);
  });
}

const waiting = ({ fact: _, ...step }: Step, cause: Address): Step => ({
  ...step,
  action: 'blocked',
  reason: 'dependency-blocked',
  wanted: step.action,
  message: `It needs ${cause}, which is not done by this plan.`,
  writes: [],
});
