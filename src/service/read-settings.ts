import pLimit from 'p-limit';
import { isObject, type JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { Reader } from './client.js';
import { collectionOf, objectPath } from './collection.js';
import { guidFault, type Listed, type OddEntry } from './odd-entries.js';
import { PARALLEL_READS } from './read-lookup.js';

type SettingsOf = NonNullable<Kind['settingsOf']>;

/** Reads the settings of the objects with some names, with two requests for each; those that are absent have none. */
export async function readSettings(
  kind: Kind,
  { nameIn }: SettingsOf,
  names: readonly string[],
  reader: Reader,
): Promise<Listed> {
  const { path } = collectionOf(reader, kind.collection);
  const limit = pLimit(PARALLEL_READS);
  const odd: OddEntry[] = [];
  const read = async (name: string): Promise<readonly JsonObject[]> => {
    const { results } = await reader.get(path, { [nameIn]: name, limit: reader.profile.pageLimit });
    const found = (Array.isArray(results) ? results : []).filter(isObject).filter((body) => body[nameIn] === name);
    const [first] = found;
    if (first === undefined) return [];
    const why = guidFault(first.guid) ?? (found.length > 1 ? 'is not the only one' : undefined);
    if (why !== undefined) odd.push({ body: { ...first, name }, why });
    if (why !== undefined) return [];
    const settings = await reader.get(objectPath(reader, kind, String(first.guid)));
    return [{ ...settings, guid: String(first.guid), name }];
  };
  const objects = await Promise.all([...new Set(names)].map((name) => limit(() => read(name))));
  return { objects: objects.flat(), odd };
}
