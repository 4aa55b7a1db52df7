import { diffSpec } from '#core/engine/diff.js';
import type { Manifest } from '#core/model/document.js';
import { matchKey, type SchemaNode, traitsOf } from '#core/model/fields.js';
import { canonical, isObject, type Json, type JsonObject } from '#core/model/json.js';
import { dottedPath, type Pointer, pointerTo, valueAt } from '#core/model/pointer.js';
import type { LiveManifest } from '#project/live/describe-live.js';
import { leanValue } from '#project/live/lean-spec.js';
import { fieldAround } from '#project/live/unwritable.js';

/** One change that makes a manifest match the live object. Pointers are below `spec`, unless `in` says where. */
export type Edit =
  | {
      readonly is: 'set';
      readonly in?: 'metadata';
      readonly pointer: Pointer;
      readonly value: Json;
      /** The manifest has the surrounding value, but not this one yet. */
      readonly isNew?: boolean;
    }
  | { readonly is: 'remove'; readonly pointer: Pointer }
  /** Drops entries of a list, by their index before the edit, and adds others at its end. */
  | {
      readonly is: 'entries';
      readonly pointer: Pointer;
      readonly drop: readonly number[];
      readonly add: readonly Json[];
    };

/** Returns the edit that allows a manifest's values that resemble known ones, if they are not allowed yet. */
export function allowEdits({ metadata, spec }: Manifest, { whole, doubtful }: LiveManifest): Edit[] {
  const isNamed = (pointer: Pointer): boolean => valueAt(spec, fieldAround(whole, pointer)) !== undefined;
  if (metadata.known === 'any' || !doubtful.some(isNamed)) return [];
  return [{ is: 'set', in: 'metadata', pointer: '/known', value: 'any', isNew: true }];
}

/** Returns the pointer of an edit from the root of its document. */
export const editPointer = (edit: Edit): Pointer =>
  `/${edit.is === 'set' ? (edit.in ?? 'spec') : 'spec'}${edit.pointer}`;

/** A manifest and its live object. */
export interface Difference {
  readonly schema: object;
  /** The spec as written in the manifest. */
  readonly written: JsonObject;
  /** The spec with every reference by the name that the workspace uses first. */
  readonly desired: JsonObject;
  readonly live: JsonObject;
  /** Dotted paths of fields to leave as written. */
  readonly untouched: readonly string[];
}

/** Returns the edits after which a manifest asks for nothing. A field that it does not name stays unnamed. */
export function editsFor({ schema, written, desired, live, untouched }: Difference): Edit[] {
  return editObject({ node: schema as SchemaNode, written, desired, live, at: '' }, new Set(untouched));
}

/** A place in a manifest, with its written, desired and live values. */
export interface Place<T> {
  readonly node: SchemaNode | undefined;
  readonly written: T;
  readonly desired: T;
  readonly live: T;
  readonly at: Pointer;
}

function editObject({ node, written, desired, live, at }: Place<JsonObject>, untouched: ReadonlySet<string>): Edit[] {
  return Object.keys(written).flatMap((field): Edit[] => {
    const pointer = pointerTo(at, field);
    const [own, wanted] = [written[field] as Json, desired[field] as Json];
    const inner = node?.properties?.[field];
    const observed = live[field];
    if (untouched.has(dottedPath(pointer))) return [];
    const as = (spec: Json | undefined): JsonObject => (spec === undefined ? {} : { [field]: spec });
    if (diffSpec({ properties: { [field]: inner } }, as(wanted), as(observed)).length === 0) return [];
    const value = observed ?? traitsOf(inner).serverDefault;
    if (value === undefined || value === null) return [{ is: 'remove', pointer }];
    return editValue({ node: inner, written: own, desired: wanted, live: value, at: pointer }, untouched);
  });
}

function editValue({ node, written, desired, live, at }: Place<Json>, untouched: ReadonlySet<string>): Edit[] {
  if (isObject(written) && isObject(desired) && isObject(live) && node?.properties !== undefined) {
    return editObject({ node, written, desired, live, at }, untouched);
  }
  const { keyed, set } = traitsOf(node);
  if (Array.isArray(written) && Array.isArray(desired) && Array.isArray(live) && written.length === desired.length) {
    if (keyed !== undefined) return editKeyed({ node, written, desired, live, at }, keyed, untouched);
    if (set !== undefined) return [entries(at, desired, live, canonical)];
  }
  return [{ is: 'set', pointer: at, value: leanValue(node, live) }];
}

function editKeyed(
  { node, written, desired, live, at }: Place<readonly Json[]>,
  by: readonly string[],
  untouched: ReadonlySet<string>,
): Edit[] {
  const key = (entry: Json): string => matchKey(entry, by);
  const present = new Map(live.map((entry) => [key(entry), entry]));
  const within = desired.flatMap((entry, index): Edit[] => {
    const counterpart = present.get(key(entry));
    const own = written[index];
    if (!isObject(entry) || !isObject(counterpart) || !isObject(own)) return [];
    const pointer = pointerTo(at, index);
    return editObject({ node: node?.items, written: own, desired: entry, live: counterpart, at: pointer }, untouched);
  });
  const { drop, add } = entries(at, desired, live, key);
  const lean = leanValue(node, add) as readonly Json[];
  return drop.length + add.length === 0 ? within : [...within, { is: 'entries', pointer: at, drop, add: lean }];
}

/** Compares entries by key: drops those that are not live, and adds live ones that are not written. */
function entries(pointer: Pointer, desired: readonly Json[], live: readonly Json[], keyOf: (entry: Json) => string) {
  const present = new Set(live.map(keyOf));
  const wanted = new Set(desired.map(keyOf));
  const drop = desired.flatMap((entry, index) => (present.has(keyOf(entry)) ? [] : [index]));
  const add = live.filter((entry) => !wanted.has(keyOf(entry)));
  return { is: 'entries', pointer, drop, add } as const;
}
