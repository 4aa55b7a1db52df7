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
      /** All that live of its kind, itself among them. */
      readonly among: readonly Observed[];
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

/** Each manifest's live object: by name, by former name, and by identity where others renamed it or took its name. */
export function findLive(
  manifests: readonly Manifest[],
  observation: Observation,
  facts: Facts,
  /** By any manifest, also by one that is not among these. */
  described: ReadonlySet<Address>,
): readonly Found[] {
  const finder = finderOf(observation, facts);
  const found = manifests.map((manifest) => byName(manifest, finder));
  const claimed = new Set(found.flatMap(({ live }) => objectsOf(live).map(({ identity }) => identity)));
  const planned = new Set(manifests.map(({ address }) => address));
  return found.map((one, index): Found => {
    const { kind, address } = manifests[index] as Manifest;
    const formerly = one.knownAs === undefined || described.has(one.knownAs) ? {} : { formerly: one.knownAs };
    const fact = facts.get(address);
    const object = finder.known(kind, fact?.identity);
    if (object === undefined || fact === undefined || isAmong(object, objectsOf(one.live)))
      return { ...one, ...formerly };
    const present = addressOf(kind, object.name);
    const isMeant = claimed.has(object.identity) || (described.has(present) && !planned.has(present));
    if (one.live.match !== 'none' || isMeant) return { ...one, ...formerly, elsewhere: { object, fact } };
    claimed.add(object.identity);
    return { ...one, live: { match: 'moved', object, raw: object, among: finder.all(kind) } };
  });
}

const isAmong = ({ identity }: Observed, objects: readonly Observed[]): boolean =>
  objects.some((object) => object.identity === identity);

/** Every live object that a manifest means, also where it cannot tell which of them. */
export function objectsOf(live: Live): readonly Observed[] {
  if (live.match === 'none') return [];
  if (live.match === 'several') return live.objects;
  return live.match === 'both' ? [live.object, live.former] : [live.object];
}

interface Finder {
  all(kind: string): readonly Observed[];
  under(kind: string, name: string): Found;
  known(kind: string, identity: Identity | undefined): Observed | undefined;
}

function finderOf({ objects }: Observation, facts: Facts): Finder {
  const all = (kind: string): readonly Observed[] => objects.get(kind) ?? [];
  const named = tableBy(objects, ({ name }) => name);
  const identified = tableBy(objects, ({ identity }) => identity);
  const addresses = new Map(
    [...facts].flatMap(([address, { identity }]) => (identity === undefined ? [] : [[identity, address] as const])),
  );
  return {
    all,
    under(kind, name) {
      const fact = facts.get(addressOf(kind, name));
      const live = the(named(kind, name), fact?.identity, all(kind));
      if (!('raw' in live) || live.raw.identity === fact?.identity) return { live, fact };
      const knownAs = addresses.get(live.raw.identity);
      if (knownAs === undefined) return { live, fact };
      return { live, fact: facts.get(knownAs), knownAs };
    },
    known: (kind, identity) => (identity === undefined ? undefined : identified(kind, identity)[0]),
  };
}

function byName({ kind, metadata }: Manifest, { under, known }: Finder): Found {
  const present = under(kind, metadata.name);
  if (metadata.renamedFrom === undefined) return present;
  const former = under(kind, metadata.renamedFrom);
  if (former.live.match === 'none') return present;
  const formerAddress = addressOf(kind, metadata.renamedFrom);
  if (present.live.match !== 'none') return besides(present, former.live, formerAddress);
  const own = known(kind, present.fact?.identity);
  // A rename that was done before is over, whatever the object is called now.
  if (own !== undefined && !isAmong(own, objectsOf(former.live))) return present;
  return former.live.match === 'name' ? renamed({ ...former, live: former.live }, formerAddress) : former;
}

function renamed({ live, ...known }: Found & { readonly live: Match }, formerAddress: Address): Found {
  return {
    ...(isAbout(known.fact, live) ? { knownAs: formerAddress } : {}),
    ...known,
    live: { ...live, match: 'renamed' },
  };
}

/** Of a creation that was never answered it is about whatever has the name. */
const isAbout = (fact: ObjectFact | undefined, { raw }: Match): boolean =>
  fact !== undefined && (fact.identity ?? raw.identity) === raw.identity;

const NOTHING: Live = { match: 'none' };

/** Of several, the one that the ledger knows. */
function the(found: readonly Observed[], known: Identity | undefined, among: readonly Observed[]): Live {
  const [object, ...others] = found;
  if (object === undefined) return NOTHING;
  if (others.length === 0) return { match: 'name', object, raw: object, among };
  const own = found.find(({ identity }) => identity === known);
  return own === undefined ? { match: 'several', objects: found } : { match: 'name', object: own, raw: own, among };
}

/** A rename that was done before is over, whoever uses the former name now, and whether or not the ledger came to know. */
function besides(present: Found, former: Live, formerAddress: Address): Found {
  const { live, fact, knownAs = formerAddress } = present;
  if (live.match !== 'name' || former.match !== 'name') return present;
  if (isAbout(fact, live) && knownAs === formerAddress) return present;
  return { ...present, live: { match: 'both', object: live.object, former: former.object } };
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
