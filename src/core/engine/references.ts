import { splitAddress } from '../model/address.js';
import { type RefTrait, type SchemaNode, traitsOf } from '../model/fields.js';
import { canonical, isObject, type Json, type JsonObject, objectsIn } from '../model/json.js';
import { isDeadReference, type Kind } from '../model/kind.js';
import type { Step, Write } from '../model/plan.js';
import { type Pointer, pointerTo } from '../model/pointer.js';

/** A place in a spec that holds the name of another object. */
export interface Reference {
  readonly pointer: Pointer;
  readonly kind: string;
  /** Empty if the kind has no partitions. */
  readonly partition: string;
  readonly name: string;
}

/** Lists all references of a spec, in the order of its fields. */
export function listReferences(schema: object, spec: JsonObject): Reference[] {
  const found: Reference[] = [];
  mapReferences(schema, spec, (reference) => {
    found.push(reference);
    return reference.name;
  });
  return found;
}

/** Replaces every referenced name of a spec by the result of `rename`. */
export function mapReferences(schema: object, spec: JsonObject, rename: (reference: Reference) => string): JsonObject {
  return mapNode(spec, schema as SchemaNode, { pointer: '', around: [], rename }) as JsonObject;
}

/** Lists texts in places where an attribute could be named, such as an `apiName`, as references by that text. */
export function listTextReferences(
  schema: SchemaNode | undefined,
  value: Json | undefined,
  pointer: Pointer = '',
  outer: readonly JsonObject[] = [],
): Reference[] {
  if (Array.isArray(value)) {
    return value.flatMap((entry: Json, index) =>
      listTextReferences(schema?.items, entry, pointerTo(pointer, index), outer),
    );
  }
  if (!isObject(value) || !mayRefer(schema)) return [];
  const around = [value, ...outer];
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const { ref } = traitsOf(field);
    const text = ref?.textIn === undefined ? undefined : value[ref.textIn];
    if (ref?.textIn === undefined || typeof text !== 'string')
      return listTextReferences(field, value[key], pointerTo(pointer, key), around);
    return [toReference(ref, text, { pointer: pointerTo(pointer, ref.textIn), around })];
  });
}

interface Place {
  readonly pointer: Pointer;
  /** The objects around the value, the nearest first. */
  readonly around: readonly JsonObject[];
  readonly rename: (reference: Reference) => string;
}

function mapNode(value: Json, schema: SchemaNode | undefined, place: Place): Json {
  if (!mayRefer(schema)) return value;
  const { ref } = traitsOf(schema);
  if (ref !== undefined && typeof value === 'string') return place.rename(toReference(ref, value, place));
  if (Array.isArray(value)) {
    const items = value.map((item, index) =>
      mapNode(item, schema.items, { ...place, pointer: pointerTo(place.pointer, index) }),
    );
    // Two names of one object are one member of the set.
    return traitsOf(schema).set === undefined ? items : unique(items);
  }
  const { properties } = schema;
  if (!isObject(value) || properties === undefined) return value;
  const keys = Object.keys(value).filter((key) => mayRefer(properties[key]));
  if (keys.length === 0) return value;
  const around = [value, ...place.around];
  const members = keys.map((key) => {
    const inner = { ...place, pointer: pointerTo(place.pointer, key), around };
    return [key, mapNode(value[key] as Json, properties[key], inner)] as const;
  });
  return { ...value, ...Object.fromEntries(members) };
}

const unique = (items: readonly Json[]): Json[] => [...new Map(items.map((item) => [canonical(item), item])).values()];

function toReference(
  { kind, partition = '', partitionBy, partitions }: RefTrait,
  name: string,
  { pointer, around }: Pick<Place, 'pointer' | 'around'>,
): Reference {
  if (partitionBy === undefined) return { pointer, kind, partition, name };
  const value = String(around.find((object) => object[partitionBy] !== undefined)?.[partitionBy] ?? '');
  return { pointer, kind, partition: partitions?.[value] ?? value, name };
}

/** Whether a schema can contain references. Most fields cannot: their values are used as they are. */
function mayRefer(schema: SchemaNode | undefined): schema is SchemaNode {
  if (schema === undefined) return false;
  const known = referring.get(schema) ?? kindsReferredTo(schema).size > 0;
  referring.set(schema, known);
  return known;
}

const referring = new WeakMap<SchemaNode, boolean>();

/** Returns the kinds and lookups that specs of this schema can refer to. */
export function kindsReferredTo(schema: object): Set<string> {
  const { ref } = traitsOf(schema);
  const { properties = {}, items } = schema as SchemaNode;
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  return new Set([...(ref === undefined ? [] : [ref.kind]), ...inner.flatMap((node) => [...kindsReferredTo(node)])]);
}

/** Lists what the requests of a step refer to by name: it must exist, or be created, before they are sent. */
export function neededReferences(step: Step, kindNamed: (name: string) => Kind | undefined): Reference[] {
  const kind = kindNamed(splitAddress(step.address).kind);
  return kind === undefined ? [] : step.writes.flatMap((write) => referencesIn(write, kind));
}

function referencesIn(write: Write, { schema, children }: Kind): Reference[] {
  switch (write.verb) {
    case 'create':
      return listReferences(schema, write.spec);
    case 'update':
      return listReferences(schema, write.fields);
    case 'addChild':
    case 'updateChild': {
      const kind = children[write.field]?.ref;
      if (kind !== undefined) return [{ pointer: '', kind, partition: '', name: write.name }];
      return listReferences(schema, { [write.field]: objectsIn([write.entry]) });
    }
    // These send only what was read from the object itself, or nothing.
    case 'retire':
    case 'removeChild':
    case 'delete':
    case 'record':
    case 'import':
      return [];
  }
  return write satisfies never;
}

/** Lists what a seen object refers to: without these objects, its references cannot be read the same way again. */
export function seenReferences(
  { address, observed }: Step,
  kindNamed: (name: string) => Kind | undefined,
): Reference[] {
  const kind = kindNamed(splitAddress(address).kind);
  return kind === undefined || observed === undefined ? [] : listReferences(kind.schema, observed);
}

/** Whether a value refers, at any depth, to a deleted object. */
export const holdsDeadReference = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(holdsDeadReference) : isDeadReference(value);

/** Removes references to deleted objects: they have no name that could be sent. */
export const withoutDeadReferences = (spec: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(spec)
      .filter(([, value]) => !isDeadReference(value))
      .map(([field, value]) => [field, withoutDead(value)]),
  );

function withoutDead(value: Json): Json {
  if (Array.isArray(value)) return value.filter((entry) => !holdsDeadReference(entry));
  return isObject(value) ? withoutDeadReferences(value) : value;
}
