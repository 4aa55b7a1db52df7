import type { SchemaNode } from '../model/fields.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';

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
  ignore.reduce((kept, path) => {
    const [field, ...rest] = path.split('.') as [string, ...string[]];
    return rest.length === 0 ? omit(kept, field) : within(schema as SchemaNode, kept, observed, [field, ...rest]);
  }, desired);

function within(schema: SchemaNode, desired: JsonObject, observed: JsonObject, path: readonly string[]): JsonObject {
  const [field, ...rest] = path as [string, ...string[]];
  const seen = observed[field];
  if (rest.length === 0) return kept(seen, desired, field);
  const node = schema.properties?.[field] as SchemaNode;
  const value = isObject(seen) && desired[field] === null ? cleared(node) : desired[field];
  if (!isObject(value)) return desired;
  return { ...desired, [field]: within(node, value, isObject(seen) ? seen : {}, rest) };
}

/** An object that is cleared is cleared field by field: all but the ignored one. */
const cleared = ({ properties }: SchemaNode): JsonObject =>
  Object.fromEntries(Object.keys(properties as object).map((field) => [field, null]));

const kept = (seen: Json | undefined, desired: JsonObject, field: string): JsonObject =>
  seen === undefined ? omit(desired, field) : { ...desired, [field]: seen };

const omit = (value: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== field));
