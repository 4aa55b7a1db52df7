import type { TObject } from 'typebox';
import { entryNames, traitsOf } from '#core/model/fields.js';
import { isObject, type Json, type JsonObject } from '#core/model/json.js';
import type { Guid, Kind, Lookup, Members, OwnEntries } from '#core/model/kind.js';
import type { Reader } from './client.js';
import { collectionOf } from './collection.js';
import type { Identities } from './identities.js';
import { type FaultOf, guidFault, listChildren, objectFault } from './odd-entries.js';
import { lookupFault } from './read-lookup.js';
import { readSpec } from './read-spec.js';

/** A list of an object, read with one request: its entries as manifests write them, or why they cannot be read. */
export type ReadList = readonly [field: string, entries: readonly Json[], fault?: string];

/** What lists are read with. */
export interface ListReader {
  readonly reader: Reader;
  readonly lookupNamed: (name: string) => Lookup | undefined;
  readonly identities: Identities;
}

/** Reads one list of an object, and records the GUIDs of its entries. */
export async function readChildren(kind: Kind, field: string, owner: Guid, reading: ListReader): Promise<ReadList> {
  const children = kind.children[field];
  if (children === undefined) return [field, []];
  const path = childrenPath(reading.reader, kind, field, owner);
  return children.ref === undefined
    ? readEntries(field, path, { ...children, list: kind.schema.properties[field] }, reading)
    : readMembers(field, path, children, reading);
}

/** The path of a list of an object. */
export const childrenPath = (reader: Pick<Reader, 'profile'>, kind: Kind, field: string, owner: Guid): string =>
  `${collectionOf(reader, kind.collection).path}/${owner}/${kind.children[field]?.path}`;

async function readMembers(
  field: string,
  path: string,
  { ref }: Members,
  { reader, lookupNamed, identities }: ListReader,
): Promise<ReadList> {
  const lookup = lookupNamed(ref);
  const namesOf = lookup?.namesOf ?? (({ name }: JsonObject) => [String(name)]);
  const faultOf: FaultOf = lookup === undefined ? objectFault : lookupFault(lookup);
  const { objects: found, odd } = await listChildren(reader, path, faultOf);
  if (odd.length > 0) return [field, [], oddEntry(field, odd[0]?.why)];
  // Records their names now, even if no manifest refers to one and the lookup was not read.
  for (const body of found) identities.enter(ref, namesOf(body), String(body.guid));
  return [field, found.map((body) => namesOf(body)[0] ?? String(body.guid))];
}

/** GUIDs of values are recorded by the names of their entries, apart for each list. */
async function readEntries(
  field: string,
  path: string,
  { list, fromWire, guidIn }: OwnEntries & { readonly list: object | undefined },
  { reader, identities }: ListReader,
): Promise<ReadList> {
  const { items } = list as { readonly items: TObject };
  const guidOf = (body: JsonObject): Json | undefined => {
    const holder = guidIn === undefined ? body : body[guidIn];
    return isObject(holder) ? holder.guid : undefined;
  };
  const read = (body: JsonObject) => readSpec({ schema: items, fromWire }, body, identities);
  const { objects: found, odd } = await listChildren(
    reader,
    path,
    (body) => guidFault(guidOf(body)) ?? read(body).fault,
  );
  if (odd.length > 0) return [field, [], oddEntry(field, odd[0]?.why)];
  const entries = found.map((body) => read(body).spec);
  for (const [index, name] of entryNames(entries, traitsOf(list).keyed ?? []).entries())
    identities.enter(field, [name], String(guidOf(found[index] as JsonObject)), path);
  return [field, entries];
}

const oddEntry = (field: string, why: string | undefined): string => `has ${field}, of which one ${why}`;
