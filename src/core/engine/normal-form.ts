import { createHash, hash } from 'node:crypto';
import type { Manifest } from '../model/document.js';
import { type SchemaNode, traitsOf } from '../model/fields.js';
import { canonical, canonicalParts, isObject, type Json, type JsonObject, sameJson } from '../model/json.js';
import { isStandardField } from '../model/known-fields.js';
import type { Plan } from '../model/plan.js';

/** One form for all values that mean the same: entries of sets and keyed lists in a fixed order. */
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

/** The value without what the service would fill in anyway, and without what that leaves empty. */
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
 * The value as it is read where no lookup was: a service that calls custom attributes by their names does not tell them from
 * fields. Fields that every record has are told apart in any case.
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

/** SHA-256 of anything that is JSON, equal for equal values. */
export const digest = (value: Json): string => hash('sha256', canonical(value));

/**
 * What an object was when it was looked at: a plan holds only while this stays the same. It is the same whatever else was read
 * with it.
 */
export const fingerprint = (schema: object, spec: JsonObject): string =>
  digest(normalForm(schema, withoutLookups(schema, spec)));

/** The digest of a plan, the same before it was written to a file and after it was read again. */
export function digestOfPlan(plan: Plan): string {
  const whole = createHash('sha256');
  for (const part of canonicalParts(plan, STEPS)) whole.update(part);
  return whole.digest('hex');
}

/** A large plan is never one text: its steps, two levels down, are hashed one by one. */
const STEPS = 2;

/** The digest of manifests: the same for the same content, wherever it is written. */
export function digestOfManifests(manifests: readonly Manifest[]): string {
  const whole = createHash('sha256').update('[');
  for (const [index, { address, metadata, spec }] of manifests.entries()) {
    if (index > 0) whole.update(',');
    whole.update(canonical({ address, metadata: { ...metadata }, spec }));
  }
  return whole.update(']').digest('hex');
}
