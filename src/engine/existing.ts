import { splitAddress } from '../model/address.js';
import type { Step } from '../model/plan.js';
import type { Bound } from './bind.js';
import type { Facts } from './find-live.js';

interface Known {
  readonly stack: string;
  readonly bound: readonly Bound[];
  readonly facts: Facts;
}

/**
 * How many objects of each kind this stack has to do with: those that it owns, and those of the workspace that its
 * manifests describe and that it does not own yet. What turned out to be gone is not counted.
 */
export function existing(steps: readonly Step[], { stack, bound, facts }: Known): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (kind: string, by: number): Map<string, number> => counts.set(kind, (counts.get(kind) ?? 0) + by);
  for (const [address, fact] of facts) if (fact.stack === stack) count(splitAddress(address).kind, 1);
  for (const { manifest, live, fact } of bound) {
    const [lives, isOwn] = [live.match !== 'none', fact?.stack === stack];
    if (lives !== isOwn) count(manifest.kind, lives ? 1 : -1);
  }
  for (const { action, address } of steps) if (action === 'forget') count(splitAddress(address).kind, -1);
  return counts;
}
