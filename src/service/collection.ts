import { DexsyncError } from '../errors.js';
import type { Reader } from './client.js';
import type { Collection } from './profiles/profile.js';

/** Where a profile keeps the objects of a kind or lookup, and what can be done there. */
export function collectionOf({ profile }: Pick<Reader, 'profile'>, name: string): Collection {
  const collection = profile.collections[name];
  if (collection !== undefined) return collection;
  throw new DexsyncError('UNKNOWN_NAME', `Profile "${profile.name}" has no collection "${name}".`);
}
