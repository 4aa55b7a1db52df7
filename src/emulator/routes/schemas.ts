import type { Comparison, Searchable } from '../rules/search.js';
import type { Workspace } from '../rules/workspace.js';
import { type Static, type TSchema, Type } from './type.js';

/** The path parameter of an object; the rules refuse an invalid GUID with a code of their own. */
export const byGuid = Type.Object({ guid: Type.String() });

/** The path parameters of a run; `guid` is its definition or extract. */
export const byRun = Type.Object({ guid: Type.String(), run: Type.String() });

/** The path parameters of a file of a run. */
export const byFile = Type.Object({ guid: Type.String(), run: Type.String(), file: Type.String() });

/** The JSON schema of a search, by how it is compared. */
const COMPARED: Readonly<Record<Comparison, object>> = {
  text: { type: 'string' },
  contains: { type: 'string' },
  choice: { type: 'string' },
  state: { type: 'string' },
  number: { type: 'number' },
  flag: { type: 'boolean' },
  dateTimeFrom: { type: 'string', format: 'date-time' },
  dateTimeTo: { type: 'string', format: 'date-time' },
};

/** The JSON schemas of parameters by their names; those of others follow from how they are compared. */
const NAMED: readonly (readonly [RegExp, object])[] = [
  [/^offset$/, { type: 'integer', minimum: 0, default: 0 }],
  [/^limit$/, { type: 'integer', minimum: 1, maximum: 400, default: 20 }],
  [/reconciled$/i, { type: 'string', enum: ['true', 'false', 'any'] }],
  [/^include|Only$|^(latestCompleted|setnull)$/, COMPARED.flag],
];

const parameterSchema = (name: string, comparison: Comparison): object =>
  NAMED.find(([pattern]) => pattern.test(name))?.[1] ?? COMPARED[comparison];

/**
 * The searches and further parameters of a list, for the OpenAPI document: no query is checked against it, since the
 * rules refuse unknown parameters and wrong values with codes of their own.
 */
export function searchQuery(searchable: Searchable, ...further: readonly string[]) {
  const all = [...Object.entries(searchable), ...further.map((name) => [name, 'text'] as const)];
  const schemas = all.map(([name, compared]) => [name, Type.Unsafe<string>(parameterSchema(name, compared))] as const);
  return Type.Object(Object.fromEntries(schemas.map(([name, schema]) => [name, Type.Optional(schema)])), {
    additionalProperties: true,
  });
}

/** The query of a paged list; other lists come whole (endpoints.tsv, column `paged`). */
export const pagedQuery = (searchable: Searchable, ...further: readonly string[]) =>
  searchQuery(searchable, 'offset', 'limit', ...further);

/** Null or the schema: attributes of the first level are shown even without a value (wire-facts 3, "Nulls"). */
export const nullable = <T extends TSchema>(schema: T) =>
  acceptsNull(schema) ? Type.Unsafe<Static<T> | null>(schema) : Type.Union([schema, Type.Null()]);

const acceptsNull = (schema: TSchema & { readonly anyOf?: readonly { readonly type?: string }[] }): boolean =>
  Object.keys(schema).length === 0 || schema.anyOf?.some(({ type }) => type === 'null') === true;

/** The envelope of lists (wire-facts 3): `count` is the number of entries in this answer. */
export const listEnvelope = <T extends TSchema>(entry: T) =>
  Type.Object({ count: Type.Integer(), results: Type.Array(entry) });

/** A body that may be left out; any other property is refused with 3004. */
export const optionalBody = (properties: Readonly<Record<string, TSchema>>) =>
  Type.Unsafe<Readonly<Record<string, unknown>> | null>({
    type: ['object', 'null'],
    properties,
    additionalProperties: false,
  });

/** An answer without a body. */
export const emptyAnswer = (status: number) => ({
  [status]: Type.Unsafe<undefined>({ type: 'null', description: 'Done' }),
});

/** The answer of a delete, as most of them answer. */
export const NO_CONTENT = emptyAnswer(204);

/** A user as other objects show their creator. */
export const person = Type.Object({ guid: Type.String(), email: Type.String(), fullName: Type.String() });

/** A custom attribute with its value, whose JSON type follows from the field type. */
export const additionalAttribute = Type.Object({
  guid: Type.String(),
  apiName: Type.String(),
  name: Type.String(),
  fieldType: Type.String(),
  value: Type.Unknown(),
});

/** The links to an object (interface 2.4). */
export const links = Type.Object({ api: Type.String(), app: Type.String() });

/** The links to the object at a path; both lead to the interface, since the embedded workspace has no pages. */
export function linksTo({ address }: Pick<Workspace, 'address'>, path: string): Static<typeof links> {
  const url = `${address()}${path}`;
  return { api: url, app: url };
}

/** Wraps one page in the list envelope. */
export function page<T>(results: readonly T[]): { readonly count: number; readonly results: readonly T[] } {
  return { count: results.length, results };
}

/** The path parameters of a member of an object, or of the other end of an association. */
export const byMemberGuid = Type.Object({ guid: Type.String(), member: Type.String() });

/** The path parameters of an event; `guid` is its integration. */
export const byEvent = Type.Object({ guid: Type.String(), event: Type.String() });

/** The path parameters of one resource of an event. */
export const byEventEntry = Type.Object({ guid: Type.String(), event: Type.String(), entry: Type.String() });

/** The answer that is the content of a file of one of these media types. */
export const contentOf = (...types: readonly string[]) => ({
  200: {
    description: 'The content',
    content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
  },
});
