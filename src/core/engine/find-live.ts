import { type Address, addressOf, splitAddress } from '../model/address.js';
import type { Manifest } from '../model/document.js';
import { memoize } from '../model/memoize.js';
import type { LiveIdentity, ObjectFact } from '../model/object-fact.js';
import type { Observation, Observed } from '../model/observation.js';
import { type LiveIndex, liveIndex } from './live-index.js';
import { type Live, type LiveUnderName, listCandidates, liveUnder, type Match } from './live-under.js';
import { hasRetiredName } from './retired-name.js';

/** Facts of the ledger, by address. */
export type Facts = ReadonlyMap<Address, ObjectFact>;

/** What was found for a manifest, with the fact of the ledger. */
export interface Found {
  readonly live: Live;
  /** The fact about the object, under any address, or else the fact of the manifest's address. */
  readonly fact: ObjectFact | undefined;
  /** The address by which the ledger knows the object, where that is not the manifest's. */
  readonly knownAs?: Address;
  /** Another address without a manifest, which the ledger forgets once it knows the object by its new one. */
  readonly formerly?: Address;
  /** The object that had the manifest's name before, if that is not the live one. */
  readonly elsewhere?: Elsewhere;
}

/** An object that had the name of a manifest, under the name that it has now. */
export interface Elsewhere {
  readonly object: Observed;
  readonly fact: ObjectFact;
  /** The address of the fact, where that is not the manifest's: others had renamed the object. */
  readonly knownAs?: Address;
  /** The same, unless another manifest has it: the ledger forgets it once the manifest has an object. */
  readonly formerly?: Address;
}

/** Finds each manifest's live object: by name, former name, or identity if others renamed it or took its name. */
export function findLive(
  manifests: readonly Manifest[],
  observation: Observation,
  facts: Facts,
  /** Addresses that any manifest describes, including manifests that are not among these. */
  described: ReadonlySet<Address>,
): readonly Found[] {
  const index = liveIndex(observation);
  const looking = { index, facts, addresses: memoize(() => addressesByIdentity(facts)) };
  const found = manifests.map((manifest) => findByName(manifest, looking));
  // Computed on demand: most plans need these for none of their objects.
  const claimed = memoize(
    () => new Set(found.flatMap(({ live }) => listCandidates(live).map(({ identity }) => identity))),
  );
  const planned = memoize(() => new Set(manifests.map(({ address }) => address)));
  const isMeant = (kind: string, { name, identity }: Observed): boolean => {
    const present = addressOf(kind, name);
    return claimed().has(identity) || (described.has(present) && !planned().has(present)) || hasRetiredName(name);
  };
  const follow = (manifest: Manifest, one: Found, { fact, former }: Known): Found => {
    const { kind } = manifest;
    const known = former === undefined ? {} : { fact, ...former.known };
    const object = index.withIdentity(kind, fact.identity);
    if (object === undefined) return besideMoved(manifest, { ...one, ...known }, looking, isMeant);
    if (one.live.match !== 'none' || isMeant(kind, object))
      return former === undefined ? { ...one, elsewhere: { object, fact } } : one;
    claimed().add(object.identity);
    return { ...one, live: { match: 'moved', object, raw: object, among: index.all(kind) }, ...known };
  };
  return found.map((named, place): Found => {
    const manifest = manifests[place] as Manifest;
    const one = withFormerly(named, described);
    const known = factOfName(manifest, named, facts);
    if (known === undefined)
      return one.live.match === 'none'
        ? { ...one, ...predecessor(manifest, looking, described) }
        : besideMoved(manifest, one, looking, isMeant);
    return isAmong(known.fact, listCandidates(one.live)) ? one : follow(manifest, one, known);
  });
}

/** An object with the manifest's name, and one that lost its former name to others: neither shows which is meant. */
function besideMoved(
  { kind, metadata: { renamedFrom } }: Manifest,
  one: Found,
  { index, facts }: Looking,
  isMeant: (kind: string, object: Observed) => boolean,
): Found {
  const { live } = one;
  if (renamedFrom === undefined || live.match !== 'name') return one;
  const former = index.withIdentity(kind, facts.get(addressOf(kind, renamedFrom))?.identity);
  if (former === undefined || former === live.raw || isMeant(kind, former)) return one;
  return { ...one, live: { match: 'both', object: live.object, former } };
}

/** Finds what an interrupted replacement renamed away while the ledger knew it by a name that others had changed. */
function predecessor(
  { kind, metadata: { name } }: Manifest,
  { index, facts, addresses }: Looking,
  described: ReadonlySet<Address>,
): Pick<Found, 'elsewhere'> {
  for (const object of index.retired(kind, name)) {
    const address = addresses().get(object.identity);
    // Somebody may have adopted what was renamed away, under the name that it has now.
    if (address === undefined || address === addressOf(kind, object.name)) continue;
    const fact = facts.get(address) as ObjectFact;
    return { elsewhere: { object, fact, knownAs: address, ...(described.has(address) ? {} : { formerly: address }) } };
  }
  return {};
}

/** `former`: present if the fact is about the name in `renamedFrom`. */
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

/** Returns the fact of the address, or else of the former one: a rename stays open if others rename or delete it. */
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
  // A completed rename is over, even if others renamed the object since.
  const isDone = looking.index.withIdentity(kind, present.fact?.identity) !== undefined;
  if (isDone && !isInterrupted) return present;
  return former.live.match === 'name' ? asRename({ ...former, live: former.live }, formerAddress, looking) : former;
}

/** Whether a rename was interrupted: only then the ledger has both names, of one object or of it and its successor. */
const isOpen = (former: ObjectFact | undefined, present: ObjectFact | undefined): boolean =>
  former?.identity !== undefined && present !== undefined && (present.identity ?? former.identity) === former.identity;

type FoundUnderName = Found & { readonly live: LiveUnderName };

function findUnder(kind: string, name: string, { index, facts, addresses }: Looking): FoundUnderName {
  const fact = facts.get(addressOf(kind, name));
  const live = liveUnder(kind, name, index, fact?.identity);
  if (!('raw' in live) || live.raw.identity === fact?.identity) return { live, fact };
  // Two objects exchanged their names or GUIDs: neither shows which object is meant.
  if (index.withIdentity(kind, fact?.identity) !== undefined) return { live, fact };
  const knownAs = addresses().get(live.raw.identity);
  return knownAs === undefined ? { live, fact } : { live, fact: facts.get(knownAs), knownAs };
}

function asRename(
  { live, ...known }: Found & { readonly live: Match },
  formerAddress: Address,
  { index }: Looking,
): Found {
  return { ...formerKnown(known.fact, live, formerAddress, index), ...known, live: { ...live, match: 'renamed' } };
}

/** A record of the former name ends with the rename, too, if its object is gone and the renamed one only had the same name. */
function formerKnown(
  fact: ObjectFact | undefined,
  live: Match,
  formerAddress: Address,
  index: LiveIndex,
): Pick<Found, 'knownAs' | 'formerly'> {
  if (fact === undefined) return {};
  if (isAbout(fact, live)) return { knownAs: formerAddress };
  const { kind } = splitAddress(formerAddress);
  return index.withIdentity(kind, fact.identity) === undefined ? { formerly: formerAddress } : {};
}

/** Whether a fact is about an object. The fact of an unanswered creation is about any object with its name. */
const isAbout = (fact: ObjectFact | undefined, { raw }: Match): boolean =>
  fact !== undefined && (fact.identity ?? raw.identity) === raw.identity;

/** Finds an unresolved rename: a completed one is over, even if the former name is reused or the ledger missed it. */
function besideFormer(present: FoundUnderName, former: LiveUnderName, formerAddress: Address): Found {
  const { live, fact, knownAs = formerAddress } = present;
  if (live.match !== 'name' || former.match !== 'name') return present;
  if (isAbout(fact, live) && knownAs === formerAddress) return present;
  return { ...present, live: { match: 'both', object: live.object, former: former.object } };
}
