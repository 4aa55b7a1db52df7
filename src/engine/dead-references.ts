import { isObject, type Json, type JsonObject } from '../model/json.js';
import { isDeadReference } from '../model/kind.js';

export const holdsDeadReference = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(holdsDeadReference) : isDeadReference(value);

/** The values without what refers to something that was deleted: no name stands for it, so none could be sent. */
export const withoutDeadReferences = (spec: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(spec)
      .filter(([, value]) => !isDeadReference(value))
      .map(([field, value]) => [field, alive(value)]),
  );

function alive(value: Json): Json {
  if (Array.isArray(value)) return value.filter((entry) => !holdsDeadReference(entry));
  return isObject(value) ? withoutDeadReferences(value) : value;
}
