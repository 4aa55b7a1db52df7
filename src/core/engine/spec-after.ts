import { matchKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';

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
