import { type SchemaNode, traitsOf } from '../model/fields.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';

/**
 * All that is to be said of an object of which the spec is everything there is: `null` for each field that it does not have,
 * so that another object is told to lose it. `unknown` are fields of which nothing is known, because the service keeps them
 * to itself. What identifies an entry of a list is never `null`: the entry would be another one.
 */
export const wholeSpec = (schema: object, spec: JsonObject, unknown: readonly string[] = []): JsonObject =>
  wholeObject(schema as SchemaNode, spec, unknown);

function wholeObject(schema: SchemaNode, value: JsonObject, apart: readonly string[]): JsonObject {
  const properties = Object.entries(schema.properties ?? {}).filter(([field]) => !apart.includes(field));
  const missing = properties.filter(([field]) => value[field] === undefined).map(([field]) => [field, null] as const);
  const given = Object.entries(value).map(
    ([field, entry]) => [field, wholeValue(schema.properties?.[field], entry)] as const,
  );
  return Object.fromEntries([...given, ...missing]);
}

/** Entries of a list without keys are compared as they are. */
function wholeValue(schema: SchemaNode | undefined, value: Json): Json {
  const { keyed } = traitsOf(schema);
  const { items } = schema ?? {};
  if (keyed !== undefined && items !== undefined && Array.isArray(value))
    return value.map((entry: Json) => (isObject(entry) ? wholeObject(items, entry, keyed) : entry));
  return isObject(value) && schema?.properties !== undefined ? wholeObject(schema, value, []) : value;
}
