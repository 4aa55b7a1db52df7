import pLimit from 'p-limit';
import { type JsonObject, objectsIn } from '#core/model/json.js';
import type { Lookup } from '#core/model/kind.js';
import { lookupKey, type OddName } from '#core/model/observation.js';
import type { Reader } from './client.js';
import { collectionOf } from './collection.js';
import { type Identities, identityOf } from './identities.js';
import {
  type EntriesOf,
  type FaultOf,
  guidFault,
  type Listed,
  listCollection,
  nameFault,
  oddFinding,
} from './odd-entries.js';

/** One partition of a lookup, such as the attributes of one world; `""` if it has only one. */
export interface LookupPart {
  readonly lookup: Lookup;
  readonly partition: string;
}

/** The client that reads lists, and a callback for the number of entries in each. */
export interface LookupReader {
  readonly reader: Reader;
  readonly onRead: (what: string, count: number) => void;
  /** Reads each list once, where a checked kind compares the same entries. */
  readonly entriesOf?: EntriesOf;
}

/** How many single objects are read at once. */
export const PARALLEL_READS = 8;

/** An entry with the names that references may use for it, the usual one first. */
export interface LookupEntry {
  readonly names: readonly string[];
  /** The key of its facts: its first name in lower case, or what the lookup has for a nameless entry. */
  readonly key: string | undefined;
  /** The fields that the lookup keeps besides the names. */
  readonly facts: JsonObject;
}

/** Says why nothing can refer to an entry. Nameless entries, such as fields of the service, need no GUID. */
export const lookupFault =
  ({ namesOf, unnamedKey }: Pick<Lookup, 'namesOf' | 'unnamedKey'>): FaultOf =>
  (body) => {
    const names = namesOf(body);
    if (names.length > 0) return guidFault(body.guid) ?? names.map(nameFault).find((fault) => fault !== undefined);
    return unnamedKey?.(body) === undefined ? 'has no usable name' : undefined;
  };

/** Reads the entries of a lookup and records their GUIDs. A partition that no profile knows has none. */
export async function readLookup(
  { lookup, partition }: LookupPart,
  { reader, onRead, entriesOf }: LookupReader,
  identities: Identities,
): Promise<{ readonly entries: readonly LookupEntry[]; readonly odd: readonly OddName[] }> {
  const { objects: found, odd } = await lookupBodies({ lookup, partition }, reader, entriesOf);
  onRead(lookupKey(lookup.name, partition), found.length + odd.length);
  const named = found.map((body) => ({ body, names: lookup.namesOf(body) }));
  for (const { body, names } of named) identities.enter(lookup.name, names, String(body.guid), partition);
  const entries = named.map(({ names, body }) => ({
    names,
    key: names[0]?.toLowerCase() ?? lookup.unnamedKey?.(body),
    facts: { ...factsOf(body, lookup.facts ?? []), ...identityFact(body) },
  }));
  return { entries, odd: odd.map(({ body, why }) => ({ names: usableNames(lookup.namesOf(body)), why })) };
}

/** Returns the names of an odd entry; none if one of them is unusable, since the entry may have any name then. */
const usableNames = (names: readonly string[]): readonly string[] =>
  names.every((name) => nameFault(name) === undefined) ? names : [];

/** Tells an entry from another one that got its name later. */
const identityFact = ({ guid }: JsonObject): JsonObject =>
  typeof guid === 'string' ? { identity: identityOf(guid) } : {};

const factsOf = (body: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(fields.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]]])));

/** Lists the entries of one partition as the service answers them. */
export async function lookupBodies(
  { lookup, partition }: LookupPart,
  reader: Reader,
  entriesOf?: EntriesOf,
): Promise<Listed> {
  const collection = lookup.partitions[partition];
  if (collection === undefined) return { objects: [], odd: [] };
  const { path } = collectionOf(reader, collection);
  const found = await listCollection(reader, collection, lookupFault(lookup), entriesOf);
  if (lookup.within === undefined) return found;
  const within = await entriesWithin(found.objects, lookup, path, reader);
  return { objects: within.objects, odd: [...found.odd, ...within.odd] };
}

/** Reads entries out of the answer for each single object, named after the object that has them. */
async function entriesWithin(
  holders: readonly JsonObject[],
  lookup: Lookup,
  path: string,
  reader: Reader,
): Promise<Listed> {
  const { within: field = '' } = lookup;
  const limit = pLimit(PARALLEL_READS);
  const whole = await Promise.all(holders.map(({ guid }) => limit(() => reader.get(`${path}/${guid}`))));
  const all = whole.flatMap(({ name: holder, [field]: entries }) =>
    objectsIn(entries).map((entry) => ({ ...entry, name: `${holder}/${entry.name}` })),
  );
  const faultOf = lookupFault(lookup);
  const odd = all.flatMap((body) => {
    const why = faultOf(body);
    return why === undefined ? [] : [{ body, why }];
  });
  for (const { body, why } of odd) reader.warn(oddFinding(`${lookup.name}/${body.name}`, why));
  return { objects: all.filter((body) => faultOf(body) === undefined), odd };
}
