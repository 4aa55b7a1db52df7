import { type TSchema, Type } from '../routes/type.js';

/** The JSON types of a value that is neither an object nor an array. */
type ScalarType = 'string' | 'number' | 'boolean' | 'null';

/** The form of a JSON value as the published interface shows it. */
export interface Shape {
  readonly types: readonly ScalarType[];
  /** The values seen of an enumeration; not all that exist. */
  readonly values?: readonly string[];
  /** The keys of an object, in the order of answers. */
  readonly keys?: ReadonlyMap<string, Key>;
  /** The form of the elements of an array. */
  readonly items?: Shape;
}

/** One key of an object. */
interface Key {
  readonly shape: Shape;
  /** Whether some of the objects seen lack it. */
  readonly optional: boolean;
}

/** A shape as `shapes.json` writes it. */
export type WrittenShape = string | readonly WrittenShape[] | { readonly [key: string]: WrittenShape };

/** Reads a shape in the notation of `schema/service/shapes.json`. */
export function readShape(written: WrittenShape): Shape {
  if (typeof written === 'string') return readScalar(written);
  if (isList(written)) return { types: [], items: written.map(readShape).reduce(unite, { types: [] }) };
  const { '|': further, '[]': element, ...own } = written;
  const keys = new Map(Object.entries(own).map(([key, value]) => [key.replace(/\?$/, ''), readKey(key, value)]));
  const object: Shape = { types: [], keys };
  const others = further === undefined ? object : unite(object, readShape(further));
  return element === undefined ? others : { ...others, items: readShape(element) };
}

const isList = (written: WrittenShape): written is readonly WrittenShape[] => Array.isArray(written);

const readKey = (key: string, value: WrittenShape): Key => ({ shape: readShape(value), optional: key.endsWith('?') });

function readScalar(written: string): Shape {
  const [types = '', values] = written.split(':');
  if (types === 'array') return { types: [], items: { types: [] } };
  return {
    types: types.split('|') as ScalarType[],
    ...(values === undefined ? {} : { values: values.split(',') }),
  };
}

/** The shape of what has either of two shapes. */
const unite = (one: Shape, other: Shape): Shape => ({
  ...one,
  ...other,
  types: [...new Set([...one.types, ...other.types])],
});

/** A shape with the keys that only another one shows: bodies and answers of one object are samples of the same values. */
export function completeShape(shape: Shape | undefined, other: Shape | undefined): Shape | undefined {
  if (shape === undefined || other === undefined) return shape ?? other;
  const names = [...new Set([...(shape.keys?.keys() ?? []), ...(other.keys?.keys() ?? [])])];
  const keys = names.flatMap((name): [string, Key][] => {
    const [own, further] = [shape.keys?.get(name), other.keys?.get(name)];
    const inner = completeShape(own?.shape, further?.shape);
    return inner === undefined ? [] : [[name, { shape: inner, optional: (own ?? further)?.optional === true }]];
  });
  const items = completeShape(shape.items, other.items);
  return { ...shape, ...(keys.length > 0 && { keys: new Map(keys) }), ...(items && { items }) };
}

/**
 * The JSON schema of answers of a shape. Samples show objects that have a value everywhere, so anything but a GUID may
 * be null (wire-facts 3, "Nulls"); a key that some objects lack is optional.
 */
export function answerSchema(shape: Shape): TSchema {
  if (isUnknown(shape)) return Type.Unknown();
  const forms = formsOf(shape, answerSchema);
  return unionOf(shape.types.includes('null') ? forms : [...forms, Type.Null()]);
}

/** The JSON schema of a whole answer, or of an entry of a list. */
export const entrySchema = ({ keys = new Map() }: Shape): TSchema => objectSchema(keys, answerSchema);

/** The JSON schema of a value in a body. */
export const valueSchema = (shape: Shape): TSchema =>
  isUnknown(shape) ? Type.Unknown() : unionOf(formsOf(shape, valueSchema));

/** Whether samples say nothing about the type of a value: they have none, or only null. */
const isUnknown = ({ types, keys, items }: Shape): boolean =>
  keys === undefined && items === undefined && types.every((type) => type === 'null');

const unionOf = (forms: readonly TSchema[]): TSchema =>
  forms.length === 1 && forms[0] !== undefined ? forms[0] : Type.Union([...forms]);

function formsOf({ types, values, keys, items }: Shape, inner: (shape: Shape) => TSchema): TSchema[] {
  return [
    ...types.map((type) => SCALARS[type](values)),
    ...(keys === undefined ? [] : [objectSchema(keys, inner)]),
    ...(items === undefined ? [] : [Type.Array(inner(items))]),
  ];
}

const objectSchema = (keys: ReadonlyMap<string, Key>, inner: (shape: Shape) => TSchema): TSchema =>
  Type.Object(
    Object.fromEntries(
      [...keys].map(([name, { shape, optional }]) => {
        const schema = keySchema(name, shape, { keys, inner });
        return [name, optional ? Type.Optional(schema) : schema];
      }),
    ),
  );

interface Holder {
  readonly keys: ReadonlyMap<string, Key>;
  readonly inner: (shape: Shape) => TSchema;
}

function keySchema(name: string, shape: Shape, { keys, inner }: Holder): TSchema {
  // The type of an attribute's value follows from the attribute.
  if (name === 'value' && keys.has('fieldType')) return Type.Unknown();
  return name === 'guid' && !isUnknown(shape) ? Type.String() : inner(shape);
}

const SCALARS: Readonly<Record<ScalarType, (values: Shape['values']) => TSchema>> = {
  string: (values) => Type.String(values && { examples: values }),
  number: () => Type.Number(),
  boolean: () => Type.Boolean(),
  null: () => Type.Null(),
};
