import type { Catalog } from '../catalog.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';
import { ADD, PATCH, REMOVE } from './merge-value.js';
import { publishedManifestSchema } from './published-schema.js';

const MARKERS = {
  enum: ['delete', 'replace', 'merge'],
  description: 'delete: this is removed. replace: it takes the place of the map instead of being merged.',
};

const DELETE = {
  type: 'object',
  properties: { [PATCH]: { const: 'delete' } },
  required: [PATCH],
  additionalProperties: false,
};

/** The JSON schema of an overlay's manifests, for editors: `schema/overlay.json`. They are partial, with markers. */
export function publishedOverlaySchema(catalog: Catalog): JsonObject {
  const { properties, definitions, ...manifest } = publishedManifestSchema(catalog) as Record<string, JsonObject>;
  const { metadata, kind, forEach, ...others } = properties as Record<string, JsonObject>;
  return {
    ...manifest,
    title: 'A manifest of a dexsync overlay',
    required: ['kind', 'metadata'],
    properties: {
      ...others,
      kind: kind as JsonObject,
      forEach: forEach as JsonObject,
      metadata: { ...partOf(metadata as JsonObject), required: ['name'] },
      [PATCH]: MARKERS,
    },
    definitions: Object.fromEntries(
      Object.entries(definitions as JsonObject).map(([name, schema]) => [name, partOf(schema as JsonObject)]),
    ),
  };
}

/** Makes a schema partial: nothing is required, and each field may be a marker. */
function partOf(schema: JsonObject): JsonObject {
  const { required: _, oneOf: __, minItems: ___, ...rest } = schema;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, partsIn(key, value)]));
  if (inner.items !== undefined) return { anyOf: [inner, listChange(schema.items as Json)] };
  if (!isObject(inner.properties)) return inner;
  return { ...inner, properties: { ...inner.properties, [PATCH]: MARKERS } };
}

function partsIn(key: string, value: Json): Json {
  if (key === 'properties' || key === 'patternProperties')
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([name, field]) => [name, orDelete(partOf(field as JsonObject))]),
    );
  if (key === 'anyOf') return (value as readonly JsonObject[]).map(partOf);
  return key === 'items' ? partOf(value as JsonObject) : value;
}

/** Allows a value to be deleted; a map has the marker among its members. */
const orDelete = (part: JsonObject): JsonObject => (part.properties === undefined ? { anyOf: [part, DELETE] } : part);

/** A change to a list; added entries must be complete. */
const listChange = (items: Json): JsonObject => ({
  type: 'object',
  properties: { [ADD]: { type: 'array', items }, [REMOVE]: { type: 'array', items } },
  minProperties: 1,
  additionalProperties: false,
});
