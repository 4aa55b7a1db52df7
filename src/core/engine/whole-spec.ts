import { matchKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';

/**
 * What is to be asked of an object where the desired spec is all that it is to have: `null` for each field that was observed
 * and that the spec does not have, at any depth. `unknown` are fields of which the spec can tell nothing, such as those that the
 * service that it comes from keeps to itself, by paths such as `options.mapping`: they stay as they were observed.
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

/** Entries of a list without keys are compared as they are; a key is never `null`, which would make it another entry. */
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

/** What stands within a larger value is written with it, as it was observed. */
const fieldsAt = (paths: readonly string[], observed: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(observed).filter(([field]) => paths.includes(field)));
