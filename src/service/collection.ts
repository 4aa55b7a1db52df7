import type { Collection } from '#core/model/collection.js';
import type { Guid, Kind } from '#core/model/kind.js';
import type { Capability, Observation } from '#core/model/observation.js';
import type { Reader } from './client.js';
import { NO_ENDPOINTS, READ_ONLY } from './profiles/profile.js';

type WithProfile = Pick<Reader, 'profile'>;

/** Returns where a profile has the objects of a kind or lookup, and what can be done there. */
export function collectionOf({ profile }: WithProfile, name: string): Collection {
  const collection = profile.collections[name];
  if (collection !== undefined) return collection;
  throw new Error(`Profile "${profile.name}" has no collection "${name}".`);
}

/** The path of one object of a kind; of settings, below the object that has them. */
export const objectPath = (reader: WithProfile, { collection, settingsOf }: Kind, guid: Guid): string =>
  [collectionOf(reader, collection).path, guid, ...(settingsOf === undefined ? [] : [settingsOf.path])].join('/');

/** Returns what the profile allows for objects of a kind; nothing if the service turned out to have no list of them. */
export const capabilityOf = (
  reader: WithProfile,
  { name, collection }: Kind,
  { unlisted }: Pick<Observation, 'unlisted'>,
): Capability => (unlisted.has(name) ? NO_ENDPOINTS : (collectionOf(reader, collection).can ?? READ_ONLY));

/** Returns the fields of a kind that the service does not return. */
export const hiddenFieldsOf = (...given: Parameters<typeof capabilityOf>): readonly string[] =>
  capabilityOf(...given).hidden ?? [];
