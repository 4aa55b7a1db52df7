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

/**
 * The JSON schema of answers of a shape. Samples show objects that have a value everywhere, so anything but a GUID may
 * be null (wire-facts 3, "Nulls"); a key that some objects lack is optional.
 */
export function answerSchemaOf(shape: Shape): TSchema {
  const forms = formsOf(shape, answerSchemaOf);
  if (forms.length === 0) return Type.Unknown();
  return shape.types.includes('null') ? Type.Union(forms) : Type.Union([...forms, Type.Null()]);
}

/** The JSON schema of a whole answer, or of an entry of a list. */
export const entrySchema = ({ keys = new Map() }: Shape): TSchema => objectSchema(keys, answerSchemaOf);

/** The JSON schema of a value in a body; samples that have only null say nothing about its type. */
export function schemaOf(shape: Shape): TSchema {
  const [only, ...others] = formsOf(shape, schemaOf);
  if (only === undefined || (others.length === 0 && shape.types[0] === 'null')) return Type.Unknown();
  return others.length === 0 ? only : Type.Union([only, ...others]);
}

function formsOf({ types, keys, items }: Shape, inner: (shape: Shape) => TSchema): TSchema[] {
  return [
    ...types.map((type) => SCALARS[type]()),
    ...(keys === undefined ? [] : [objectSchema(keys, inner)]),
    ...(items === undefined ? [] : [Type.Array(inner(items))]),
  ];
}

const objectSchema = (keys: ReadonlyMap<string, Key>, inner: (shape: Shape) => TSchema): TSchema =>
  Type.Object(
    Object.fromEntries(
      [...keys].map(([name, { shape, optional }]) => {
        const schema = name === 'guid' ? Type.String() : inner(shape);
        return [name, optional ? Type.Optional(schema) : schema];
      }),
    ),
  );

const SCALARS: Readonly<Record<ScalarType, () => TSchema>> = {
  string: Type.String,
  number: Type.Number,
  boolean: Type.Boolean,
  null: Type.Null,
};
