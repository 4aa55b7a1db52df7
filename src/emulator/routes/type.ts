import type {
  Static,
  TArray,
  TBoolean,
  TInteger,
  TIntersect,
  TLiteral,
  TNull,
  TNumber,
  TObject,
  TOptional,
  TProperties,
  TRecord,
  TSchema,
  TSchemaOptions,
  TString,
  TUnion,
  TUnknown,
  TUnsafe,
} from 'typebox';

export type { Static, TSchema };

const optional = new WeakSet<object>();

/**
 * JSON schemas with the types of TypeBox. Its constructors are not loaded, since they would take a fifth of the time
 * that the workspace takes to start.
 */
export const Type = {
  String: (options: TSchemaOptions = {}) => createSchema<TString>({ type: 'string' }, options),
  Boolean: (options: TSchemaOptions = {}) => createSchema<TBoolean>({ type: 'boolean' }, options),
  Integer: (options: TSchemaOptions = {}) => createSchema<TInteger>({ type: 'integer' }, options),
  Number: (options: TSchemaOptions = {}) => createSchema<TNumber>({ type: 'number' }, options),
  Null: () => createSchema<TNull>({ type: 'null' }, {}),
  Unknown: (options: TSchemaOptions = {}) => createSchema<TUnknown>({}, options),
  Unsafe: <T>(schema: object) => createSchema<TUnsafe<T>>(schema, {}),
  Literal: <const V extends string | number | boolean>(value: V) =>
    createSchema<TLiteral<V>>({ type: typeof value, const: value }, {}),
  Array: <S extends TSchema>(items: S, options: TSchemaOptions = {}) =>
    createSchema<TArray<S>>({ type: 'array', items }, options),
  Union: <const S extends TSchema[]>(anyOf: readonly [...S], options: TSchemaOptions = {}) =>
    createSchema<TUnion<S>>({ anyOf }, options),
  Intersect: <const S extends TSchema[]>(allOf: readonly [...S], options: TSchemaOptions = {}) =>
    createSchema<TIntersect<S>>({ allOf }, options),
  Record: <S extends TSchema>(_key: TString, value: S, options: TSchemaOptions = {}) =>
    createSchema<TRecord<'^.*$', S>>({ type: 'object', patternProperties: { '^.*$': value } }, options),
  Object: <P extends TProperties>(properties: P, options: TSchemaOptions = {}) => {
    const required = Object.keys(properties).filter((key) => !optional.has(properties[key] as object));
    return createSchema<TObject<P>>(
      { type: 'object', ...(required.length === 0 ? {} : { required }), properties },
      options,
    );
  },
  Optional: <S extends TSchema>(of: S): TOptional<S> => {
    const copy = { ...of };
    optional.add(copy);
    return copy as unknown as TOptional<S>;
  },
};

const createSchema = <S>(own: object, options: object): S => ({ ...own, ...options }) as unknown as S;
