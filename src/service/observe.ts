import pLimit from 'p-limit';
import type { Json, JsonObject } from '../model/json.js';
import { type Guid, isGuid, type Kind, type Lookup } from '../model/kind.js';
import { isStandardField } from '../model/known-fields.js';
import { lookupKey, type Observation, type Observed } from '../model/observation.js';
import { auditRecordOf } from './audit-record.js';
import { listChildren, listCollection } from './border.js';
import { collectionOf } from './collection.js';
import { Identities, identityOf } from './identities.js';
import { type LookupPart, type LookupReader, PARALLEL_READS, readLookup } from './read-lookup.js';
import { saysNoEndpoint } from './refusal-meaning.js';

/** What a plan needs to see. Nothing else is read: requests are the scarce resource. */
export interface ObserveRequest {
  readonly kinds: readonly Kind[];
  readonly lookups: readonly LookupPart[];
  /** Of an object whose references matter, the child collections to read; undefined of one that does not matter. */
  readonly childrenOf: (kind: string, name: string, guid: Guid) => readonly string[] | undefined;
  /** Which objects stand for themselves, where their kind would gather them into others. */
  readonly alone: 'all' | ((kind: string, name: string) => boolean);
  /**
   * Where mappings name attributes: the lists of attributes are read for every name that is no standard field, to tell
   * attributes from fields. A plan reads those that its manifests name.
   */
  readonly attributes?: 'looked up';
  /** Lookups that a live object asks for once it was read. */
  readonly lookupsOf?: (kind: string, spec: JsonObject, name: string) => readonly LookupPart[];
}

/** What observing reads with, and what tells which kind or lookup a name is. */
export interface Observer extends LookupReader {
  readonly kindNamed: (name: string) => Kind | undefined;
  readonly lookupNamed: (name: string) => Lookup | undefined;
}

/** The answers behind what was observed. */
type Bodies = Map<Kind, readonly JsonObject[]>;

/** Reads lists, lookups and the declared children, and turns GUIDs into names. */
export async function observe(
  request: ObserveRequest,
  observing: Observer,
): Promise<{ observation: Observation; identities: Identities; bodies: Bodies }> {
  const identities = new Identities(observing.reader.profile);
  const lookups = new Map<string, readonly (readonly string[])[]>();
  const lookupFacts = new Map<string, ReadonlyMap<string, JsonObject>>();
  const unlisted = new Set<string>();
  const bodies: Bodies = new Map();
  const read = async (parts: readonly LookupPart[], kinds: readonly Kind[]): Promise<void> => {
    await Promise.all([
      ...parts.map(async (part) => {
        const [key, entries] = [
          lookupKey(part.lookup.name, part.partition),
          await readLookup(part, observing, identities),
        ];
        lookups.set(
          key,
          entries.map(({ names }) => names),
        );
        lookupFacts.set(key, new Map(entries.flatMap((one) => (one.key === undefined ? [] : [[one.key, one.facts]]))));
      }),
      ...kinds.map(async (kind) => {
        const found = await readKind(kind, observing, identities);
        if (found === 'no list') unlisted.add(kind.name);
        else bodies.set(kind, found);
      }),
    ]);
  };
  await read(request.lookups, request.kinds);
  const missing = missingIn(bodies, request, observing, lookups);
  await read(missing.lookups, missing.kinds);
  const objects = new Map<string, readonly Observed[]>();
  for (const kind of request.kinds) {
    const found = bodies.get(kind) ?? [];
    const observed = await toObserved(kind, found, request, observing, identities);
    objects.set(kind.name, gatherObjects(kind, observed, request.alone));
  }
  return { observation: { objects, lookups, lookupFacts, unlisted }, identities, bodies };
}

async function readKind(
  kind: Kind,
  { reader, onRead }: Observer,
  identities: Identities,
): Promise<readonly JsonObject[] | 'no list'> {
  const { can } = collectionOf(reader, kind.collection);
  if (can?.list === 'no') return 'no list';
  try {
    const found = await listCollection(reader, kind.collection);
    onRead(kind.name, found.length);
    for (const { name, guid } of found) identities.enter(kind.name, [String(name)], String(guid));
    return found;
  } catch (error) {
    if (saysNoEndpoint(error)) return 'no list';
    throw error;
  }
}

/**
 * What no manifest names but a live object points into: without it its references could not be told from dead ones.
 */
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
  const nameOf = (name: string, guid: string, partition = ''): undefined =>
    isGuid(guid) ? want(name, partition) : undefined;
  // Attributes that are mapped by name are as the manifests call them, whether or not they are looked up.
  const byGuid = reader.profile.customAttributes === 'guid';
  const attributeFromWire = (text: string, world: string): undefined => {
    if (byGuid) return nameOf('Attribute', text, world);
    return attributes === 'looked up' && !isStandardField(text) ? want('Attribute', world) : undefined;
  };
  for (const [kind, found] of bodies) {
    const mattering = found.filter(({ name, guid }) => childrenOf(kind.name, String(name), String(guid)) !== undefined);
    for (const body of mattering) {
      const spec = kind.fromWire(body, { nameOf, attributeFromWire });
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

async function toObserved(
  kind: Kind,
  bodies: readonly JsonObject[],
  { childrenOf }: ObserveRequest,
  observing: Observer,
  identities: Identities,
): Promise<Observed[]> {
  const limit = pLimit(PARALLEL_READS);
  return Promise.all(
    bodies.map(async (body) => {
      const name = String(body.name);
      const fields = childrenOf(kind.name, name, String(body.guid));
      const children = await Promise.all(
        (fields ?? []).map((field) => limit(() => readChildren(kind, field, body, observing, identities))),
      );
      const number = typeof body.number === 'number' ? { number: body.number } : {};
      const audit = fields === undefined ? {} : { audit: auditRecordOf(body) };
      const spec = { ...kind.fromWire(body, identities), ...Object.fromEntries(children) };
      return { name, ...number, ...audit, spec, identity: identityOf(String(body.guid)) };
    }),
  );
}

async function readChildren(
  kind: Kind,
  field: string,
  { guid }: JsonObject,
  { reader, lookupNamed }: Observer,
  identities: Identities,
): Promise<[string, Json]> {
  const children = kind.children[field];
  if (children === undefined) return [field, []];
  const { path } = collectionOf(reader, kind.collection);
  const found = await listChildren(reader, `${path}/${guid}/${children.path}`);
  const namesOf = lookupNamed(children.ref)?.namesOf ?? (({ name }: JsonObject) => [String(name)]);
  // They are known from here, even where no manifest refers to one and the lookup was not read.
  for (const body of found) identities.enter(children.ref, namesOf(body), String(body.guid));
  return [field, found.map((body) => namesOf(body)[0] ?? String(body.guid))];
}
