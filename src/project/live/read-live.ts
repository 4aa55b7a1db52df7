import type { Reference } from '#core/engine/references.js';
import type { Kind } from '#core/model/kind.js';
import { lookupKey, type Observation } from '#core/model/observation.js';
import type { Identities } from '#service/identities.js';
import { type ObserveRequest, type Observer, observe } from '#service/observe.js';
import type { Connection } from '../connection/connection.js';
import { createObserver } from '../connection/observer.js';
import type { Host } from '../host.js';

/** The live objects to read completely. */
export interface LiveRequest {
  readonly kinds: readonly Kind[];
  /** Whether an object is wanted; its children are read with a request for each of its lists. */
  readonly isWanted: (kind: string, name: string) => boolean;
  /** The names of the settings of a kind to read. */
  readonly settingsOf: NonNullable<ObserveRequest['settingsOf']>;
  /** The objects that stay separate although their kind would merge them into others. */
  readonly alone: ObserveRequest['alone'];
}

/** The live objects of some kinds, and the names that references in them can use. */
export interface LiveReading {
  readonly observation: Observation;
  /** Counts the objects or lookup entries that a reference could mean; undefined if that type was not read. */
  readonly countNamed: CountNamed;
  /** The GUIDs of the objects that were read. */
  readonly identities: Identities;
}

/** Counts the live objects or lookup entries that a reference could mean. */
export type CountNamed = (reference: Omit<Reference, 'pointer'>) => number | undefined;

/**
 * Reads live objects with their children: a list for each kind, the lists that they refer to, and the declared children
 * of the wanted objects. Sends no writes.
 */
export async function readLive(
  { kinds, isWanted, alone, settingsOf }: LiveRequest,
  connection: Pick<Connection, 'client' | 'catalog'>,
  host: Host,
): Promise<LiveReading> {
  const observer = createObserver(connection, host);
  const childrenOf = (kind: string, name: string): readonly string[] | undefined =>
    isWanted(kind, name) ? Object.keys(observer.kindNamed(kind)?.children ?? {}) : undefined;
  const { observation, bodies, identities } = await observe(
    {
      ...{ kinds, lookups: [], childrenOf, alone, attributes: 'looked up', announces: 'children' },
      settingsOf,
    },
    observer,
  );
  const read = new Set([...[...bodies.keys()].map(({ name }) => name), ...observation.lookups.keys()]);
  const beside = await observe(missingTypes(kinds, observation, read, observer), observer);
  const lookups = [...observation.lookups, ...beside.observation.lookups];
  const counts = new Map([
    ...[...bodies, ...beside.bodies].map(
      ([kind, found]) => [kind.name, countEach(found.map(({ name }) => String(name)))] as const,
    ),
    ...lookups.map(([key, entries]) => [key, countEach(entries.flatMap((names) => [...new Set(names)]))] as const),
  ]);
  return {
    observation: { ...observation, lookups: new Map(lookups) },
    identities,
    countNamed: ({ kind, partition, name }) => {
      const table = counts.get(lookupKey(kind, partition));
      return table === undefined ? undefined : (table.get(name) ?? 0);
    },
  };
}

/** Requests the types that only children refer to: their names may be ambiguous, or gone by now. */
function missingTypes(
  kinds: readonly Kind[],
  { objects }: Observation,
  read: ReadonlySet<string>,
  { kindNamed, lookupNamed }: Observer,
): ObserveRequest {
  const used = kinds.flatMap(({ name, children }) =>
    Object.entries(children).flatMap(([field, { ref }]) => {
      const isUsed = (objects.get(name) ?? []).some(({ spec }) => Array.isArray(spec[field]) && spec[field].length > 0);
      return ref !== undefined && isUsed && !read.has(ref) ? [ref] : [];
    }),
  );
  const missing = [...new Set(used)];
  return {
    kinds: missing.flatMap((name) => kindNamed(name) ?? []),
    lookups: missing.flatMap((name) => {
      const lookup = lookupNamed(name);
      return lookup === undefined ? [] : [{ lookup, partition: '' }];
    }),
    childrenOf: () => undefined,
    alone: 'all',
  };
}

function countEach(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
