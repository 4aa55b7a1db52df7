import type { SchemaNode } from '../model/fields.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';
import { clearEach } from './diff.js';

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
