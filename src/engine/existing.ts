import { splitAddress } from '../model/address.js';
import type { Step } from '../model/plan.js';
import type { Bound } from './bind.js';

interface Known {
  readonly bound: readonly Bound[];
  /** By kind; the ledger's word, where it has one. */
  readonly owned?: ReadonlyMap<string, number>;
}

/**
 * How many objects of each kind this stack has to do with: those of the workspace that manifests describe, and those
 * that it owns and nothing describes any more. The ledger may know of fewer (of an object before its adoption) or of more.
 */
export function existing(steps: readonly Step[], { bound, owned = new Map() }: Known): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (kind: string): Map<string, number> => counts.set(kind, (counts.get(kind) ?? 0) + 1);
  for (const { manifest, live } of bound) if (live.match !== 'none') count(manifest.kind);
  for (const { action, address } of steps) if (action === 'delete') count(splitAddress(address).kind);
  for (const [kind, known] of owned) counts.set(kind, Math.max(known, counts.get(kind) ?? 0));
  return counts;
}
