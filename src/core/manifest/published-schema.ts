import type { Catalog } from '../catalog.js';
import { TRAITS, traitsOf } from '../model/fields.js';
import type { Json, JsonObject } from '../model/json.js';
import type { Named } from '../model/kind.js';
import { envelope } from './envelope.js';
import { FOR_EACH_SCHEMA } from './for-each.js';

/** The JSON schema of all manifests, for editors and other tools: `schema/manifest.json`. */
export function publishedManifestSchema({ allKinds, jobs }: Pick<Catalog, 'allKinds' | 'jobs'>): JsonObject {
  const types = [...allKinds, ...jobs];
  // Kinds with one schema, such as the attributes of each world, share its definition.
  const definedBy = (schema: object): string => (types.find((type) => type.schema === schema) as Named).name;
  const { properties, required } = withoutTraits(envelope) as { properties: JsonObject; required: Json };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A dexsync manifest',
    type: 'object',
    required,
    additionalProperties: false,
    properties: {
      ...properties,
      metadata: withReferences(properties.metadata as Json),
      forEach: withoutTraits(FOR_EACH_SCHEMA),
      kind: { enum: types.map(({ name }) => name) },
    },
    allOf: types.map(({ name, schema }) => ({
      if: { properties: { kind: { const: name } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema.
      then: { properties: { spec: { $ref: `#/definitions/${definedBy(schema)}` } } },
    })),
    definitions: Object.fromEntries(
      types
        .filter(({ name, schema }) => definedBy(schema) === name)
        .map(({ name, summary, schema }) => [
          name,
          { description: summary, ...withReferences(withNulls(withoutTraits(schema))) },
        ]),
    ),
  };
}

/** Converts a schema for publishing: known values of open enumerations become suggestions, traits are left out. */
export function publishedSchema(schema: object, title: string): JsonObject {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...(withoutTraits(schema) as JsonObject) };
}

function withoutTraits(schema: unknown): Json {
  if (Array.isArray(schema)) return schema.map(withoutTraits);
  if (typeof schema !== 'object' || schema === null) return schema as Json;
  const { known } = traitsOf(schema);
  const members = Object.entries(schema).filter(([key]) => key !== TRAITS);
  const rest = Object.fromEntries(members.map(([key, value]) => [key, withoutTraits(value)]));
  if (known === undefined) return rest;
  const { type, pattern, ...about } = rest as { type: Json; pattern: Json };
  return { ...about, anyOf: [{ enum: known }, { type, pattern }] };
}

/** Allows `null` in optional fields of a spec, which clears them. */
function withNulls(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withNulls);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withNulls(value)]));
  const { properties, required = [] } = inner;
  if (typeof properties !== 'object') return inner;
  const optional = ([name, node]: [string, Json]): [string, Json] =>
    (required as readonly string[]).includes(name) ? [name, node] : [name, orNull(node as JsonObject)];
  return { ...inner, properties: Object.fromEntries(Object.entries(properties as JsonObject).map(optional)) };
}

/** A text that stands for a value of any type, which is checked when it is filled in. */
const REFERENCE = { type: 'string', pattern: '\\$\\{(var|each|row)\\.' };

/** Allows references where a schema accepts no texts, or only some words. */
function withReferences(schema: Json): JsonObject {
  const { type = [], enum: words, ...rest } = schema as JsonObject;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, referencesIn(key, value)]));
  const types = [type].flat() as readonly Json[];
  if (words !== undefined) return { ...inner, anyOf: [{ enum: words }, REFERENCE] };
  if (types.some((one) => one === 'number' || one === 'integer' || one === 'boolean'))
    return { ...inner, type: [...types, REFERENCE.type], pattern: REFERENCE.pattern };
  return types.length === 0 ? inner : { type, ...inner };
}

function referencesIn(key: string, value: Json): Json {
  if (key === 'anyOf') return (value as readonly Json[]).map(withReferences);
  if (key === 'items') return withReferences(value);
  if (key !== 'properties' && key !== 'patternProperties') return value;
  return Object.fromEntries(Object.entries(value as JsonObject).map(([name, field]) => [name, withReferences(field)]));
}

const orNull = (node: JsonObject): JsonObject =>
  typeof node.type === 'string' ? { ...node, type: [node.type, 'null'] } : { anyOf: [node, { type: 'null' }] };
