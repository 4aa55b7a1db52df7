import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { type ImportResource, resourceNamed } from '#core/model/import-resources.js';
import { type Column, FREE_TEXT } from '../preflight/columns.js';
import { guidFor, type RowFields, rowFieldsOf } from '../preflight/row-fields.js';
import { keyOf } from '../rows/key-index.js';
import type { KeptRow, KeyedRows } from './keyed-rows.js';

/** What stands in the cells of a row that identifies its record. */
export interface RowIdentity {
  /** In the order of the keys of the resource; a free-text number stands for the number. */
  readonly key: readonly string[];
  /** Of the record, or of the parent of a line; empty where the row has none. */
  readonly guid: string;
}

/** Tells which records rows are about (wire-facts 4, "Key attributes": a GUID is used first). */
export interface RecordFinder {
  identity(cells: readonly string[]): RowIdentity;
  /** In their order; none where the workspace has none. */
  find(identity: RowIdentity, records: KeyedRows): readonly KeptRow[];
}

/** The finder of rows whose cells stand in the order of `columns`. */
export function recordFinder(columns: readonly Column[], definition: ImportDefinitionSpec): RecordFinder {
  const { keys } = resourceNamed(definition.resource);
  const fields = rowFieldsOf(columns, definition);
  return {
    identity: (cells) => ({
      key: keys.map((name) => fields.text(cells, name) || freeText(fields, cells, name)),
      guid: fields.text(cells, guidFor(keys[0] ?? '')),
    }),
    find: ({ key, guid }, records) => (guid === '' ? records.withKey(key) : byGuid(records, guid, key)),
  };
}

/** Whether nothing in a row identifies a record. */
export const isNameless = ({ key, guid }: RowIdentity): boolean => key.includes('') && guid === '';

/** One text for all rows that are about the same record. */
export const identityText = ({ key, guid }: RowIdentity): string => keyOf([guid, ...key]);

/** The key of what a record with this key shares with others. */
export const sharedKey = ({ keys, shared }: ImportResource, key: readonly string[]): readonly string[] =>
  keys.flatMap((name, index) => (shared?.keys.includes(name) === true ? [key[index] ?? ''] : []));

/** A free-text number stands for the number of an item (wire-facts 4, "numberingFreeTextHeader"). */
const freeText = (fields: RowFields, cells: readonly string[], name: string): string =>
  name === 'number' ? fields.text(cells, FREE_TEXT) : '';

/** A GUID finds the record itself, or its parent, of which the rest of the key finds the line. */
function byGuid(records: KeyedRows, guid: string, [, ...rest]: readonly string[]): readonly KeptRow[] {
  const found = records.withName(guid.toUpperCase());
  return rest.length === 0 ? found : found.filter(({ key }) => rest.every((part, index) => key[index + 1] === part));
}
