import { DexsyncError } from '#base/errors.js';
import { inNaturalOrder } from '#base/natural-order.js';
import { nearestHint } from '#base/nearest.js';
import { category as categoryLookup } from '#core/lookups/category.js';
import { addressOf } from '#core/model/address.js';
import type { AuditRecord } from '#core/model/audit-record.js';
import type { JsonObject } from '#core/model/json.js';
import type { Guid, Kind, Lookup } from '#core/model/kind.js';
import type { Observation, Observed } from '#core/model/observation.js';
import { readAuditRecord } from '#service/audit-record.js';
import { collectionOf } from '#service/collection.js';
import { observe } from '#service/observe.js';
import { type Listed, listChildren, listCollection } from '#service/odd-entries.js';
import { lookupBodies, lookupFault } from '#service/read-lookup.js';
import type { Connection } from '../connection/connection.js';
import { createObserver } from '../connection/observer.js';
import type { Host } from '../host.js';
import { notInWorkspace, unreadable } from './not-in-workspace.js';

/** An object of the workspace as it is now, with its GUID for scripts. */
export interface LiveObject extends Observed {
  readonly guid: Guid;
  readonly record: AuditRecord;
  /** Fields of the service's answer that no manifest sets. */
  readonly outputs: JsonObject;
}

/**
 * The live objects of a kind, or those of one name with their children. Throws UNKNOWN_NAME for an unknown name, and
 * NO_ENDPOINT if the service lists no such objects.
 */
export async function liveObjects(
  kind: Kind,
  name: string | undefined,
  connection: Connection,
  host: Host,
): Promise<LiveObject[]> {
  const { client, environment } = connection;
  const childrenOf = (_: string, one: string): readonly string[] | undefined => {
    if (name === undefined) return [];
    return one === name ? Object.keys(kind.children) : undefined;
  };
  const { observation, bodies } = await observe(
    { kinds: [kind], lookups: [], childrenOf, alone: 'all', settingsOf: () => (name === undefined ? [] : [name]) },
    createObserver(connection, host),
  );
  if (observation.unlisted.has(kind.name)) throw notListed(kind, client.profile.name);
  const all = objectsOf(kind, observation, bodies);
  const odd = observation.objects.get(kind.name)?.find((object) => object.name === name)?.odd;
  const chosen = name === undefined ? all : all.filter((object) => object.name === name);
  if (name !== undefined && chosen.length === 0) {
    if (odd !== undefined) throw unreadable(addressOf(kind.name, name), odd.why);
    const known = all.map((object) => object.name);
    throw notInWorkspace(addressOf(kind.name, name), { name, known }, environment);
  }
  return chosen;
}

/** The live objects of every kind that the service lists, with one request for each list. */
export async function allLiveObjects(
  kinds: readonly Kind[],
  connection: Connection,
  host: Host,
): Promise<{ kind: Kind; objects: LiveObject[] }[]> {
  const listed = kinds.filter((kind) => isListed(kind, connection));
  const { observation, bodies } = await observe(
    { kinds: listed, lookups: [], childrenOf: () => [], alone: 'all' },
    createObserver(connection, host),
  );
  return listed
    .filter(({ name }) => !observation.unlisted.has(name))
    .map((kind) => ({ kind, objects: objectsOf(kind, observation, bodies) }));
}

function objectsOf(
  kind: Kind,
  { objects }: Pick<Observation, 'objects'>,
  bodies: ReadonlyMap<Kind, readonly JsonObject[]>,
): LiveObject[] {
  const answers = bodies.get(kind) ?? [];
  const all = (objects.get(kind.name) ?? []).flatMap((object, index) =>
    object.odd === undefined ? [toLiveObject(object, kind, answers[index] ?? {})] : [],
  );
  return inNaturalOrder(all, ({ name }) => name);
}

function toLiveObject(object: Observed, { outputs = [] }: Kind, body: JsonObject): LiveObject {
  const told = outputs.map((field) => [field, body[field] ?? null]);
  return { ...object, guid: String(body.guid), record: readAuditRecord(body), outputs: Object.fromEntries(told) };
}

/** Whether the service lists the objects of a kind. */
export const isListed = (kind: Kind, { client }: Connection): boolean =>
  collectionOf(client, kind.collection).can?.list !== false;

/** The error if the service does not list a kind's objects. */
export const notListed = (kind: Kind, profile: string): DexsyncError =>
  new DexsyncError('NO_ENDPOINT', `The service does not list ${kind.name} objects (profile ${profile}).`, {
    hint: `\`dexsync env check\` shows what this environment supports.`,
  });

/** An entry of a lookup as the service returns it. */
export interface LiveEntry {
  readonly names: readonly string[];
  readonly guid: Guid;
  readonly body: JsonObject;
}

/** The requested entries of a lookup. */
export interface LookupChoice {
  readonly lookup: Lookup;
  /** The partition, if the lookup has several; the first by default. */
  readonly partition?: string;
  /** Only the entries of this category. */
  readonly category?: string;
}

/**
 * The entries of a lookup, of one of its partitions, or of one of its categories. Throws UNKNOWN_NAME for an unknown
 * partition or category, and USAGE if the lookup cannot be listed by category.
 */
export async function lookupEntries(
  { lookup, partition = Object.keys(lookup.partitions)[0] ?? '', category }: LookupChoice,
  connection: Connection,
): Promise<LiveEntry[]> {
  if (!Object.hasOwn(lookup.partitions, partition)) throw unknownPartition(lookup, partition);
  const { objects } =
    category === undefined
      ? await lookupBodies({ lookup, partition }, connection.client)
      : await entriesOfCategory(lookup, partition, category, connection);
  const entries = objects.map((body) => ({ names: lookup.namesOf(body), guid: String(body.guid), body }));
  const named = entries.filter(({ names }) => names.length > 0);
  return inNaturalOrder(named, ({ names }) => names[0] ?? '');
}

function unknownPartition({ name, partitions }: Lookup, partition: string): DexsyncError {
  const known = Object.keys(partitions);
  const hint = nearestHint(partition, known) ?? known.join(', ');
  return new DexsyncError('UNKNOWN_NAME', `${name} has no world "${partition}".`, { hint });
}

async function entriesOfCategory(
  lookup: Lookup,
  partition: string,
  category: string,
  { client, environment }: Connection,
): Promise<Listed> {
  const { name, categories = {} } = lookup;
  const collection = categories[partition];
  if (collection === undefined) {
    throw new DexsyncError(
      'USAGE',
      `${[`${name} entries`, partition].filter(Boolean).join(' of ')} cannot be listed by category.`,
      {
        hint: 'Attributes of ITEMS, CHANGES and REQUESTS can.',
      },
    );
  }
  const { path } = collectionOf(client, collection);
  const { objects: all } = await listCollection(client, collection, lookupFault(categoryLookup));
  const found = all.find((one) => one.path === category || one.name === category);
  if (found === undefined) {
    const known = all.map((one) => String(one.path ?? one.name));
    throw notInWorkspace(`Category/${category}`, { name: category, known }, environment);
  }
  return listChildren(client, `${path}/${found.guid}/attributes`, lookupFault(lookup));
}
