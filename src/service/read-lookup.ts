import pLimit from 'p-limit';
import { type JsonObject, objectsIn } from '../model/json.js';
import type { Lookup } from '../model/kind.js';
import { lookupKey } from '../model/observation.js';
import { guidFrom, listCollection } from './border.js';
import type { Reader } from './client.js';
import { collectionOf } from './collection.js';
import type { Identities } from './identities.js';

/** One partition of a lookup, such as the attributes of one world; `""` where it has one alone. */
export interface LookupPart {
  readonly lookup: Lookup;
  readonly partition: string;
}

/** What reads lists, and what is told how many entries each had. */
export interface LookupReader {
  readonly reader: Reader;
  readonly onRead: (what: string, count: number) => void;
}

/** How many reads of single objects are under way at once. */
export const PARALLEL_READS = 8;

/** An entry by the names that references may use for it, the usual one first. */
export interface LookupEntry {
  readonly names: readonly string[];
  /** What its facts are found by: its first name in lower case, or what the lookup has for one without a name. */
  readonly key: string | undefined;
  /** The fields that the lookup keeps beside the names. */
  readonly facts: JsonObject;
}

/** The entries of a lookup, each with its GUID entered. A partition that no profile knows has none. */
export async function readLookup(
  { lookup, partition }: LookupPart,
  { reader, onRead }: LookupReader,
  identities: Identities,
): Promise<readonly LookupEntry[]> {
  const found = await lookupBodies({ lookup, partition }, reader);
  onRead(lookupKey(lookup.name, partition), found.length);
  const named = found.map((body) => ({ body, names: lookup.namesOf(body) }));
  for (const { body, names } of named) identities.enter(lookup.name, names, String(body.guid), partition);
  return named.map(({ names, body }) => ({
    names,
    key: names[0]?.toLowerCase() ?? lookup.unnamedKey?.(body),
    facts: factsOf(body, lookup.facts ?? []),
  }));
}

const factsOf = (body: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(fields.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]]])));

/** The entries of one partition as the service answers them. */
export async function lookupBodies({ lookup, partition }: LookupPart, reader: Reader): Promise<JsonObject[]> {
  const collection = lookup.partitions[partition];
  if (collection === undefined) return [];
  const { path } = collectionOf(reader, collection);
  const found = await listCollection(reader, collection);
  return lookup.within === undefined ? found : entriesWithin(found, lookup.within, path, reader);
}

/** Entries of a single answer's list, named after the object that holds them. */
async function entriesWithin(
  holders: readonly JsonObject[],
  field: string,
  path: string,
  reader: Reader,
): Promise<JsonObject[]> {
  const limit = pLimit(PARALLEL_READS);
  const whole = await Promise.all(holders.map(({ guid }) => limit(() => reader.get(`${path}/${guid}`))));
  return whole.flatMap(({ name: holder, [field]: entries }) =>
    objectsIn(entries).map((entry) => ({
      ...entry,
      guid: guidFrom(entry.guid, `An entry of "${holder}"`),
      name: `${holder}/${entry.name}`,
    })),
  );
}
