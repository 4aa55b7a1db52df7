import { callerOf } from '../routes/admission.js';
import type { App, Services } from '../routes/app.js';
import { byGuid, page, pagedQuery, searchQuery } from '../routes/schemas.js';
import { type TSchema, Type } from '../routes/type.js';
import type { Query } from '../rules/search.js';
import { writeWhenFree } from '../store/database.js';
import { answerFor, answerSchema, createAnswerer, listSchema } from './answer.js';
import type { Family, Verb, WriteRequest } from './family.js';
import { flagNames, listRecords } from './list-records.js';
import { createRecord, removeRecord, replaceRecord } from './write-record.js';

/** Adds the endpoints of a family that the dialect's capabilities allow; without capabilities, it is read-only. */
export function familyRoutes(app: App, services: Services, family: Family): void {
  const { capability, path } = family;
  if (path === undefined) return;
  const can = capability === undefined ? undefined : services.workspace.dialect.capabilities[capability];
  if (!can || can.list) reads(app, services, family, path);
  if (can?.create) creation(app, services, family, path);
  if (can && can.update.length > 0) update(app, services, family, path);
  if (can?.delete) removal(app, services, family, path);
}

function reads(app: App, { workspace }: Services, family: Family, path: string): void {
  const querystring = (family.paged ? pagedQuery : searchQuery)(family.search, ...flagNames(family));
  const response = { 200: listSchema(family) };
  for (const at of [path, ...(family.alsoAt ?? [])]) {
    app.get(at, { schema: { summary: summaryOf(family, 'list'), querystring, response } }, async ({ query }) =>
      page(listRecords(workspace, family, query)),
    );
  }
  if (family.listOnly) return;
  const one = { params: byGuid, ...viewQuery(family), response: { 200: answerSchema(family) } };
  app.get(`${path}/:guid`, { schema: { summary: summaryOf(family, 'get'), ...one } }, async ({ params, query }) =>
    answerFor(workspace, family, params.guid, query as Query),
  );
}

function viewQuery({ fields }: Family) {
  const names = fields.flatMap((field) => field.viewParameters ?? []);
  return names.length === 0 ? {} : { querystring: searchQuery({}, ...names) };
}

function creation(app: App, { workspace }: Services, family: Family, path: string): void {
  const schema = {
    summary: summaryOf(family, 'create'),
    body: bodySchema(family),
    response: { 201: answerSchema(family) },
  };
  app.post(path, { schema }, async (request, reply) => {
    const writing: WriteRequest = { workspace, caller: callerOf(request), body: request.body as WriteRequest['body'] };
    const row = await writeWhenFree(workspace.settings, () => createRecord(family, writing));
    return reply.status(201).send(createAnswerer(family, { workspace, query: {} })(row));
  });
}

function update(app: App, { workspace }: Services, family: Family, path: string): void {
  const answer = { params: byGuid, response: { 200: answerSchema(family) } };
  const schema = { summary: summaryOf(family, 'update'), body: bodySchema(family), ...answer };
  app.put(`${path}/:guid`, { schema }, async (request) => {
    const writing: WriteRequest = { workspace, caller: callerOf(request), body: request.body as WriteRequest['body'] };
    const row = await writeWhenFree(workspace.settings, () => replaceRecord(family, writing, request.params.guid));
    return createAnswerer(family, { workspace, query: {} })(row);
  });
}

function removal(app: App, { workspace }: Services, family: Family, path: string): void {
  const schema = { summary: summaryOf(family, 'delete'), params: byGuid };
  app.delete(`${path}/:guid`, { schema }, async ({ params }, reply) => {
    await writeWhenFree(workspace.settings, () => removeRecord(family, workspace, params.guid));
    return reply.status(204).send();
  });
}

/** The JSON schema of request bodies; any other property is refused with 3004. */
export function bodySchema({ fields, given = {} }: Family): TSchema {
  const own = fields.flatMap((field) => (field.given ? [[field.name, field.given.schema]] : []));
  return Type.Object({ ...Object.fromEntries(own), ...given }, { additionalProperties: false });
}

function summaryOf({ summaries, one, many }: Family, verb: Verb): string {
  const texts: Readonly<Record<Verb, string>> = {
    list: `Search ${many}`,
    get: `Get ${one}`,
    create: `Create ${one}`,
    update: `Replace ${one}`,
    delete: `Delete ${one}`,
  };
  return summaries?.[verb] ?? texts[verb];
}
