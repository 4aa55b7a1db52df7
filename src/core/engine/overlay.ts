import { matchKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';
import { clearEach } from './diff.js';

/**
 * The observed spec with the desired one laid over it: what the object is once the change was made. Fields that
 * `desired` does not name keep their value, those that it sets to `null` are gone.
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
 * What a manifest asks of an object that exists, without the fields that it ignores (`metadata.ignore`): such a field is
 * as if the manifest did not name it, and where it stands within a larger value it is as it was observed, so that
 * writing that value does not change it. A new object gets all fields; this is not for those. Validation has made sure
 * that every path leads through objects of the schema.
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
