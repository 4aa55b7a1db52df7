import { matchKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';

/**
 * Completes a spec that is all that an object may have: adds `null` for each observed field that it lacks, at any
 * depth. Fields in `unknown`, by paths such as `options.mapping`, stay as observed: the spec says nothing about them,
 * for instance because the service that it comes from does not return them.
 */
export const wholeSpec = (
  schema: object,
  desired: JsonObject,
  observed: JsonObject,
  unknown: readonly string[] = [],
): JsonObject => wholeObject(schema as SchemaNode, desired, observed, unknown);

function wholeObject(
  { properties = {} }: SchemaNode,
  desired: JsonObject,
  observed: JsonObject,
  apart: readonly string[],
): JsonObject {
  const given = Object.entries(desired).map(
    ([field, value]) => [field, wholeValue(properties[field], value, observed[field], within(apart, field))] as const,
  );
  const missing = Object.keys(observed).filter((field) => desired[field] === undefined && !apart.includes(field));
  return Object.fromEntries([...given, ...missing.map((field) => [field, null] as const)]);
}

/** Completes a value. Lists without keys are compared as they are; a key is never `null`, as it identifies an entry. */
function wholeValue(
  schema: SchemaNode | undefined,
  desired: Json,
  observed: Json | undefined,
  apart: readonly string[],
): Json {
  const { keyed } = traitsOf(schema);
  const { items } = schema ?? {};
  if (keyed !== undefined && items !== undefined && Array.isArray(desired) && Array.isArray(observed)) {
    const present = new Map(observed.map((entry: Json) => [matchKey(entry, keyed), entry]));
    return desired.map((entry: Json) => {
      const other = present.get(matchKey(entry, keyed));
      return isObject(entry) && isObject(other) ? wholeObject(items, entry, other, keyed) : entry;
    });
  }
  return isObject(desired) && isObject(observed) && schema?.properties !== undefined
    ? wholeObject(schema, { ...fieldsAt(apart, observed), ...desired }, observed, apart)
    : desired;
}

const within = (paths: readonly string[], field: string): string[] =>
  paths.flatMap((path) => (path.startsWith(`${field}.`) ? [path.slice(field.length + 1)] : []));

/** Returns the observed fields at some paths, to be written unchanged with the larger value that contains them. */
const fieldsAt = (paths: readonly string[], observed: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(observed).filter(([field]) => paths.includes(field)));
