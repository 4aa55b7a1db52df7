import pLimit from 'p-limit';
import { DexsyncError } from '../errors.js';
import type { Json, JsonObject } from '../model/json.js';
import { isGuid, type Kind, type Lookup } from '../model/kind.js';
import { lookupKey, type Observation, type Observed } from '../model/observation.js';
import type { Reader } from './client.js';
import { Identities } from './identities.js';
import { listPages } from './list-pages.js';
import type { Collection } from './profiles/profile.js';

/** What a plan needs to see. Nothing else is read: requests are the scarce resource. */
export interface ObserveRequest {
  readonly kinds: readonly Kind[];
  readonly lookups: readonly LookupPart[];
  /** By kind and name: the objects whose references matter, and which of their child collections. */
  readonly wanted: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
}

export interface LookupPart {
  readonly lookup: Lookup;
  readonly partition: string;
}

export interface Observing {
  readonly reader: Reader;
  readonly lookupNamed: (name: string) => Lookup | undefined;
  readonly onRead: (what: string, count: number) => void;
}

/** Reads lists, lookups and the declared children, and turns GUIDs into names. */
export async function observe(
  request: ObserveRequest,
  observing: Observing,
): Promise<{ observation: Observation; identities: Identities }> {
  const { reader, onRead } = observing;
  const identities = new Identities();
  const lookups = new Map<string, readonly (readonly string[])[]>();
  const readLookups = async (parts: readonly LookupPart[]): Promise<void> => {
    await Promise.all(parts.map(async (part) => readLookup(part, observing, identities, lookups)));
  };
  const bodies = new Map<Kind, readonly JsonObject[]>();
  const readKind = async (kind: Kind): Promise<void> => {
    const { path, paged } = collectionOf(reader, kind.collection);
    const found = await listPages(reader, path, paged);
    onRead(kind.name, found.length);
    for (const { name, guid } of found) identities.enter(kind.name, [String(name)], String(guid));
    bodies.set(kind, found);
  };
  await Promise.all([readLookups(request.lookups), ...request.kinds.map(readKind)]);
  await readLookups(lookupsInBodies(bodies, request, observing, lookups));
  const objects = new Map<string, readonly Observed[]>();
  for (const [kind, found] of bodies)
    objects.set(kind.name, await toObserved(kind, found, request, observing, identities));
  return { observation: { objects, lookups }, identities };
}

export function collectionOf({ profile }: Reader, name: string): Collection {
  const collection = profile.collections[name];
  if (collection !== undefined) return collection;
  throw new DexsyncError('UNKNOWN_NAME', `Profile "${profile.name}" has no collection "${name}".`);
}

async function readLookup(
  { lookup, partition }: LookupPart,
  { reader, onRead }: Observing,
  identities: Identities,
  lookups: Map<string, readonly (readonly string[])[]>,
): Promise<void> {
  const collection = lookup.partitions[partition];
  if (collection === undefined) return;
  const { path, paged } = collectionOf(reader, collection);
  const found = await listPages(reader, path, paged);
  onRead(lookupKey(lookup.name, partition), found.length);
  for (const body of found) identities.enter(lookup.name, lookup.namesOf(body), String(body.guid), partition);
  lookups.set(
    lookupKey(lookup.name, partition),
    found.map((body) => lookup.namesOf(body)),
  );
}

/** Lookups that no manifest names but a live object points into: without them its references could not be told from dead ones. */
function lookupsInBodies(
  bodies: ReadonlyMap<Kind, readonly JsonObject[]>,
  { wanted }: ObserveRequest,
  { lookupNamed }: Observing,
  known: ReadonlyMap<string, unknown>,
): LookupPart[] {
  const missing = new Map<string, LookupPart>();
  const nameOf = (kind: string, guid: string, partition = ''): undefined => {
    const key = lookupKey(kind, partition);
    const lookup = lookupNamed(kind);
    if (isGuid(guid) && lookup !== undefined && !known.has(key)) missing.set(key, { lookup, partition });
  };
  for (const [kind, found] of bodies) {
    const names = wanted.get(kind.name);
    for (const body of found) if (names?.has(String(body.name))) kind.fromWire(body, { nameOf });
  }
  return [...missing.values()];
}

const PARALLEL_READS = 8;

async function toObserved(
  kind: Kind,
  bodies: readonly JsonObject[],
  { wanted }: ObserveRequest,
  observing: Observing,
  identities: Identities,
): Promise<Observed[]> {
  const limit = pLimit(PARALLEL_READS);
  const names = wanted.get(kind.name);
  return Promise.all(
    bodies.map(async (body) => {
      const name = String(body.name);
      const fields = names?.get(name) ?? [];
      const children = await Promise.all(
        fields.map((field) => limit(() => readChildren(kind, field, body, observing, identities))),
      );
      const number = typeof body.number === 'number' ? { number: body.number } : {};
      return { name, ...number, spec: { ...kind.fromWire(body, identities), ...Object.fromEntries(children) } };
    }),
  );
}

async function readChildren(
  kind: Kind,
  field: string,
  { guid }: JsonObject,
  { reader, lookupNamed }: Observing,
  identities: Identities,
): Promise<[string, Json]> {
  const children = kind.children[field];
  if (children === undefined) return [field, []];
  const { path, paged } = collectionOf(reader, kind.collection);
  const found = await listPages(reader, `${path}/${guid}/${children.path}`, paged);
  const namesOf = lookupNamed(children.ref)?.namesOf ?? (({ name }: JsonObject) => [String(name)]);
  // They are known from here, even where no manifest refers to one and the lookup was not read.
  for (const body of found) identities.enter(children.ref, namesOf(body), String(body.guid));
  return [field, found.map((body) => namesOf(body)[0] ?? String(body.guid))];
}
