import { resourceNamed } from '#core/model/import-resources.js';
import type { Column } from '../preflight/columns.js';

/** Columns that identify rows. Positions among the columns of the import; -1 if it has none. */
export interface RowIdentity {
  /** The column with the cell that the report repeats as `Number` (wire-facts 0). */
  readonly reported: number;
  /** Together with `reported`, the key of the record; -1 if `reported` is the whole key. */
  readonly other: number;
  /** The cell to show if a message names none. */
  readonly shown: number;
}

/** Finds the columns by the fields with which reports of the resource identify rows (wire-facts 0). */
export function findRowIdentity(resource: string, columns: readonly Column[]): RowIdentity {
  const { number, other, shown } = resourceNamed(resource).reported;
  const places = { reported: columnWith(number, columns), other: columnWith(other, columns) };
  const wanted = shown === 'other' ? places.other : places.reported;
  return { ...places, shown: wanted === -1 ? Math.max(places.reported, places.other) : wanted };
}

/** Position of the column of the first of these fields that has one. */
export function columnWith(names: readonly string[], columns: readonly Column[]): number {
  for (const name of names) {
    const place = columns.findIndex(({ fields }) => fields.includes(name));
    if (place !== -1) return place;
  }
  return -1;
}
