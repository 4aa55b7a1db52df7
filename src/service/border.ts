import { DexsyncError } from '../errors.js';
import type { Json, JsonObject } from '../model/json.js';
import { type Guid, isGuid } from '../model/kind.js';
import type { Reader } from './client.js';
import { collectionOf } from './collection.js';
import { listPages, listWhole } from './list-pages.js';
import { nameOfRequest } from './request-name.js';

/**
 * A GUID by its form (wire-facts 3): it becomes part of paths, so nothing else may pass for one. `from` says where it
 * came from; throws ANSWER_UNEXPECTED.
 */
export function guidFrom(value: Json | undefined, from: string): Guid {
  if (typeof value === 'string' && isGuid(value)) return value;
  throw malformedObject(`${from} has ${value === undefined ? 'no guid' : 'an invalid guid'}`);
}

/** Half of a character, or one that ends texts: no name that could be written in a manifest and sent back. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there.
const NO_TEXT = /\u0000|\p{Surrogate}/u;

/**
 * The objects of a collection, each with a guid and, where it is managed by its name, with one that can be written.
 * Throws ANSWER_UNEXPECTED for any other.
 */
export async function listCollection(reader: Reader, name: string): Promise<JsonObject[]> {
  const { path, paged, query, can } = collectionOf(reader, name);
  return checkObjects(await listPages(reader, path, paged, query), path, can === undefined ? 'guid' : 'guid and name');
}

/** The children of an object: they come whole. */
export const listChildren = async (reader: Reader, path: string): Promise<JsonObject[]> =>
  checkObjects(await listWhole(reader, path), path, 'guid');

function checkObjects(found: JsonObject[], path: string, needs: 'guid' | 'guid and name'): JsonObject[] {
  const from = `An object of ${nameOfRequest({ method: 'GET', path })}`;
  for (const { guid, name } of found) {
    guidFrom(guid, from);
    if (needs === 'guid') continue;
    if (typeof name !== 'string' || name === '') throw malformedObject(`${from} has no name`);
    if (NO_TEXT.test(name)) throw malformedObject(`${from} has a name that is not valid text: ${JSON.stringify(name)}`);
  }
  return found;
}

const malformedObject = (what: string): DexsyncError =>
  new DexsyncError('ANSWER_UNEXPECTED', `${what}.`, {
    hint: 'Nothing was changed. Check the `profile` of this environment.',
  });
