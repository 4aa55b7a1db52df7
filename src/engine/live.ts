import { type Address, addressOf } from '../model/address.js';
import type { Manifest } from '../model/document.js';
import type { Identity, ObjectFact } from '../model/object-fact.js';
import type { Observation, Observed } from '../model/observation.js';

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
    }
  | { readonly match: 'several'; readonly objects: readonly Observed[] }
  /** Both the name and the former name are taken. */
  | { readonly match: 'both'; readonly object: Observed; readonly former: Observed };

export type Match = Extract<Live, { match: 'name' | 'renamed' | 'moved' }>;

export interface Found {
  readonly live: Live;
  /** What the ledger says of the object, by its present or its former address. */
  readonly fact: ObjectFact | undefined;
}

export type Facts = ReadonlyMap<Address, ObjectFact>;

/** Finds each manifest's live object: by name, by former name, and by identity where others renamed it or took its name. */
export function liveFinder(
  { objects }: Observation,
  facts: Facts,
  described: ReadonlySet<Address>,
): (manifest: Manifest) => Found {
  const named = tableBy(objects, ({ name }) => name);
  const identified = tableBy(objects, ({ identity }) => identity);
  const under = (kind: string, name: string): Found => {
    const fact = facts.get(addressOf(kind, name));
    return { live: the(named(kind, name), fact?.identity), fact };
  };
  const moved = ({ kind }: Manifest, fact: ObjectFact | undefined): Live => {
    const [object] = fact?.identity === undefined ? [] : identified(kind, fact.identity);
    const elsewhere = object === undefined || described.has(addressOf(kind, object.name));
    return elsewhere ? NOTHING : { match: 'moved', object, raw: object };
  };
  return (manifest) => {
    const { kind, metadata } = manifest;
    const present = under(kind, metadata.name);
    const former = metadata.renamedFrom === undefined ? undefined : under(kind, metadata.renamedFrom);
    if (former === undefined || former.live.match === 'none') {
      return present.live.match === 'none' ? { ...present, live: moved(manifest, present.fact) } : present;
    }
    if (present.live.match !== 'none') return { ...present, live: besides(present, former.live) };
    return former.live.match === 'name' ? { ...former, live: { ...former.live, match: 'renamed' } } : former;
  };
}

const NOTHING: Live = { match: 'none' };

/** Of several, the one that the ledger knows. */
function the(found: readonly Observed[], known: Identity | undefined): Live {
  const [object, ...others] = found;
  if (object === undefined) return NOTHING;
  if (others.length === 0) return { match: 'name', object, raw: object };
  const own = found.find(({ identity }) => identity === known);
  return own === undefined ? { match: 'several', objects: found } : { match: 'name', object: own, raw: own };
}

/** A rename that was done before is over, whoever uses the former name now. */
function besides({ live, fact }: Found, former: Live): Live {
  if (live.match !== 'name' || former.match !== 'name' || live.object.identity === fact?.identity) return live;
  return { match: 'both', object: live.object, former: former.object };
}

function tableBy(
  objects: Observation['objects'],
  keyOf: (object: Observed) => string,
): (kind: string, key: string) => readonly Observed[] {
  const tables = new Map<string, Map<string, Observed[]>>();
  for (const [kind, live] of objects) {
    const table = new Map<string, Observed[]>();
    for (const object of live) {
      const entries = table.get(keyOf(object));
      if (entries === undefined) table.set(keyOf(object), [object]);
      else entries.push(object);
    }
    tables.set(kind, table);
  }
  return (kind, key) => tables.get(kind)?.get(key) ?? [];
}
