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

/**
 * The ledger knows an object by one address: once it knows it by that of a manifest, it forgets the one from before. Where
 * a manifest gives that one to something else, it does so after that.
 */
export function formerAddresses(
  bound: readonly Bound[],
  decisions: readonly Decision[],
  described: ReadonlySet<Address>,
): { decisions: readonly Decision[]; edges: Edges } {
  const recorded = new Set(decisions.filter(({ fact }) => fact !== undefined).map(({ address }) => address));
  const settled = new Set(bound.filter(({ knownAs }) => knownAs === undefined).map(({ manifest }) => manifest.address));
  const renamed = bound.flatMap(({ knownAs, manifest: { address } }) =>
    knownAs === undefined || !recorded.has(address) ? [] : [{ knownAs, address }],
  );
  return {
    decisions: renamed.flatMap(({ knownAs, address }) => (described.has(knownAs) ? [] : [knownBy(address, knownAs)])),
    edges: new Map(
      renamed.flatMap(({ knownAs, address }) =>
        described.has(knownAs) && !settled.has(knownAs) ? [] : [[knownAs, new Set([address])] as const],
      ),
    ),
  };
}

/** One object, known by two addresses. */
export const knownBy = (address: Address, former: Address): Decision =>
  forgotten(former, { reason: 'renamed-outside', message: `The ledger knows it as ${address} from now on.` });
