import { isObject, type JsonObject } from '#core/model/json.js';
import { isGuid, type Kind, type Lookup, looksLikeGuid } from '#core/model/kind.js';
import { isDocumentedField, isStandardField } from '#core/model/known-fields.js';
import { memoizeBy } from '#core/model/memoize.js';
import type { LiveIdentity } from '#core/model/object-fact.js';
import { lookupKey, type Observation, type Observed, type OddName } from '#core/model/observation.js';
import { collectionOf } from './collection.js';
import { Identities } from './identities.js';
import { type ChildrenOf, oddObject, toObserved } from './observed-objects.js';
import { collectionEntries, type EntriesOf, type Listed, listCollection, objectFault } from './odd-entries.js';
import { type LookupPart, type LookupReader, readLookup } from './read-lookup.js';
import { readSettings } from './read-settings.js';
import { readSpec } from './read-spec.js';
import { type ReconciledList, type Recorded, reconcileList } from './reconcile-list.js';
import { saysNoEndpoint } from './refusal-meaning.js';

/** What a plan needs to see. Nothing else is read, since requests are scarce. */
export interface ObserveRequest {
  readonly kinds: readonly Kind[];
  readonly lookups: readonly LookupPart[];
  readonly childrenOf: ChildrenOf;
  /** Objects that count on their own, even if their kind would gather them into others. */
  readonly alone: 'all' | ((kind: string, name: string) => boolean);
  /**
   * If mappings name attributes, reads the lists of attributes for every name that is not a standard field, to
   * distinguish both. A plan reads the lists that its manifests name.
   */
  readonly attributes?: 'looked up';
  /** The ledger's records of a kind; objects that its list contradicts are read by GUID. */
  readonly recorded?: (kind: string) => Recorded;
  /** The names of the settings of a kind to read, which no list has; none by default. */
  readonly settingsOf?: (kind: string) => readonly string[];
  /** Announces how many lists of single objects are read, if it is many, before they are. */
  readonly announces?: 'children';
  /** Lookups that a live object needs once it was read. */
  readonly lookupsOf?: (kind: string, spec: JsonObject, name: string) => readonly LookupPart[];
}

/** What `observe` reads with, and how it finds kinds and lookups by name. */
export interface Observer extends LookupReader {
  readonly kindNamed: (name: string) => Kind | undefined;
  readonly lookupNamed: (name: string) => Lookup | undefined;
  /** Called before reading, with one request for each: objects on which ledger and list disagree, or lists of objects. */
  readonly onPrice: (requests: number, of: 'disagreements' | 'children') => void;
}

const NOTHING_RECORDED: Recorded = { known: [], deleted: new Map() };

/** The answers from which objects are observed. */
type Bodies = Map<Kind, Listed>;

/** Reads lists, lookups and the declared children, and turns GUIDs into names. */
export async function observe(
  request: ObserveRequest,
  observing: Observer,
): Promise<{ observation: Observation; identities: Identities; bodies: ReadonlyMap<Kind, readonly JsonObject[]> }> {
  const answers = new Answers(request, observing);
  await answers.read(request);
  const { bodies, lookups, lookupFacts, oddNames, unlisted, unproved, identities } = answers;
  await answers.read(missingIn(bodies, request, observing, lookups));
  announceLists(bodies, request, observing);
  const objects = new Map<string, readonly Observed[]>();
  for (const kind of request.kinds) {
    const found = bodies.get(kind) ?? { objects: [], odd: [] };
    const observed = await toObserved(kind, found.objects, request.childrenOf, { ...observing, identities });
    objects.set(kind.name, gatherObjects(kind, [...observed, ...found.odd.map(oddObject)], request.alone));
  }
  const whole = [...bodies].map(
    ([kind, { objects: usual, odd }]) => [kind, [...usual, ...odd.map(({ body }) => body)]] as const,
  );
  const observation = { objects, lookups, lookupFacts, oddNames, unlisted, unproved };
  return { observation, identities, bodies: new Map(whole) };
}

/** How many lists of objects are read without an announcement. */
const MOST_UNANNOUNCED = 100;

function announceLists(bodies: Bodies, { announces, childrenOf }: ObserveRequest, { onPrice }: Observer): void {
  if (announces === undefined) return;
  const lists = [...bodies].flatMap(([{ name: kind }, { objects }]) =>
    objects.flatMap(({ name, guid }) => childrenOf(kind, String(name), String(guid)) ?? []),
  );
  if (lists.length > MOST_UNANNOUNCED) onPrice(lists.length, 'children');
}

/** The answers of the service so far. */
class Answers {
  readonly identities: Identities;
  readonly lookups = new Map<string, readonly (readonly string[])[]>();
  readonly lookupFacts = new Map<string, ReadonlyMap<string, JsonObject>>();
  readonly oddNames = new Map<string, readonly OddName[]>();
  readonly unlisted = new Set<string>();
  readonly bodies: Bodies = new Map();
  readonly unproved = new Map<LiveIdentity, string>();
  readonly #request: Pick<ObserveRequest, 'recorded' | 'settingsOf'>;
  readonly #observing: Observer;

  constructor(request: Pick<ObserveRequest, 'recorded' | 'settingsOf'>, observing: Observer) {
    this.identities = new Identities(observing.reader.profile);
    this.#request = request;
    const entriesOf = memoizeBy((collection: string) => collectionEntries(observing.reader, collection));
    this.#observing = { ...observing, entriesOf };
  }

  async read({ lookups, kinds }: Pick<ObserveRequest, 'lookups' | 'kinds'>): Promise<void> {
    await Promise.all([...lookups.map((part) => this.#readLookup(part)), ...kinds.map((kind) => this.#readKind(kind))]);
  }

  async #readLookup(part: LookupPart): Promise<void> {
    const key = lookupKey(part.lookup.name, part.partition);
    const { entries, odd } = await readLookup(part, this.#observing, this.identities);
    if (odd.length > 0) this.oddNames.set(key, odd);
    this.lookups.set(
      key,
      entries.map(({ names }) => names),
    );
    const facts = entries.flatMap((one) => (one.key === undefined ? [] : [[one.key, one.facts] as const]));
    this.lookupFacts.set(key, new Map(facts));
  }

  async #readKind(kind: Kind): Promise<void> {
    const { recorded, settingsOf } = this.#request;
    const known = { ...NOTHING_RECORDED, ...recorded?.(kind.name), named: settingsOf?.(kind.name) ?? [] };
    const found = await readKind(kind, this.#observing, known, this.identities);
    if (found === 'no list') return void this.unlisted.add(kind.name);
    this.bodies.set(kind, found);
    for (const [identity, why] of found.unproved) this.unproved.set(identity, why);
  }
}

async function readKind(
  kind: Kind,
  observing: Observer,
  recorded: Recorded & { readonly named: readonly string[] },
  identities: Identities,
): Promise<ReconciledList | 'no list'> {
  const { reader, onRead } = observing;
  const { can } = collectionOf(reader, kind.collection);
  if (can?.list === false) return 'no list';
  try {
    const { settingsOf } = kind;
    const found =
      settingsOf === undefined
        ? await readList(kind, observing, recorded)
        : { ...(await readSettings(kind, settingsOf, recorded.named, reader)), unproved: new Map() };
    onRead(kind.name, found.objects.length + found.odd.length);
    for (const { name, guid } of found.objects) identities.enter(kind.name, [String(name)], String(guid));
    return found;
  } catch (error) {
    if (saysNoEndpoint(error)) return 'no list';
    throw error;
  }
}

async function readList(
  kind: Kind,
  { reader, onPrice, entriesOf }: Observer,
  recorded: Recorded,
): Promise<ReconciledList> {
  const listed = await listCollection(reader, kind.collection, objectFault, entriesFor(kind, entriesOf));
  return reconcileList(kind, listed, recorded, reader, (count) => onPrice(count, 'disagreements'));
}

/** Leaves out the entries of a checked kind that no manifest can describe, and names the others as manifests do. */
function entriesFor({ entry }: Kind, entriesOf: EntriesOf | undefined): EntriesOf | undefined {
  if (entry === undefined || entriesOf === undefined) return entriesOf;
  return async (collection) =>
    (await entriesOf(collection)).flatMap((body) => (isObject(body) ? (entry(body) ?? []) : body));
}

/** Finds targets of live objects that no manifest names: otherwise, references to them would look dead. */
function missingIn(
  bodies: Bodies,
  { childrenOf, attributes, lookupsOf }: ObserveRequest,
  { kindNamed, lookupNamed, reader }: Observer,
  known: ReadonlyMap<string, unknown>,
): { lookups: LookupPart[]; kinds: Kind[] } {
  const lookups = new Map<string, LookupPart>();
  const kinds = new Set<Kind>();
  const want = (name: string, partition: string): undefined => {
    const key = lookupKey(name, partition);
    const lookup = lookupNamed(name);
    if (lookup !== undefined && !known.has(key)) lookups.set(key, { lookup, partition });
    const kind = kindNamed(name);
    if (kind !== undefined && !bodies.has(kind)) kinds.add(kind);
  };
  const isLookedUp = attributes === 'looked up';
  // Most texts in place of an attribute are fields; checking their form saves a request.
  const mayBeAttribute = (text: string): boolean =>
    isLookedUp ? !isDocumentedField(text) : looksLikeGuid(text) && !isDocumentedField(text);
  const nameOf = (name: string, guid: string, partition = ''): undefined =>
    isGuid(guid) && (name !== 'Attribute' || mayBeAttribute(guid)) ? want(name, partition) : undefined;
  // Attributes that are mapped by name are named as in manifests, whether or not they are looked up.
  const byGuid = reader.profile.customAttributes === 'guid';
  const attributeFromWire = (text: string, world: string): undefined => {
    if (byGuid) return nameOf('Attribute', text, world);
    return isLookedUp && !isStandardField(text) ? want('Attribute', world) : undefined;
  };
  for (const [kind, { objects: found }] of bodies) {
    const mattering = found.filter(({ name, guid }) => childrenOf(kind.name, String(name), String(guid)) !== undefined);
    for (const body of mattering) {
      const { spec } = readSpec(kind, body, { nameOf, attributeFromWire });
      for (const { lookup, partition } of lookupsOf?.(kind.name, spec, String(body.name)) ?? [])
        want(lookup.name, partition);
    }
  }
  return { lookups: [...lookups.values()], kinds: [...kinds] };
}

function gatherObjects(kind: Kind, observed: readonly Observed[], alone: ObserveRequest['alone']): readonly Observed[] {
  if (kind.gather === undefined || alone === 'all') return observed;
  return kind.gather(observed, (name) => alone(kind.name, name));
}
