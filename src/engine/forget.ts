import type { Address } from '../model/address.js';
import type { Bound } from './bind.js';
import { ABSENT, type Decision } from './decision.js';
import type { Edges } from './graph.js';

/** Where a step has no manifest, its place is the ledger. */
export const LEDGER = { file: 'ledger', line: 1, column: 1, layer: 'ledger' } as const;

export const forgotten = (address: Address, { reason, message }: Pick<Decision, 'reason' | 'message'>): Decision => ({
  address,
  action: 'forget',
  reason,
  message,
  fields: [],
  writes: [{ verb: 'record' }],
  fingerprint: ABSENT,
  fact: null,
  origin: LEDGER,
});

/** Where a manifest gives an address to something else, the ledger first learns by which other one it knows the object. */
export function learnedFirst(bound: readonly Bound[]): Edges {
  const settled = new Set(bound.filter(({ knownAs }) => knownAs === undefined).map(({ manifest }) => manifest.address));
  return new Map(
    bound.flatMap(({ knownAs, manifest: { address } }) =>
      knownAs !== undefined && settled.has(knownAs) ? [[knownAs, new Set([address])] as const] : [],
    ),
  );
}
