import type { Searchable } from '../rules/search.js';
import { type TSchema, Type } from './type.js';

/** The path parameter of an object; the rules refuse an invalid GUID with a code of their own. */
export const byGuid = Type.Object({ guid: Type.String() });

/** The path parameters of a run; `guid` is its definition or extract. */
export const byRun = Type.Object({ guid: Type.String(), run: Type.String() });

/**
 * The searches and further parameters of a list. Unknown parameters pass the schema, since the rules refuse them with a
 * code of their own.
 */
export function searchQuery(searchable: Searchable, ...further: readonly string[]) {
  const names = [...Object.keys(searchable), ...further];
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.String())])), {
    additionalProperties: true,
  });
}

/** The query of a paged list; other lists come whole (endpoints.tsv, column `paged`). */
export const pagedQuery = (searchable: Searchable, ...further: readonly string[]) =>
  searchQuery(searchable, 'offset', 'limit', ...further);

/** Null or the schema: attributes of the first level are shown even without a value (wire-facts 3, "Nulls"). */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The envelope of lists (wire-facts 3): `count` is the number of entries in this answer. */
export const listEnvelope = <T extends TSchema>(entry: T) =>
  Type.Object({ count: Type.Integer(), results: Type.Array(entry) });

/** The common form of errors (wire-facts 0, "error body"): the HTTP status again, and a code for each problem. */
export const errorAnswer = Type.Object(
  { status: Type.Integer(), errors: Type.Array(Type.Object({ code: Type.Integer(), message: Type.String() })) },
  { description: 'Refused' },
);

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

/** The links to an object (interface 2.4): a path below the base of the interface, and no page, since there is none. */
export const links = Type.Object({ api: Type.String(), app: Type.Null() });

/** The links to the object at a path. */
export const linksTo = (api: string) => ({ api, app: null });

/** Wraps one page in the list envelope. */
export function page<T>(results: readonly T[]): { readonly count: number; readonly results: readonly T[] } {
  return { count: results.length, results };
}

/** The path parameters of a file of a run. */
export const byFile = Type.Object({ guid: Type.String(), run: Type.String(), file: Type.String() });

/** The path parameters of a member of an object, or of the other end of an association. */
export const byMemberGuid = Type.Object({ guid: Type.String(), member: Type.String() });

/** The path parameters of an event; `guid` is its integration. */
export const byEvent = Type.Object({ guid: Type.String(), event: Type.String() });

/** The path parameters of one resource of an event. */
export const byEventEntry = Type.Object({ guid: Type.String(), event: Type.String(), entry: Type.String() });
