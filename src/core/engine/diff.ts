import { omitUndefined } from '#base/omit-undefined.js';
import { entryKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { canonical, isObject, type Json, type JsonObject, sameJson } from '../model/json.js';
import type { FieldChange } from '../model/plan.js';
import { normalForm, withoutLookups } from './normal-form.js';
import { pairEntries } from './pair-entries.js';
import { mapReferences } from './references.js';

/**
 * Computes how the observed spec must change to be as desired. A field that `desired` does not name is left alone;
 * `null` asks for the field to be cleared.
 */
export function diffSpec(schema: object, desired: JsonObject, observed: JsonObject): FieldChange[] {
  return diffObject(schema as SchemaNode, desired, observed, '');
}

function diffObject(
  schema: SchemaNode | undefined,
  desired: JsonObject,
  observed: JsonObject,
  path: string,
): FieldChange[] {
  return Object.entries(desired).flatMap(([key, value]) =>
    diffValue(schema?.properties?.[key], value, observed[key], path === '' ? key : `${path}.${key}`),
  );
}

function diffValue(
  schema: SchemaNode | undefined,
  desired: Json,
  observed: Json | undefined,
  path: string,
): FieldChange[] {
  const { set, keyed, serverDefault } = traitsOf(schema);
  // A cleared set loses its members one by one: each may be a request of its own.
  if (desired === null && set !== undefined) return diffSet(asList(serverDefault), asList(observed), path);
  if (desired === null && isObject(observed) && schema?.properties !== undefined) {
    return diffObject(schema, clearEach(schema.properties), observed, path);
  }
  if (desired === null) return diffCleared(observed, serverDefault, path);
  if (keyed !== undefined) return diffKeyed(schema, keyed, asList(desired), asList(observed), path);
  if (set !== undefined) return diffSet(asList(desired), asList(observed), path);
  if (isObject(desired) && schema?.properties !== undefined) {
    return diffObject(schema, desired, isObject(observed) ? observed : {}, path);
  }
  const effective = observed ?? serverDefault;
  return sameJson(normalForm(schema, desired), effective === undefined ? undefined : normalForm(schema, effective))
    ? []
    : [fieldChange(path, observed, desired)];
}

/** Clears an object field by field, since the service may fill in a value for each. */
export const clearEach = (properties: object): JsonObject =>
  Object.fromEntries(Object.keys(properties).map((field) => [field, null]));

const asList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function diffCleared(observed: Json | undefined, serverDefault: Json | undefined, path: string): FieldChange[] {
  const empty =
    observed === undefined || observed === null || observed === '' || sameJson(observed, []) || sameJson(observed, {});
  return empty || sameJson(observed, serverDefault) ? [] : [fieldChange(path, observed, serverDefault)];
}

function diffSet(desired: readonly Json[], observed: readonly Json[], path: string): FieldChange[] {
  const wanted = new Map(desired.map((item) => [canonical(item), item]));
  const present = new Map(observed.map((item) => [canonical(item), item]));
  const added = [...wanted].filter(([key]) => !present.has(key)).map(([, item]) => item);
  const removed = [...present].filter(([key]) => !wanted.has(key)).map(([, item]) => item);
  return [
    ...added.map((item) => fieldChange(`${path}[${label(item)}]`, undefined, item)),
    ...removed.map((item) => fieldChange(`${path}[${label(item)}]`, item, undefined)),
  ];
}

function diffKeyed(
  schema: SchemaNode | undefined,
  by: readonly string[],
  desired: readonly Json[],
  observed: readonly Json[],
  path: string,
): FieldChange[] {
  const { pairs, left } = pairEntries(desired, observed, by);
  const changed = pairs.flatMap(({ desired: entry, observed: counterpart }) => {
    const place = `${path}[${entryKey(entry, by)}]`;
    return counterpart === undefined
      ? [fieldChange(place, undefined, entry)]
      : diffValue(schema?.items, entry, counterpart.entry, place);
  });
  return [...changed, ...left.map(({ name, entry }) => fieldChange(`${path}[${name}]`, entry, undefined))];
}

const label = (item: Json): string => (typeof item === 'string' ? item : canonical(item));

const fieldChange = (path: string, before: Json | undefined, after: Json | undefined): FieldChange => ({
  path,
  ...omitUndefined({ before, after }),
});

/** Returns the spec's field that a change is in: `options` of `options.mapping[ITEM_SPECS name].sourceName`. */
export const topField = (path: string): string => path.replace(/[.[].*$/s, '');

/** A manifest's spec, what was last applied of it, and the live spec. */
export interface ThreeWays {
  readonly desired: JsonObject;
  readonly applied: JsonObject;
  readonly observed: JsonObject;
}

/** Adds to each difference its cause: whether manifest, workspace or both left what was last applied. */
export function withCauses(
  schema: object,
  fields: readonly FieldChange[],
  { desired, applied, observed }: ThreeWays,
): FieldChange[] {
  const before = Object.fromEntries(Object.entries(applied).filter(([, value]) => value !== null));
  const asked = diffSpec(schema, desired, before);
  const drifted = diffSpec(schema, applied, observed);
  return fields.map((field) => {
    if (!drifted.some(({ path }) => isRelated(path, field.path))) return { ...field, cause: 'asked' };
    if (!asked.some(({ path }) => isRelated(path, field.path))) return { ...field, cause: 'drift' };
    const applied = drifted.find(({ path }) => path === field.path)?.after;
    return { ...field, cause: 'both', ...omitUndefined({ applied }) };
  });
}

/** Whether two paths are the same, or one is inside the other. */
export const isRelated = (a: string, b: string): boolean => a === b || isWithin(a, b) || isWithin(b, a);

const isWithin = (inner: string, outer: string): boolean =>
  inner.startsWith(outer) && ['.', '['].includes(inner.charAt(outer.length));

/** Lists where two states of one object differ, whichever has the field, regardless of which lookups were read. */
export function changedPaths(schema: object, ...states: readonly [before: JsonObject, after: JsonObject]): string[] {
  const [before, after] = states.map((spec) => withoutLookups(schema, spec)) as [JsonObject, JsonObject];
  const paths = [...diffSpec(schema, after, before), ...diffSpec(schema, before, after)].map(({ path }) => path);
  if (paths.length > 0) return [...new Set(paths)];
  // The states differ only by a value that the service fills in.
  const [was, is] = [normalForm(schema, before) as JsonObject, normalForm(schema, after) as JsonObject];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((field) => !sameJson(was[field], is[field]));
}

/**
 * Lists top-level fields of `now` that changed, except for what they refer to: while a plan is applied, its own steps
 * rename and replace what an object refers to.
 */
export function changedBesideReferences(schema: object, before: JsonObject, now: JsonObject): string[] {
  const [was, is] = [before, now].map(
    (spec) =>
      normalForm(
        schema,
        mapReferences(schema, spec, () => ''),
      ) as JsonObject,
  ) as [JsonObject, JsonObject];
  return Object.keys(is).filter((field) => !sameJson(was[field], is[field]));
}
