import { type Dialect, type Fields, type Json, type KindName, kindModel, meets } from './kinds.js';
import type { RowList, Rows } from './rows.js';

/** An object of a workspace. Only the model knows it by its number; `guid` is what the service called it, once that was seen. */
export interface LiveObject {
  readonly id: number;
  readonly kind: KindName;
  guid?: string;
  /** Its name before it was renamed away, where its new name is not known. */
  retiredFrom?: string;
  name: string;
  fields: Record<string, Json>;
}

/** A document of a clone. */
export interface Manifest {
  readonly kind: KindName;
  name: string;
  file: string;
  spec: Record<string, Json>;
  renamedFrom?: string;
  protect?: boolean;
}

/** What a ledger knows of an object. */
export interface Fact {
  readonly stack: string;
  readonly object: LiveObject;
  readonly protect: boolean;
  /** What each field was when it was last written, adopted, pulled or first recorded. */
  readonly base: Fields;
  /** Lists beside the object of which it may be recorded that they were empty: its creation was answered, or was not. */
  readonly loose?: readonly string[];
}

/** What one ledger says of one workspace, by address. */
export type Ledger = Map<string, Fact>;

export interface Workspace {
  readonly dialect: Dialect;
  live: LiveObject[];
  /** What is known of it. */
  readonly ledgers: Ledger[];
  readonly rows: Rows;
}

/** Somebody's copy of the project. */
export interface Clone {
  readonly name: string;
  readonly stack: string;
  manifests: Manifest[];
  lists: RowList[];
}

export const addressOf = (kind: KindName, name: string): string => `${kind}/${name}`;

export const addressOfObject = ({ kind, name }: Pick<LiveObject, 'kind' | 'name'>): string => addressOf(kind, name);

export const addressOfManifest = ({ kind, name }: Manifest): string => addressOf(kind, name);

let lastId = 0;

export function newObject(kind: KindName, name: string, fields: Fields): LiveObject {
  lastId += 1;
  return { id: lastId, kind, name, fields: { ...fields } };
}

export const named = ({ live }: Workspace, kind: KindName, name: string): LiveObject[] =>
  live.filter((object) => object.kind === kind && object.name === name);

/**
 * Gives an object another name, also where others refer to it: the service refers by GUID. What a ledger says of references it
 * says in names, and it can follow only objects that it knows.
 */
export function rename(workspace: Workspace, object: LiveObject, name: string): void {
  const { ledgers } = workspace;
  for (const ledger of ledgers.filter((one) => [...one.values()].some((fact) => fact.object === object)))
    for (const [address, fact] of ledger)
      ledger.set(address, { ...fact, base: withReference(fact.object.kind, fact.base, object, name) });
  replaceReferences(workspace, object, name);
  object.name = name;
}

/** Takes an object away, and what refers to it refers to it no more. */
export function remove(workspace: Workspace, object: LiveObject): void {
  replaceReferences(workspace, object, undefined);
  workspace.live = workspace.live.filter((one) => one !== object);
}

function replaceReferences({ live }: Workspace, object: LiveObject, by: string | undefined): void {
  for (const one of live) one.fields = withReference(one.kind, one.fields, object, by);
}

const withReference = (
  kind: KindName,
  fields: Fields,
  object: LiveObject,
  by: string | undefined,
): Record<string, Json> =>
  mapReferences(kind, fields, (refersTo, entry) => (refersTo === object.kind && entry === object.name ? by : entry));

/** The fields with other names in their references; fields whose references are all gone are left out. */
export function mapReferences(
  kind: KindName,
  fields: Fields,
  nameOf: (kind: KindName, name: string) => string | undefined,
): Record<string, Json> {
  const mapped = { ...fields };
  for (const [field, { refersTo }] of Object.entries(kindModel(kind).fields)) {
    const value = fields[field];
    if (refersTo === undefined || refersTo === 'User' || !Array.isArray(value)) continue;
    mapped[field] = [...new Set(value.flatMap((entry: Json) => nameOf(refersTo, String(entry)) ?? []))];
  }
  return mapped;
}

/** Who refers to an object. */
export const referrers = ({ live }: Workspace, { kind, name }: LiveObject): LiveObject[] =>
  live.filter((one) => referencesIn(one.kind, one.fields).some((ref) => ref.kind === kind && ref.name === name));

export interface Reference {
  readonly kind: KindName;
  readonly name: string;
}

export const referencesIn = (kind: KindName, fields: Fields): Reference[] =>
  Object.entries(kindModel(kind).fields).flatMap(([field, { refersTo }]) => {
    const value = fields[field];
    if (refersTo === undefined || refersTo === 'User' || !Array.isArray(value)) return [];
    return value.map((name: Json) => ({ kind: refersTo, name: String(name) }));
  });

/** Fields in which an object is not as is asked. */
export const differing = (asked: Fields, fields: Fields): string[] =>
  Object.keys(asked).filter((field) => !meets(asked[field], fields[field]));
