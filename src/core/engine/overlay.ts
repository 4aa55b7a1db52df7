import { matchKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';
import { clearEach } from './diff.js';

/**
 * Returns the observed spec with the desired one laid over it: the object after the change. Fields that `desired` does
 * not name keep their value; fields that it sets to `null` are gone.
 */
export function overlay(schema: object | undefined, desired: JsonObject, observed: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...observed };
  for (const [key, value] of Object.entries(desired)) {
    if (value === null) delete merged[key];
    else merged[key] = overlayValue((schema as SchemaNode | undefined)?.properties?.[key], value, observed[key]);
  }
  return merged;
}

function overlayValue(schema: SchemaNode | undefined, desired: Json, observed: Json | undefined): Json {
  const { keyed } = traitsOf(schema);
  if (keyed !== undefined && Array.isArray(desired)) {
    const present = new Map((Array.isArray(observed) ? observed : []).map((entry) => [matchKey(entry, keyed), entry]));
    return desired.map((entry: Json) => overlayValue(schema?.items, entry, present.get(matchKey(entry, keyed))));
  }
  if (!isObject(desired)) return desired;
  return overlay(schema, desired, isObject(observed) && schema?.properties !== undefined ? observed : {});
}

/**
 * Returns what a manifest asks of an object that exists, without the fields that it ignores (`metadata.ignore`). Such a
 * field counts as not named; within a larger value it keeps its observed value, so that writing the larger value does
 * not change it. Not for new objects, which get all fields. Validation ensures that every path leads through objects of
 * the schema.
 */
export const withoutIgnored = (
  schema: object,
  desired: JsonObject,
  observed: JsonObject,
  ignore: readonly string[],
): JsonObject =>
  ignore.reduce((rest, path) => {
    const [field, ...inner] = path.split('.') as [string, ...string[]];
    return inner.length === 0 ? omit(rest, field) : keepWithin(schema as SchemaNode, rest, observed, [field, ...inner]);
  }, desired);

function keepWithin(
  schema: SchemaNode,
  desired: JsonObject,
  observed: JsonObject,
  path: readonly string[],
): JsonObject {
  const [field, ...rest] = path as [string, ...string[]];
  const seen = observed[field];
  if (rest.length === 0) return keep(seen, desired, field);
  const node = schema.properties?.[field] as SchemaNode;
  const value = isObject(seen) && desired[field] === null ? clearEach(node.properties as object) : desired[field];
  if (!isObject(value)) return desired;
  return { ...desired, [field]: keepWithin(node, value, isObject(seen) ? seen : {}, rest) };
}

const keep = (seen: Json | undefined, desired: JsonObject, field: string): JsonObject =>
  seen === undefined ? omit(desired, field) : { ...desired, [field]: seen };

const omit = (value: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== field));
