import type { Row } from '#base/sqlite/sqlite.js';
import { type Answer, conform, createAnswerer } from '../family/answer.js';
import type { Family } from '../family/family.js';
import type { StoredRecord, WriteRequest } from '../family/field.js';
import type { Operation } from '../family/operation.js';
import { findRow, updateRecord } from '../family/records.js';
import { writingOf } from '../family/routes.js';
import { bodyNames, endpointAt } from '../interface/endpoints.js';
import { entrySchema, type Shape } from '../interface/shape.js';
import { Type } from '../routes/type.js';
import type { Workspace } from '../rules/workspace.js';
import { writeWhenFree } from '../store/database.js';
import { givenKeys, givenSchema } from './kept-value.js';

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
export function statusOperation(workspace: Workspace, changes: StatusChanges): Operation {
  const { path, family, by, show } = changes;
  const endpoint = endpointAt('POST', path);
  const shape: Shape = endpoint?.answer ?? { types: [] };
  const properties = bodyNames(endpoint).map((name) => [name, givenSchema(name, givenKeys(endpoint, name))] as const);
  const body = Type.Object(Object.fromEntries(properties), { additionalProperties: false });
  return {
    ...{ method: 'POST', path, status: 201 },
    schema: () => ({ summary: `Change the status of ${family.one}`, body, response: { 201: entrySchema(shape) } }),
    answer: async (request) => {
      const writing = writingOf(workspace, request);
      const guid = guidIn(writing.body[by]);
      const row = await writeWhenFree(workspace.settings, () => moveRecord(changes, writing, guid));
      const viewing = { workspace, query: {} };
      if (show === undefined) return createAnswerer(family, viewing, shape)(row);
      return conform(show(createAnswerer(family, viewing)(row), writing.body), shape);
    },
  };
}

const guidIn = (value: unknown): string => String((value as Partial<StoredRecord> | null)?.guid ?? '');

function moveRecord({ family, move }: StatusChanges, writing: WriteRequest, guid: string): Row {
  const { workspace } = writing;
  const record = family.read(findRow(workspace, family, guid)) as Stated;
  const fields = { ...record.fields, ...move(record, writing) };
  updateRecord(workspace.settings, family, { ...record, fields } as StoredRecord, record);
  return findRow(workspace, family, guid);
}
