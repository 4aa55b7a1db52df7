import type { Row } from '#base/sqlite/sqlite.js';
import { type Answer, createAnswerer } from '../family/answer.js';
import type { Family } from '../family/family.js';
import type { StoredRecord, WriteRequest } from '../family/field.js';
import { findRow, updateRecord } from '../family/records.js';
import { type Described, described } from './described.js';

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
export const statusOperation = (changes: StatusChanges): Described => {
  const { path, family, by, show } = changes;
  return described(`POST ${path}`, `Change the status of ${family.one}`, (asked) => {
    const row = moveRecord(changes, asked, guidIn(asked.body[by]));
    if (show === undefined) return createAnswerer(family, asked, asked.shape)(row);
    return show(createAnswerer(family, asked)(row), asked.body);
  });
};

const guidIn = (value: unknown): string => String((value as Partial<StoredRecord> | null)?.guid ?? '');

function moveRecord({ family, move }: StatusChanges, writing: WriteRequest, guid: string): Row {
  const { workspace } = writing;
  const record = family.read(findRow(workspace, family, guid)) as Stated;
  const fields = { ...record.fields, ...move(record, writing) };
  updateRecord(workspace.settings, family, { ...record, fields } as StoredRecord, record);
  return findRow(workspace, family, guid);
}
