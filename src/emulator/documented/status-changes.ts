import type { FastifyRequest } from 'fastify';
import type { Row } from '#base/sqlite/sqlite.js';
import { type Answer, conform, createAnswerer } from '../family/answer.js';
import type { Family } from '../family/family.js';
import type { StoredRecord, WriteRequest } from '../family/field.js';
import { findRow, updateRecord } from '../family/records.js';
import { bodyNames, endpointAt } from '../interface/endpoints.js';
import { entrySchema, type Shape } from '../interface/shape.js';
import { callerOf } from '../routes/admission.js';
import type { App, Services } from '../routes/app.js';
import { Type } from '../routes/type.js';
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
  /** What the answer shows besides the body; by default, it shows the object. */
  show?(record: Answer, body: WriteRequest['body']): Readonly<Record<string, unknown>>;
}

/** Adds the endpoint that changes the states of a collection. */
export function statusChangeRoutes(app: App, { workspace }: Services, changes: StatusChanges): void {
  const { path, family, by, show } = changes;
  const endpoint = endpointAt('POST', path);
  const shape: Shape = endpoint?.answer ?? { types: [] };
  const properties = bodyNames(endpoint).map((name) => [name, givenSchema(name, givenKeys(endpoint, name))] as const);
  const body = Type.Object(Object.fromEntries(properties), { additionalProperties: false });
  const schema = { summary: `Change the status of ${family.one}`, body, response: { 201: entrySchema(shape) } };
  app.post(path, { schema }, async (request: FastifyRequest, reply) => {
    const given = request.body as WriteRequest['body'];
    const writing: WriteRequest = { workspace, caller: callerOf(request), body: given };
    const row = await writeWhenFree(workspace.settings, () => moveRecord(changes, writing, guidIn(given[by])));
    const viewing = { workspace, query: {} };
    const answer = show
      ? conform({ ...given, ...show(createAnswerer(family, viewing)(row), given) }, shape)
      : createAnswerer(family, viewing, shape)(row);
    return reply.status(201).send(answer);
  });
}

const guidIn = (value: unknown): string => String((value as Partial<StoredRecord> | null)?.guid ?? '');

function moveRecord({ family, move }: StatusChanges, writing: WriteRequest, guid: string): Row {
  const { workspace } = writing;
  const record = family.read(findRow(workspace, family, guid)) as Stated;
  const fields = { ...record.fields, ...move(record, writing) };
  updateRecord(workspace.settings, family, { ...record, fields } as StoredRecord, record);
  return findRow(workspace, family, guid);
}
