import type { Searchable } from '../rules/search.js';
import { type TSchema, Type } from './type.js';

/** The path parameters; a GUID that is none is refused by the rules, with a code of its own. */
export const byGuid = Type.Object({ guid: Type.String() });

/** The path of a run below its definition or extract, which is `guid`. */
export const byRun = Type.Object({ guid: Type.String(), run: Type.String() });

/**
 * What a list can be searched by. Further parameters pass the schema: the rules refuse what a list does not know, with a
 * code of its own.
 */
export function searchQuery(searchable: Searchable, ...further: readonly string[]) {
  const names = [...Object.keys(searchable), ...further];
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.String())])), {
    additionalProperties: true,
  });
}

/** The same for a list that is paged; the others come whole (endpoints.tsv, column `paged`). */
export const pagedQuery = (searchable: Searchable, ...further: readonly string[]) =>
  searchQuery(searchable, 'offset', 'limit', ...further);

/**
 * Null, or what the schema says: attributes of the first level are shown without a value too (wire-facts 3, "Nulls").
 */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The envelope of lists (wire-facts 3): `count` is the number of entries in this answer. */
export const listOf = <T extends TSchema>(entry: T) =>
  Type.Object({ count: Type.Integer(), results: Type.Array(entry) });

/** The one form of errors (wire-facts 0, "error body"): the HTTP status once more, and a code for each problem. */
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

/** Where an object is: a path below the base of the interface. */
export const links = Type.Object({ api: Type.String() });

/** The list envelope around one page. */
export function page<T>(results: readonly T[]): { readonly count: number; readonly results: readonly T[] } {
  return { count: results.length, results };
}

/** The path of a file of a run. */
export const byFile = Type.Object({ guid: Type.String(), run: Type.String(), file: Type.String() });

/** The path of what belongs to an object: a member, or the other end of an association. */
export const byMemberGuid = Type.Object({ guid: Type.String(), member: Type.String() });

/** The path of an event below its integration, which is `guid`. */
export const byEvent = Type.Object({ guid: Type.String(), event: Type.String() });

/** The path of one resource of an event. */
export const byEventEntry = Type.Object({ guid: Type.String(), event: Type.String(), entry: Type.String() });
