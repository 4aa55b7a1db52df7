import type { SchemaNode } from '#core/model/fields.js';
import { isObject, type Json, type JsonObject } from '#core/model/json.js';
import type { Kind, NameContext } from '#core/model/kind.js';
import { dottedPath, type Pointer, pointerTo } from '#core/model/pointer.js';

/** Reads the spec of an answer, or says what keeps it from being read. */
export function readSpec(
  kind: Pick<Kind, 'schema' | 'fromWire'>,
  body: JsonObject,
  names: NameContext,
): { spec: JsonObject; fault?: string } {
  try {
    const spec = kind.fromWire(body, names);
    const fault = typeFault(kind.schema, spec);
    return fault === undefined ? { spec } : { spec: {}, fault };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { spec: {}, fault: `cannot be read (${error.message})` };
  }
}

type TypedNode = SchemaNode & { readonly type?: string };

const TYPES: Readonly<Record<string, { readonly called: string; readonly holds: (value: Json) => boolean }>> = {
  string: { called: 'a text', holds: (value) => typeof value === 'string' },
  number: { called: 'a number', holds: (value) => typeof value === 'number' },
  integer: { called: 'a number', holds: (value) => typeof value === 'number' },
  boolean: { called: 'true or false', holds: (value) => typeof value === 'boolean' },
  array: { called: 'a list', holds: Array.isArray },
  object: { called: 'an object', holds: isObject },
};

/** Finds the first value of another type than the schema has: `has options.mapping.2, which is not an object`. */
function typeFault(schema: TypedNode | undefined, value: Json, pointer: Pointer = ''): string | undefined {
  const type = TYPES[schema?.type ?? ''];
  if (schema === undefined || type === undefined) return undefined;
  if (!type.holds(value)) return `has ${dottedPath(pointer)}, which is not ${type.called}`;
  if (Array.isArray(value)) return entryFault(schema, value, pointer);
  const { properties } = schema;
  if (!isObject(value) || properties === undefined) return undefined;
  for (const [field, inner] of Object.entries(value)) {
    const fault = inner === null ? undefined : typeFault(properties[field], inner, pointerTo(pointer, field));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Checks the entries of a list, but not of lists of lists: searches that groups cannot express have another form. */
function entryFault({ items }: TypedNode, entries: readonly Json[], pointer: Pointer): string | undefined {
  if ((items as TypedNode | undefined)?.type === 'array') return undefined;
  for (const [index, entry] of entries.entries()) {
    const fault = typeFault(items, entry, pointerTo(pointer, index));
    if (fault !== undefined) return fault;
  }
  return undefined;
}
