import type { Address } from '../model/address.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Observed } from '../model/observation.js';

/** What lives for a manifest. */
export type Live =
  | { readonly match: 'none' }
  /** `renamed`: under the name that `renamedFrom` gives. `moved`: under a name that somebody else gave it. */
  | {
      readonly match: 'name' | 'renamed' | 'moved';
      /** With the names that the objects it refers to have once this plan was applied. */
      readonly object: Observed;
      /** As it was read. */
      readonly raw: Observed;
      /** All that live of its kind, itself among them. */
      readonly among: readonly Observed[];
      /** Others of its very name. It is the one that the ledger knows. */
      readonly twins?: readonly Observed[];
    }
  | { readonly match: 'several'; readonly objects: readonly Observed[] }
  /** Both the name and the former name are taken. */
  | { readonly match: 'both'; readonly object: Observed; readonly former: Observed };

export type Match = Extract<Live, { match: 'name' | 'renamed' | 'moved' }>;

export interface Found {
  readonly live: Live;
  /** What the ledger says of the object, by whatever address, or else of the address. */
  readonly fact: ObjectFact | undefined;
  /** The address by which the ledger knows the object, where that is not the manifest's. */
  readonly knownAs?: Address;
  /** The same, where no manifest describes it: once the ledger knows the object by its new address, it forgets that one. */
  readonly formerly?: Address;
  /** What the ledger says of the address, where that is about another live object. */
  readonly elsewhere?: { readonly object: Observed; readonly fact: ObjectFact };
}

export type Facts = ReadonlyMap<Address, ObjectFact>;

/** Every live object that a manifest means, also where it cannot tell which of them. */
export function objectsOf(live: Live): readonly Observed[] {
  if (live.match === 'none') return [];
  if (live.match === 'several') return live.objects;
  return live.match === 'both' ? [live.object, live.former] : [live.object];
}
