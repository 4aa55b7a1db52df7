import { normalForm } from '#core/engine/normal-form.js';
import { type SchemaNode, traitsOf } from '#core/model/fields.js';
import { isObject, type Json, type JsonObject, sameJson } from '#core/model/json.js';

/**
 * Reduces a live spec: drops values that the service fills in anyway, empty lists and empty objects. A manifest of the
 * rest leaves those fields as they are, so that it plans no changes.
 */
export const leanSpec = (schema: object, spec: JsonObject): JsonObject => leanObject(schema as SchemaNode, spec, []);

/** `keys`: the fields that identify the entries of a list; they are always kept. */
function leanObject({ properties = {} }: SchemaNode, value: JsonObject, keys: readonly string[]): JsonObject {
  const members = Object.entries(value).flatMap(([field, entry]): [string, Json][] => {
    const node = properties[field];
    const kept = leanValue(node, entry);
    return keys.includes(field) || !saysNothing(node, kept) ? [[field, kept]] : [];
  });
  return Object.fromEntries(members);
}

/** Reduces one value of a spec. */
export function leanValue(node: SchemaNode | undefined, value: Json): Json {
  const { keyed = [] } = traitsOf(node);
  const { items } = node ?? {};
  if (Array.isArray(value)) {
    return items?.properties === undefined
      ? value
      : value.map((entry: Json) => (isObject(entry) ? leanObject(items, entry, keyed) : entry));
  }
  return isObject(value) && node?.properties !== undefined ? leanObject(node, value, []) : value;
}

function saysNothing(node: SchemaNode | undefined, value: Json): boolean {
  if (value === null || sameJson(value, []) || sameJson(value, {})) return true;
  const { serverDefault } = traitsOf(node);
  return serverDefault !== undefined && sameJson(normalForm(node, value), normalForm(node, serverDefault));
}
