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
  String: (options: TSchemaOptions = {}) => made<TString>({ type: 'string' }, options),
  Boolean: (options: TSchemaOptions = {}) => made<TBoolean>({ type: 'boolean' }, options),
  Integer: (options: TSchemaOptions = {}) => made<TInteger>({ type: 'integer' }, options),
  Number: (options: TSchemaOptions = {}) => made<TNumber>({ type: 'number' }, options),
  Null: () => made<TNull>({ type: 'null' }, {}),
  Unknown: (options: TSchemaOptions = {}) => made<TUnknown>({}, options),
  Unsafe: <T>(schema: object) => made<TUnsafe<T>>(schema, {}),
  Literal: <const V extends string | number | boolean>(value: V) =>
    made<TLiteral<V>>({ type: typeof value, const: value }, {}),
  Array: <S extends TSchema>(items: S, options: TSchemaOptions = {}) =>
    made<TArray<S>>({ type: 'array', items }, options),
  Union: <const S extends TSchema[]>(anyOf: readonly [...S], options: TSchemaOptions = {}) =>
    made<TUnion<S>>({ anyOf }, options),
  Intersect: <const S extends TSchema[]>(allOf: readonly [...S], options: TSchemaOptions = {}) =>
    made<TIntersect<S>>({ allOf }, options),
  Record: <S extends TSchema>(_key: TString, value: S, options: TSchemaOptions = {}) =>
    made<TRecord<'^.*$', S>>({ type: 'object', patternProperties: { '^.*$': value } }, options),
  Object: <P extends TProperties>(properties: P, options: TSchemaOptions = {}) => {
    const required = Object.keys(properties).filter((key) => !optional.has(properties[key] as object));
    return made<TObject<P>>({ type: 'object', ...(required.length === 0 ? {} : { required }), properties }, options);
  },
  Optional: <S extends TSchema>(of: S): TOptional<S> => {
    const copy = { ...of };
    optional.add(copy);
    return copy as unknown as TOptional<S>;
  },
};

const made = <S>(own: object, options: object): S => ({ ...own, ...options }) as unknown as S;
