import { createHash, hash } from 'node:crypto';
import type { Manifest } from '../model/document.js';
import { type SchemaNode, traitsOf } from '../model/fields.js';
import { canonical, canonicalParts, isObject, type Json, type JsonObject, sameJson } from '../model/json.js';
import { isStandardField } from '../model/known-fields.js';
import type { Plan } from '../model/plan.js';

/** Gives all values with the same meaning one form: entries of sets and keyed lists get a fixed order. */
export function normalForm(schema: object | undefined, value: Json): Json {
  const node = schema as SchemaNode | undefined;
  if (Array.isArray(value)) return normalList(node, value);
  if (typeof value === 'string' && traitsOf(node).caseless !== undefined) return value.toLowerCase();
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(
    ([key, entry]) => [key, normalForm(node?.properties?.[key], entry)] as const,
  );
  return Object.fromEntries(members);
}

function normalList(node: SchemaNode | undefined, list: readonly Json[]): Json {
  const items = list.map((item) => normalForm(node?.items, item));
  const { set, keyed } = traitsOf(node);
  if (set === undefined && keyed === undefined) return items;
  return [...items].sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
}

/** Removes values that the service would fill in anyway, and what becomes empty by that. */
export function withoutDefaults(schema: object | undefined, value: Json): Json {
  const node = schema as SchemaNode | undefined;
  if (Array.isArray(value)) return value.map((item) => withoutDefaults(node?.items, item));
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, entry]): [string, Json][] => {
    const field = node?.properties?.[key];
    const kept = withoutDefaults(field, entry);
    return [null, {}, traitsOf(field).serverDefault].some((empty) => sameJson(kept, empty)) ? [] : [[key, kept]];
  });
  return Object.fromEntries(members);
}

/**
 * Returns the spec as it is read without lookups: a service that names custom attributes does not distinguish them from
 * fields. Fields that every record has are distinguished in any case.
 */
export const withoutLookups = (schema: object, spec: JsonObject): JsonObject =>
  unresolved(schema as SchemaNode, spec) as JsonObject;

function unresolved(node: SchemaNode | undefined, value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => unresolved(node?.items, item));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, entry]): [string, Json] => {
    const field = node?.properties?.[key];
    const { textIn } = traitsOf(field).ref ?? {};
    const isText = textIn !== undefined && typeof entry === 'string' && !isStandardField(entry);
    return [isText ? textIn : key, unresolved(field, entry)];
  });
  return Object.fromEntries(members);
}

/** Returns the SHA-256 digest of a JSON value, equal for equal values. */
export const digest = (value: Json): string => hash('sha256', canonical(value));

/**
 * Returns the fingerprint of an object as it was seen: a plan is valid only while this stays the same. It does not
 * depend on what else was read with the object.
 */
export const fingerprint = (schema: object, spec: JsonObject): string =>
  digest(normalForm(schema, withoutLookups(schema, spec)));

/** Returns the digest of a plan, which is the same before it is written to a file and after it is read again. */
export function digestOfPlan(plan: Plan): string {
  const whole = createHash('sha256');
  for (const part of canonicalParts(plan, STEPS)) whole.update(part);
  return whole.digest('hex');
}

/** The level at which steps are hashed one by one, since a large plan never becomes one text. */
const STEPS = 2;

/** Returns the digest of manifests by their content, regardless of the files that contain it. */
export function digestOfManifests(manifests: readonly Manifest[]): string {
  const whole = createHash('sha256').update('[');
  for (const [index, { address, metadata, spec }] of manifests.entries()) {
    if (index > 0) whole.update(',');
    whole.update(canonical({ address, metadata: { ...metadata }, spec }));
  }
  return whole.update(']').digest('hex');
}
