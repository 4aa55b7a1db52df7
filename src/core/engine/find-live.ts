import { type Address, addressOf } from '../model/address.js';
import type { Manifest } from '../model/document.js';
import { groupBy } from '../model/group-by.js';
import { kept, keptBy } from '../model/kept.js';
import type { LiveIdentity, ObjectFact } from '../model/object-fact.js';
import type { Observation, Observed } from '../model/observation.js';
import { isRetired } from './retired-name.js';

/** What the ledger says, by address. */
export type Facts = ReadonlyMap<Address, ObjectFact>;

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

/** One live object, and no doubt which. */
export type Match = Extract<Live, { match: 'name' | 'renamed' | 'moved' }>;

/** What lives for a manifest, with what the ledger says of it. */
export interface Found {
  readonly live: Live;
  /** What the ledger says of the object, by whatever address, or else of the address. */
  readonly fact: ObjectFact | undefined;
  /** The address by which the ledger knows the object, where that is not the manifest's. */
  readonly knownAs?: Address;
  /** Another address that no manifest describes: once the ledger knows the object by its new one, it forgets that. */
  readonly formerly?: Address;
  /** What the ledger says of the address, where that is about another live object. */
  readonly elsewhere?: { readonly object: Observed; readonly fact: ObjectFact };
}

/** Every live object that a manifest means, also where it cannot tell which of them. */
export function objectsOf(live: Live): readonly Observed[] {
  if (live.match === 'none') return [];
  if (live.match === 'several') return live.objects;
  return live.match === 'both' ? [live.object, live.former] : [live.object];
}

/** What was observed, by name and by identity. */
export interface LiveIndex {
  all(kind: string): readonly Observed[];
  /** Names need not be unique: all that have it. */
  named(kind: string, name: string): readonly Observed[];
  withIdentity(kind: string, identity: LiveIdentity | undefined): Observed | undefined;
}

/** For whoever looks up many: a look-up does not go through all that lives. */
export function liveIndex({ objects }: Pick<Observation, 'objects'>): LiveIndex {
  const all = (kind: string): readonly Observed[] => objects.get(kind) ?? [];
  const byName = keptBy((kind: string) => groupBy(all(kind), ({ name }) => name));
  const byIdentity = keptBy((kind: string) => new Map(all(kind).map((object) => [object.identity, object])));
  return {
    all,
    named: (kind, name) => byName(kind).get(name) ?? [],
    withIdentity: (kind, identity) => (identity === undefined ? undefined : byIdentity(kind).get(identity)),
  };
}

type LiveUnderName = Extract<Live, { match: 'none' | 'several' }> | Match;

/** Which live object has a name: of several the one that the ledger knows by it. */
export function liveUnder(
  kind: string,
  name: string,
  index: LiveIndex,
  known: LiveIdentity | undefined,
): LiveUnderName {
  const found = index.named(kind, name);
  const [object, ...others] = found;
  if (object === undefined) return { match: 'none' };
  const among = index.all(kind);
  if (others.length === 0) return { match: 'name', object, raw: object, among };
  const own = found.find(({ identity }) => identity === known);
  if (own === undefined) return { match: 'several', objects: found };
  return { match: 'name', object: own, raw: own, among, twins: found.filter((one) => one !== own) };
}

/** Each manifest's live object: by name, by former name, and by identity where others renamed it or took its name. */
export function findLive(
  manifests: readonly Manifest[],
  observation: Observation,
  facts: Facts,
  /** By any manifest, also by one that is not among these. */
  described: ReadonlySet<Address>,
): readonly Found[] {
  const index = liveIndex(observation);
  const looking = { index, facts, addresses: kept(() => addressesByIdentity(facts)) };
  const found = manifests.map((manifest) => findByName(manifest, looking));
  // Most plans need these for none of their objects.
  const claimed = kept(() => new Set(found.flatMap(({ live }) => objectsOf(live).map(({ identity }) => identity))));
  const planned = kept(() => new Set(manifests.map(({ address }) => address)));
  const follow = ({ kind, metadata }: Manifest, one: Found, { fact, former }: Known): Found => {
    const known = former === undefined ? {} : { fact, ...former.known };
    const object = index.withIdentity(kind, fact.identity);
    if (object === undefined) return { ...one, ...known };
    const present = addressOf(kind, object.name);
    const isMeant = claimed().has(object.identity) || (described.has(present) && !planned().has(present));
    if (one.live.match !== 'none' || isMeant || isRetired(object.name, (former ?? metadata).name))
      return former === undefined ? { ...one, elsewhere: { object, fact } } : one;
    claimed().add(object.identity);
    return { ...one, live: { match: 'moved', object, raw: object, among: index.all(kind) }, ...known };
  };
  return found.map((named, place): Found => {
    const manifest = manifests[place] as Manifest;
    const one = withFormerly(named, described);
    const known = factOfName(manifest, named, facts);
    return known === undefined || isAmong(known.fact, objectsOf(one.live)) ? one : follow(manifest, one, known);
  });
}

/** `former`: the ledger says it of the name in `renamedFrom`. */
interface Known {
  readonly fact: ObjectFact;
  readonly former?: {
    readonly name: string;
    readonly known: { readonly knownAs: Address; readonly formerly: Address };
  };
}

function withFormerly({ formerly, ...found }: Found, described: ReadonlySet<Address>): Found {
  const former = found.knownAs ?? formerly;
  return former === undefined || described.has(former) ? found : { ...found, formerly: former };
}

/** What the ledger says of the address, or else of the former one: that somebody renamed or deleted that object does not end the rename. */
function factOfName(manifest: Manifest, { live }: Found, facts: Facts): Known | undefined {
  const { kind, address, metadata } = manifest;
  const own = facts.get(address);
  if (own !== undefined) return { fact: own };
  const { renamedFrom: name } = metadata;
  if (name === undefined || live.match !== 'none') return undefined;
  const knownAs = addressOf(kind, name);
  const fact = facts.get(knownAs);
  return fact && { fact, former: { name, known: { knownAs, formerly: knownAs } } };
}

interface Looking {
  readonly index: LiveIndex;
  readonly facts: Facts;
  readonly addresses: () => ReadonlyMap<LiveIdentity, Address>;
}

function addressesByIdentity(facts: Facts): ReadonlyMap<LiveIdentity, Address> {
  const addresses = new Map<LiveIdentity, Address>();
  for (const [address, { identity }] of facts) if (identity !== undefined) addresses.set(identity, address);
  return addresses;
}

const isAmong = ({ identity }: ObjectFact, objects: readonly Observed[]): boolean =>
  objects.some((object) => object.identity === identity);

function findByName({ kind, metadata: { name, renamedFrom } }: Manifest, looking: Looking): Found {
  const present = findUnder(kind, name, looking);
  if (renamedFrom === undefined) return present;
  const former = findUnder(kind, renamedFrom, looking);
  const formerAddress = addressOf(kind, renamedFrom);
  const isInterrupted = isOpen(looking.facts.get(formerAddress), present.fact);
  if (former.live.match === 'none') return isInterrupted ? { ...present, formerly: formerAddress } : present;
  if (present.live.match !== 'none') return besideFormer(present, former.live, formerAddress);
  // A rename that was done before is over, whatever others called the object since.
  const isDone = looking.index.withIdentity(kind, present.fact?.identity) !== undefined;
  if (isDone && !isInterrupted) return present;
  return former.live.match === 'name' ? asRename({ ...former, live: former.live }, formerAddress) : former;
}

/** Only an interrupted rename leaves the ledger with both names: of one object, or of one that is gone and of the one that was to take its place. */
const isOpen = (former: ObjectFact | undefined, present: ObjectFact | undefined): boolean =>
  former?.identity !== undefined && present !== undefined && (present.identity ?? former.identity) === former.identity;

type FoundUnderName = Found & { readonly live: LiveUnderName };

function findUnder(kind: string, name: string, { index, facts, addresses }: Looking): FoundUnderName {
  const fact = facts.get(addressOf(kind, name));
  const live = liveUnder(kind, name, index, fact?.identity);
  if (!('raw' in live) || live.raw.identity === fact?.identity) return { live, fact };
  // Two that have exchanged their names, or their GUIDs: neither tells which object is meant.
  if (index.withIdentity(kind, fact?.identity) !== undefined) return { live, fact };
  const knownAs = addresses().get(live.raw.identity);
  return knownAs === undefined ? { live, fact } : { live, fact: facts.get(knownAs), knownAs };
}

function asRename({ live, ...known }: Found & { readonly live: Match }, formerAddress: Address): Found {
  return {
    ...(isAbout(known.fact, live) ? { knownAs: formerAddress } : {}),
    ...known,
    live: { ...live, match: 'renamed' },
  };
}

/** Of a creation that was never answered it is about whatever has the name. */
const isAbout = (fact: ObjectFact | undefined, { raw }: Match): boolean =>
  fact !== undefined && (fact.identity ?? raw.identity) === raw.identity;

/** A rename that was done before is over, whoever uses the former name now, and whether or not the ledger came to know. */
function besideFormer(present: FoundUnderName, former: LiveUnderName, formerAddress: Address): Found {
  const { live, fact, knownAs = formerAddress } = present;
  if (live.match !== 'name' || former.match !== 'name') return present;
  if (isAbout(fact, live) && knownAs === formerAddress) return present;
  return { ...present, live: { match: 'both', object: live.object, former: former.object } };
}
