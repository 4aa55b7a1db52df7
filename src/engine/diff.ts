import { entryKey, matchKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { canonical, isObject, type Json, type JsonObject, sameJson } from '../model/json.js';
import type { FieldChange } from '../model/plan.js';
import { normalForm } from './normal-form.js';

/**
 * How the observed spec must change to be as desired. A field that `desired` does not name is left alone;
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
    return diffObject(schema, everyCleared(schema.properties), observed, path);
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
    : [change(path, observed, desired)];
}

/** An object that is cleared is cleared field by field: each may have a value that the service fills in. */
const everyCleared = (properties: object): JsonObject =>
  Object.fromEntries(Object.keys(properties).map((field) => [field, null]));

const asList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function diffCleared(observed: Json | undefined, serverDefault: Json | undefined, path: string): FieldChange[] {
  const empty =
    observed === undefined || observed === null || observed === '' || sameJson(observed, []) || sameJson(observed, {});
  return empty || sameJson(observed, serverDefault) ? [] : [change(path, observed, serverDefault)];
}

function diffSet(desired: readonly Json[], observed: readonly Json[], path: string): FieldChange[] {
  const wanted = new Map(desired.map((item) => [canonical(item), item]));
  const present = new Map(observed.map((item) => [canonical(item), item]));
  const added = [...wanted].filter(([key]) => !present.has(key)).map(([, item]) => item);
  const removed = [...present].filter(([key]) => !wanted.has(key)).map(([, item]) => item);
  return [
    ...added.map((item) => change(`${path}[${label(item)}]`, undefined, item)),
    ...removed.map((item) => change(`${path}[${label(item)}]`, item, undefined)),
  ];
}

function diffKeyed(
  schema: SchemaNode | undefined,
  by: readonly string[],
  desired: readonly Json[],
  observed: readonly Json[],
  path: string,
): FieldChange[] {
  const present = new Map<string, Json>();
  const doubled: Json[] = [];
  for (const entry of observed) {
    const key = matchKey(entry, by);
    if (present.has(key)) doubled.push(entry);
    else present.set(key, entry);
  }
  const wanted = new Set(desired.map((entry) => matchKey(entry, by)));
  const changed = desired.flatMap((entry) => {
    const counterpart = present.get(matchKey(entry, by));
    const place = `${path}[${entryKey(entry, by)}]`;
    return counterpart === undefined
      ? [change(place, undefined, entry)]
      : diffValue(schema?.items, entry, counterpart, place);
  });
  const gone = [...present].filter(([key]) => !wanted.has(key)).map(([, entry]) => entry);
  return [
    ...changed,
    ...[...gone, ...doubled].map((entry) => change(`${path}[${entryKey(entry, by)}]`, entry, undefined)),
  ];
}

const label = (item: Json): string => (typeof item === 'string' ? item : canonical(item));

const change = (path: string, before: Json | undefined, after: Json | undefined): FieldChange => ({
  path,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});
