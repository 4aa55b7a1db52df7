import type { Field, FieldFactory, StoredRecord } from '../family/field.js';
import { type BodyKey, bodyKeys, type Endpoint } from '../interface/endpoints.js';
import { answerSchema, completeShape, type Shape, valueSchema } from '../interface/shape.js';
import { nullable } from '../routes/schemas.js';
import { type TSchema, Type } from '../routes/type.js';
import { parseDateTime, zulu } from '../rules/date-times.js';
import { refuse } from '../rules/service-error.js';

/** The keys by which a body gives a value, below the field itself, and the form that samples of bodies or answers show. */
export interface GivenKeys {
  readonly keys: readonly BodyKey[];
  readonly shape: Shape | undefined;
}

/** The keys of a body that give a field; none if no body has it. */
export function givenKeys(endpoint: Endpoint | undefined, name: string): GivenKeys {
  const { request, answer } = endpoint ?? {};
  return {
    keys: bodyKeys(endpoint, name),
    shape: completeShape(request?.keys?.get(name)?.shape, answer?.keys?.get(name)?.shape),
  };
}

interface Holder extends StoredRecord {
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A value that is stored and shown as a request gives it, in the column `fields`. */
export function keptValue(shape: Shape, given?: GivenKeys): FieldFactory {
  return (name) => ({
    ...valueKept(name),
    searched: Object.fromEntries([name, ...innerNames(name, shape)].map((path) => [path, `t.fields ->> '$.${path}'`])),
    answer: answerSchema(shape),
    show: (_, __, record) => (record() as Holder).fields[name] ?? emptyValue(shape),
    ...(given && { given: { schema: givenSchema(name, given), parse: (value) => parseKept(name, value ?? null) } }),
  });
}

const innerNames = (name: string, { keys = new Map() }: Shape): string[] =>
  [...keys.keys()].map((key) => `${name}.${key}`);

/** A date-time may be given as a date alone, and is stored and shown in UTC (wire-facts 3, "Dates"). */
function parseKept(name: string, value: unknown): unknown {
  if (typeof value !== 'string' || !/Date(Time)?$/.test(name)) return value;
  const date = parseDateTime(value, 'UTC');
  if (date === undefined) throw refuse.invalid(name, `"${value}" is not a date-time such as 2025-01-31T08:00:00Z.`);
  return zulu(date);
}

/** The traits of a field that is stored under its name in the column `fields`. */
export const valueKept = (name: string): Pick<Field, 'name' | 'put'> => ({
  name,
  put: (value, draft) => {
    draft.fields = { ...(draft.fields as object), [name]: value };
  },
});

/** What an answer shows without a value: a list is empty, a flag is false, anything else is null (wire-facts 3). */
function emptyValue({ types, items }: Shape): unknown {
  if (items !== undefined) return [];
  return types.includes('boolean') && !types.includes('null') ? false : null;
}

/** The schema of a field in a body. */
export function givenSchema(name: string, { keys, shape }: GivenKeys): TSchema {
  const below = keys.map(({ path, required }) => ({ path: path.slice(name.length), required }));
  const schema = bodySchemaOf(below, shape);
  return below.some(({ required }) => required) ? schema : Type.Optional(nullable(schema));
}

/** The schema of a value in a body: its keys are those of the description, its types those of the samples. */
function bodySchemaOf(keys: readonly BodyKey[], shape: Shape | undefined): TSchema {
  if (keys.some(({ path }) => path.startsWith('[]'))) {
    const items = keys.map(({ path, required }) => ({ path: path.slice(2), required }));
    return Type.Array(bodySchemaOf(items, shape?.items));
  }
  const inner = new Map<string, BodyKey[]>();
  for (const { path, required } of keys) {
    const [, name] = /^\.([^.[]+)/.exec(path) ?? [];
    if (name === undefined) continue;
    inner.set(name, [...(inner.get(name) ?? []), { path: path.slice(name.length + 1), required }]);
  }
  if (inner.size === 0) return shape === undefined ? Type.Unknown() : valueSchema(shape);
  const properties = [...inner].map(([name, own]) => {
    const schema = bodySchemaOf(own, shape?.keys?.get(name)?.shape);
    const isRequired = own.some(({ required }) => required);
    return [name, isRequired ? schema : Type.Optional(nullable(schema))] as const;
  });
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false });
}

/** Stores a field in the column `fields` instead of one of its own. */
export const kept = <T>(field: FieldFactory<T>): FieldFactory<undefined> => {
  return (name) => {
    const { column: _, read: __, write: ___, initial: ____, ...rest } = field(name);
    const { put, searched, show } = keptValue({ types: ['string', 'null'] })(name);
    return { ...rest, put, searched, show } as ReturnType<FieldFactory<undefined>>;
  };
};
