import type {
  Static,
  TArray,
  TBoolean,
  TInteger,
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
import { omitUndefined } from '#base/omit-undefined.js';
import type { Json, JsonObject } from './json.js';

export type { Static };

/** The immutable type that a schema describes. */
export type Shape<S extends TSchema> = Immutable<Static<S>>;

/** JSON values are already immutable. */
type Immutable<T> = [Json] extends [T]
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : JsonObject extends T
      ? T
      : T extends readonly (infer E)[]
        ? readonly Immutable<E>[]
        : { readonly [K in keyof T]: Immutable<T[K]> };

const optional = new WeakSet<object>();

/**
 * JSON schemas with the types of typebox. Its constructors are not loaded: their 373 files would add about 100 ms to
 * the start of every command, and only these few are used. Nothing is checked here; ajv does that.
 */
export const Type = {
  String: (options: TSchemaOptions = {}) => schema<TString>({ type: 'string' }, options),
  Boolean: (options: TSchemaOptions = {}) => schema<TBoolean>({ type: 'boolean' }, options),
  Integer: (options: TSchemaOptions = {}) => schema<TInteger>({ type: 'integer' }, options),
  Number: (options: TSchemaOptions = {}) => schema<TNumber>({ type: 'number' }, options),
  Null: () => schema<TNull>({ type: 'null' }, {}),
  Unknown: () => schema<TUnknown>({}, {}),
  /** A schema that is less precise than its type. */
  Unsafe: <T>(own: object, options: TSchemaOptions = {}) => schema<TUnsafe<T>>(own, options),
  Literal: <const V extends string>(value: V, options: TSchemaOptions = {}) =>
    schema<TLiteral<V>>({ type: 'string', const: value }, options),
  Array: <S extends TSchema>(items: S, options: TSchemaOptions = {}) =>
    schema<TArray<S>>({ type: 'array', items }, options),
  Union: <const S extends TSchema[]>(anyOf: readonly [...S], options: TSchemaOptions = {}) =>
    schema<TUnion<S>>({ anyOf }, options),
  /** One of several objects, distinguished by the literal in one of their fields. */
  Tagged: <const S extends TSchema[]>(tag: string, oneOf: readonly [...S], options: TSchemaOptions = {}) =>
    schema<TUnion<S>>({ type: 'object', required: [tag], discriminator: { propertyName: tag }, oneOf }, options),
  Record: <S extends TSchema>(_key: TString, value: S, options: TSchemaOptions = {}) =>
    schema<TRecord<'^.*$', S>>({ type: 'object', patternProperties: { '^.*$': value } }, options),
  Object: <P extends TProperties>(properties: P, options: TSchemaOptions = {}) => {
    const required = Object.keys(properties).filter((key) => !optional.has(properties[key] as object));
    return schema<TObject<P>>({ type: 'object', ...(required.length === 0 ? {} : { required }), properties }, options);
  },
  Optional: <S extends TSchema>(of: S): TOptional<S> => {
    const made = { ...of };
    optional.add(made);
    return made as unknown as TOptional<S>;
  },
};

const schema = <S>(own: object, options: object): S => ({ ...own, ...options }) as unknown as S;

/** A count: a whole number from 0. */
export const countSchema = (description?: string) => Type.Integer({ minimum: 0, ...omitUndefined({ description }) });

/** A text that is not empty, such as a name. */
export const nameSchema = (description?: string) => Type.String({ minLength: 1, ...omitUndefined({ description }) });
