import type { Row } from '#base/sqlite/sqlite.js';
import { type Answer, createAnswerer } from '../family/answer.js';
import type { Family } from '../family/family.js';
import type { StoredRecord, WriteRequest } from '../family/field.js';
import { findRow, updateRecord } from '../family/records.js';
import { endpointAt } from '../interface/endpoints.js';
import type { Described } from './described.js';

/** A record whose plain values are in one column, as those of documented families. */
export interface Stated extends StoredRecord {
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The operation of a collection that moves its objects from one state to another. */
export interface StatusChanges {
  /** The path of the operation: `/changes/statuschanges`. */
  readonly path: string;
  readonly family: Family;
  /** The key of the body that names the object. */
  readonly by: string;
  /** Refuses the move, or returns the values that it changes. */
  move(record: Stated, writing: WriteRequest): Readonly<Record<string, unknown>>;
  /** What the answer shows; by default, the object as its documented form has it. */
  show?(record: Answer, body: WriteRequest['body']): Readonly<Record<string, unknown>>;
}

/** The operation that changes the states of a collection. */
export const statusOperation = (changes: StatusChanges): Described => ({
  ...{ method: 'POST', path: changes.path, summary: `Change the status of ${changes.family.one}` },
  answer: (writing) => {
    const { path, family, by, show } = changes;
    const viewing = { workspace: writing.workspace, query: {} };
    const row = moveRecord(changes, writing, guidIn(writing.body[by]));
    if (show === undefined) return createAnswerer(family, viewing, endpointAt('POST', path)?.answer)(row);
    return show(createAnswerer(family, viewing)(row), writing.body);
  },
});

const guidIn = (value: unknown): string => String((value as Partial<StoredRecord> | null)?.guid ?? '');

function moveRecord({ family, move }: StatusChanges, writing: WriteRequest, guid: string): Row {
  const { workspace } = writing;
  const record = family.read(findRow(workspace, family, guid)) as Stated;
  const fields = { ...record.fields, ...move(record, writing) };
  updateRecord(workspace.settings, family, { ...record, fields } as StoredRecord, record);
  return findRow(workspace, family, guid);
}
