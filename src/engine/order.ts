import type { Address } from '../model/address.js';
import type { Step } from '../model/plan.js';
import type { Decision } from './decision.js';
import { type Edges, inOrder, neededBy } from './graph.js';

/** The decisions as steps, each after those that it needs. Needs that nothing happens to are left out. */
export function order(decisions: readonly Decision[], edges: Edges): Step[] {
  const byAddress = new Map<Address, Decision>(decisions.map((decision) => [decision.address, decision]));
  return inOrder(edges).flatMap((address) => {
    const decision = byAddress.get(address);
    if (decision === undefined) return [];
    const dependsOn = neededBy(address, edges).filter((needed) => byAddress.has(needed));
    return [{ ...decision, dependsOn }];
  });
}
