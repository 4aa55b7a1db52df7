import { DexsyncError } from '#base/errors.js';
import { quoted } from '#base/printable.js';
import { isObject, type Json, type JsonObject } from '#core/model/json.js';
import { type Guid, isGuid } from '#core/model/kind.js';
import type { Reader } from './client.js';
import { collectionOf } from './collection.js';
import { listEntries } from './list-pages.js';
import { nameOfRequest } from './request-name.js';

/** Returns a GUID that can become part of a path. `from` says where it came from; throws ANSWER_UNEXPECTED. */
export function guidFrom(value: Json | undefined, from: string): Guid {
  const fault = guidFault(value);
  if (fault === undefined) return String(value);
  throw new DexsyncError('ANSWER_UNEXPECTED', `${from} ${fault}.`, {
    hint: 'Nothing was changed. Check the `profile` of this environment.',
  });
}

/** Says what is wrong with a GUID; undefined if it can become part of a path. */
export function guidFault(value: Json | undefined): string | undefined {
  if (typeof value === 'string' && isGuid(value)) return undefined;
  return value === undefined || value === null ? 'has no guid' : 'has an invalid guid';
}

/** Says what is wrong with a name. A name that no manifest can have is still valid. */
export const nameFault = (name: Json | undefined): string | undefined =>
  typeof name === 'string' && name !== '' ? undefined : 'has no name';

/** An entry of a list that cannot be used. */
export interface OddEntry {
  readonly body: JsonObject;
  /** Follows the name of the entry: `has no guid`. */
  readonly why: string;
}

/** Entries of a list: those that can be used, and those that are only known to exist. */
export interface Listed {
  readonly objects: readonly JsonObject[];
  readonly odd: readonly OddEntry[];
}

/** Says what keeps an entry from being used; undefined if nothing does. */
export type FaultOf = (body: JsonObject) => string | undefined;

/** Checks what an object needs to be managed by its name. */
export const objectFault: FaultOf = ({ guid, name }) => guidFault(guid) ?? nameFault(name);

/** Lists the entries of a collection. Warns about each odd one, so that callers do not take it for missing. */
export async function listCollection(
  reader: Reader,
  name: string,
  faultOf: FaultOf = objectFault,
  entriesOf: EntriesOf = (collection) => collectionEntries(reader, collection),
): Promise<Listed> {
  return sortEntries(reader, collectionOf(reader, name).path, await entriesOf(name), faultOf);
}

/** Reads the list of a collection. */
export type EntriesOf = (collection: string) => Promise<readonly Json[]>;

/** The entries of a collection as the service answers them. */
export function collectionEntries(reader: Reader, name: string): Promise<readonly Json[]> {
  const { path, paged, query } = collectionOf(reader, name);
  return listEntries(reader, path, paged ? 'paged' : 'whole', query);
}

/** Lists the children of an object, which come in one answer. */
export const listChildren = async (reader: Reader, path: string, faultOf: FaultOf): Promise<Listed> =>
  sortEntries(reader, path, await listEntries(reader, path, 'whole'), faultOf);

/** Separates usable entries from odd ones, and warns about each odd one. */
export function sortEntries(reader: Reader, path: string, entries: readonly Json[], faultOf: FaultOf): Listed {
  const objects: JsonObject[] = [];
  const odd: OddEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    const body = isObject(entry) ? entry : {};
    const why = isObject(entry) ? faultOf(body) : 'is not an object';
    if (why === undefined) objects.push(body);
    else odd.push({ body, why });
    if (why !== undefined) reader.warn(oddFinding(`${calledIn(body, index)} of ${requestTo(path)}`, why));
  }
  return { objects, odd };
}

const requestTo = (path: string): string => nameOfRequest({ method: 'GET', path });

/** Returns what people can find the entry by. */
function calledIn({ name, fullName, path, number }: JsonObject, index: number): string {
  const called = [name, path, fullName].find((text) => typeof text === 'string' && text !== '');
  const numbered = typeof number === 'number' ? ` (#${number})` : '';
  return called === undefined ? `Entry ${index + 1}${numbered}` : `The entry ${quoted(called)}${numbered}`;
}

/** Warns about one odd part of an answer; the rest is used. */
export const oddFinding = (what: string, why: string) =>
  ({
    severity: 'warning',
    code: 'answer-odd',
    message: `${what} ${why}.`,
    hint: 'It is left as it is: nothing is created, changed or removed in its place. Correct it in the workspace, or check the `profile` of this environment.',
  }) as const;
