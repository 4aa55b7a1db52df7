import type { Searchable } from '../rules/search.js';
import { type TSchema, Type } from './type.js';

/** The path parameters; a GUID that is none is refused by the rules, with a code of its own. */
export const byGuid = Type.Object({ guid: Type.String() });
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

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The envelope of lists (wire-facts 3): `count` is the number of entries in this answer. */
export const listOf = <T extends TSchema>(entry: T) =>
  Type.Object({ count: Type.Integer(), results: Type.Array(entry) });

export const errorAnswer = Type.Object(
  { status: Type.Integer(), errors: Type.Array(Type.Object({ code: Type.Integer(), message: Type.String() })) },
  { description: 'Refused' },
);

export const person = Type.Object({ guid: Type.String(), email: Type.String(), fullName: Type.String() });

export const additionalAttribute = Type.Object({
  guid: Type.String(),
  apiName: Type.String(),
  name: Type.String(),
  fieldType: Type.String(),
  value: Type.Unknown(),
});

export const links = Type.Object({ api: Type.String() });

/** The list envelope around one page. */
export function page<T>(results: readonly T[]): { readonly count: number; readonly results: readonly T[] } {
  return { count: results.length, results };
}

export const byFile = Type.Object({ guid: Type.String(), run: Type.String(), file: Type.String() });
export const byMemberGuid = Type.Object({ guid: Type.String(), member: Type.String() });
export const byEvent = Type.Object({ guid: Type.String(), event: Type.String() });
export const byEventEntry = Type.Object({ guid: Type.String(), event: Type.String(), entry: Type.String() });
