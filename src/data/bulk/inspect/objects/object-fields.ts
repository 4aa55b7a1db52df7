import type { RowSource } from '#core/jobs/source.js';
import type { TableRow } from '#core/manifest/row-table.js';
import type { JsonObject } from '#core/model/json.js';
import type { Column } from '../column.js';
import type { Meaning } from '../meanings.js';
import { cellValue, difference, type NamedRows, referenceTo } from './list-rows.js';

/** A list of objects with its rows. */
export interface ListOfObjects {
  readonly rows: readonly TableRow[];
  readonly groups: NamedRows;
  /** The columns with a meaning. */
  readonly columns: (meaning: Meaning) => readonly Column[];
}

/** What is proposed for some fields. */
export interface Fields {
  readonly spec: JsonObject;
  readonly values?: NonNullable<RowSource['values']>;
  readonly remarks?: readonly string[];
  /** Lines for fields that people may add. */
  readonly open?: readonly string[];
}

export const NO_FIELDS: Fields = { spec: {} };

/** A field that is left out, with the reason at its place and in the remarks. */
export const leftOut = (field: string, text: string, { name }: Column, why: string): Fields => ({
  spec: {},
  remarks: [`Open: "${name}" is left out: ${why}.`],
  open: [`${field}: ${text} # Left out: ${why}.`],
});

/** A field with the text of a column, unless rows of one object differ in it. */
export function textField(list: ListOfObjects, field: Meaning): Fields {
  const [column] = list.columns(field);
  if (column === undefined) return NO_FIELDS;
  const text = referenceTo(column);
  const why = difference(list.groups, (row) => cellValue(row, column));
  return why === undefined ? { spec: { [field]: text } } : leftOut(field, text, column, why);
}
