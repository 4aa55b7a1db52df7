import { type Endpoint, entryShape } from '../interface/endpoints.js';
import type { Shape } from '../interface/shape.js';
import type { Comparison, Searchable } from '../rules/search.js';
import type { Columns } from '../store/search.js';

/** The documented searches of a list, each with the comparison that follows from the value's type. */
export function documentedSearch(list: Endpoint | undefined, hasAttributes: boolean): Searchable {
  const entry = entryShape(list);
  const names = list?.parameters.filter((name) => !(hasAttributes && name === '{attributeGuid}')) ?? [];
  return Object.fromEntries(names.map((name) => [name, comparisonOf(name, entry)]));
}

/** The ends of ranges of time that a list is searched by, each named after the time. */
export function timeRanges(list: Endpoint | undefined): Columns {
  const ends = list?.parameters.filter((name) => /DateTime(From|To)$/.test(name)) ?? [];
  return Object.fromEntries(
    ends.map((end) => {
      const name = end.replace(/(From|To)$/, '');
      return [end, name === 'creationDateTime' ? 't.created' : `t.fields ->> '$.${name}'`];
    }),
  );
}

function comparisonOf(name: string, entry: Shape | undefined): Comparison {
  if (name.endsWith('From')) return 'dateTimeFrom';
  if (name.endsWith('To')) return 'dateTimeTo';
  const shape = name.split('.').reduce<Shape | undefined>((inner, key) => inner?.keys?.get(key)?.shape, entry);
  if (shape?.types.includes('boolean')) return 'flag';
  if (shape?.types.includes('number')) return 'number';
  return shape?.values === undefined ? 'text' : 'choice';
}
