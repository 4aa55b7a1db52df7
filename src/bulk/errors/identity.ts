import type { Column } from '../preflight/columns.js';

/** Which columns tell one row from another. Positions among the columns of the import; -1 where it has none. */
export interface Identity {
  /** The column whose cell the report's `Number` holds (wire-facts 0). */
  readonly reported: number;
  /** Together with `reported`, the key of the record; -1 where that is the key alone. */
  readonly other: number;
  /** The cell to show where a message names none. */
  readonly shown: number;
}

interface Fields {
  readonly reported: readonly string[];
  readonly other: readonly string[];
  readonly shown: 'reported' | 'other';
}

/**
 * By resource, what its fields may be called: the apiName, or the attribute's own name where there is no mapping. A parent
 * has many lines, so the child says more about a line; of a file association the report has the file (wire-facts 0 and 4).
 */
const FIELDS: ReadonlyMap<string, Fields> = new Map([
  ['ITEM_BOM', { reported: ['number', 'parent item number'], other: ['item.number', 'item number'], shown: 'other' }],
  [
    'ITEM_FILES',
    { reported: ['file.number', 'file number'], other: ['number', 'item number', 'item.number'], shown: 'reported' },
  ],
  ['FILE_SUMMARY', { reported: ['number', 'file number', 'file.number'], other: [], shown: 'reported' }],
]);

const ITEM: Fields = { reported: ['number', 'item number', 'item.number'], other: [], shown: 'reported' };

export function identityOf(resource: string, columns: readonly Column[]): Identity {
  const { reported, other, shown } = FIELDS.get(resource.toUpperCase()) ?? ITEM;
  const places = { reported: placeOf(reported, columns), other: placeOf(other, columns) };
  const wanted = places[shown];
  return { ...places, shown: wanted === -1 ? Math.max(places.reported, places.other) : wanted };
}

/** The column of the first of these fields that has one. */
export function placeOf(names: readonly string[], columns: readonly Column[]): number {
  for (const name of names) {
    const place = columns.findIndex(({ fields }) => fields.includes(name));
    if (place !== -1) return place;
  }
  return -1;
}
