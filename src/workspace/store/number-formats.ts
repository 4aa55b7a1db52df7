import type { Database } from './database.js';
import type { Row } from './driver.js';
import { flag, type List, number, text } from './select.js';

export const NUMBER_FIELD_TYPES = ['VALUE_LIST', 'DELIMITER', 'FREE_TEXT', 'AUTO_SEQUENCE'] as const;

/** One part of a number (wire-facts 7, "numberformats"). */
export interface NumberField {
  readonly apiName: string;
  readonly guid: string;
  readonly maxLength: number;
  readonly name: string;
  readonly possibleValues: readonly { readonly value: string; readonly description: string }[];
  readonly type: (typeof NUMBER_FIELD_TYPES)[number];
  /** What stands there unless something else is chosen; of a sequence nothing. */
  readonly value: string | null;
}

export interface NumberFormat {
  readonly guid: string;
  readonly name: string;
  /** Whether it is the one that new categories get. */
  readonly isDefault: boolean;
  readonly fields: readonly NumberField[];
  /** The last value of its sequence that was given away. */
  readonly taken: number;
  readonly created: string;
}

export const numberFormatList: List<NumberFormat> = {
  select: 'SELECT * FROM number_formats',
  columns: { name: 'name' },
  order: 'seq',
  read: (row: Row) => ({
    guid: text(row, 'guid'),
    name: text(row, 'name'),
    isDefault: flag(row, 'is_default'),
    fields: JSON.parse(text(row, 'fields')) as NumberField[],
    taken: number(row, 'taken'),
    created: text(row, 'created'),
  }),
};

export function insertNumberFormat(database: Database, format: NumberFormat): void {
  database.run(
    'INSERT INTO number_formats (guid, name, is_default, fields, taken, created) VALUES (?, ?, ?, ?, ?, ?)',
    format.guid,
    format.name,
    Number(format.isDefault),
    JSON.stringify(format.fields),
    format.taken,
    format.created,
  );
}

/** Moves the counter of a sequence; it never goes back. */
export function advanceSequence(database: Database, guid: string, taken: number): void {
  database.run('UPDATE number_formats SET taken = max(taken, ?) WHERE guid = ?', taken, guid);
}
