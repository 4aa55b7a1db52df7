import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { type ImportResource, resourceNamed } from '#core/model/import-resources.js';
import { type Column, FREE_TEXT } from '../preflight/columns.js';
import { createRowFields, guidFor, type RowFields } from '../preflight/row-fields.js';
import { joinKey } from '../rows/key-index.js';
import type { KeptRow, KeyedRows } from './keyed-rows.js';

/** The cells of a row that identify its record. */
export interface RowIdentity {
  /** In the order of the keys of the resource; a free-text number replaces a missing number. */
  readonly key: readonly string[];
  /** GUID of the record, or of the parent of a line; empty if the row has none. */
  readonly guid: string;
}

/** Finds the records of rows (wire-facts 4, "Key attributes": a GUID is used first). */
export interface RecordFinder {
  identity(cells: readonly string[]): RowIdentity;
  /** In the order of the records; empty if the workspace has none. */
  find(identity: RowIdentity, records: KeyedRows): readonly KeptRow[];
}

/** Creates the finder of rows with cells in the order of `columns`. */
export function recordFinder(columns: readonly Column[], definition: ImportDefinitionSpec): RecordFinder {
  const { keys } = resourceNamed(definition.resource);
  const fields = createRowFields(columns, definition);
  return {
    identity: (cells) => ({
      key: keys.map((name) =>
        fields.text(cells, name) === '' ? freeText(fields, cells, name) : fields.keyPart(cells, name),
      ),
      guid: fields.text(cells, guidFor(keys[0] ?? '')),
    }),
    find: ({ key, guid }, records) => (guid === '' ? records.withKey(key) : byGuid(records, guid, key)),
  };
}

/** Whether a row lacks a part of its key and has no GUID. */
export const isNameless = ({ key, guid }: RowIdentity): boolean => key.includes('') && guid === '';

/** The same text for all rows of one record. */
export const identityText = ({ key, guid }: RowIdentity): string => joinKey([guid, ...key]);

/** Key of the object that a record with this key shares with others. */
export const sharedKey = ({ keys, shared }: ImportResource, key: readonly string[]): readonly string[] =>
  keys.flatMap((name, index) => (shared?.keys.includes(name) === true ? [key[index] ?? ''] : []));

/** A free-text number replaces the number of an item (wire-facts 4, "numberingFreeTextHeader"). */
const freeText = (fields: RowFields, cells: readonly string[], name: string): string =>
  name === 'number' ? fields.text(cells, FREE_TEXT) : '';

/** Finds a record by its GUID, or a line by the GUID of its parent and the rest of its key. */
function byGuid(records: KeyedRows, guid: string, [, ...rest]: readonly string[]): readonly KeptRow[] {
  const found = records.withName(guid.toUpperCase());
  return rest.length === 0 ? found : found.filter(({ key }) => rest.every((part, index) => key[index + 1] === part));
}
