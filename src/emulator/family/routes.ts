import type { FastifyRequest } from 'fastify';
import { bodyNames } from '../interface/endpoints.js';
import { callerOf } from '../routes/admission.js';
import type { App, Services } from '../routes/app.js';
import { nullable, page, pagedQuery, searchQuery } from '../routes/schemas.js';
import { type TSchema, Type } from '../routes/type.js';
import { parseFlag, type Query } from '../rules/search.js';
import type { Workspace } from '../rules/workspace.js';
import { writeWhenFree } from '../store/database.js';
import type { Clause } from '../store/search.js';
import { answerSchema, createAnswerer, listSchema, viewOf } from './answer.js';
import { type Family, PARAMETERS, type Verb } from './family.js';
import type { WriteRequest } from './field.js';
import { flagNames, listRecords } from './list-records.js';
import { findRow } from './records.js';
import { createRecord, removeRecord, replaceRecord } from './write-record.js';

type Parameters = Readonly<Record<string, string>>;

/** Adds the endpoints of a family that the dialect's capabilities allow; without capabilities, it is read-only. */
export function familyRoutes(app: App, services: Services, family: Family): void {
  const { capability, path } = family;
  if (path === undefined) return;
  const can = capability === undefined ? undefined : services.workspace.dialect.capabilities[capability];
  const { endpoints } = family;
  const allows = (verb: 'create' | 'update' | 'delete'): boolean => {
    if (can === undefined) return endpoints?.[verb] !== undefined;
    return verb === 'update' ? can.update.length > 0 : can[verb];
  };
  if (!can || can.list) reads(app, services, family, path);
  if (allows('create')) creation(app, services, family, path);
  if (allows('update')) update(app, services, family, path);
  if (allows('delete')) removal(app, services, family, path);
}

/** The name of the parameter that is the GUID of an entry. */
function parameterOf({ owner }: Pick<Family, 'owner'>): string {
  let depth = 0;
  for (let outer = owner; outer !== undefined; outer = outer.owner) depth += 1;
  return PARAMETERS[depth] ?? `guid${depth}`;
}

const parametersOf = (family: Pick<Family, 'owner'> | undefined): TSchema => {
  const names: string[] = [];
  for (let one = family; one !== undefined; one = one.owner) names.unshift(parameterOf(one));
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])));
};

/** The condition that entries belong to the owner in the path, whose own owners are checked too; 3011 otherwise. */
function scopeOf(workspace: Workspace, { owner }: Family, params: Parameters): Clause | undefined {
  if (owner === undefined) return undefined;
  const guid = params[parameterOf(owner)] ?? '';
  findRow(workspace, owner, guid, scopeOf(workspace, owner, params));
  return { sql: 't.owner = ?', values: [guid] };
}

function reads(app: App, { workspace }: Services, family: Family, path: string): void {
  const querystring = (family.paged ? pagedQuery : searchQuery)(family.search, ...flagNames(family));
  const list = { params: parametersOf(family.owner), querystring, response: { 200: listSchema(family) } };
  for (const at of [path, ...(family.alsoAt ?? [])]) {
    app.get(at, { schema: { summary: summaryOf(family, 'list'), ...list } }, async ({ params, query }) => {
      const fixed = scopeOf(workspace, family, params as Parameters);
      return page(listRecords(workspace, family, query as Query, fixed && { fixed }));
    });
  }
  if (family.listOnly) return;
  const view = viewOf(family, 'get');
  const own = parameterOf(family);
  const one = { params: parametersOf(family), ...viewQuery(family), response: { 200: answerSchema(family, view) } };
  app.get(`${path}/:${own}`, { schema: { summary: summaryOf(family, 'get'), ...one } }, async (request) => {
    const params = request.params as Parameters;
    const row = findRow(workspace, family, params[own] ?? '', scopeOf(workspace, family, params));
    return createAnswerer(family, { workspace, query: request.query as Query }, view)(row);
  });
}

function viewQuery({ fields }: Family) {
  const names = fields.flatMap((field) => field.viewParameters ?? []);
  return names.length === 0 ? {} : { querystring: searchQuery({}, ...names) };
}

function creation(app: App, { workspace }: Services, family: Family, path: string): void {
  const view = viewOf(family, 'create');
  const status = family.endpoints?.create?.status ?? 201;
  const answer = { params: parametersOf(family.owner), response: { [status]: answerSchema(family, view) } };
  const schema = { summary: summaryOf(family, 'create'), body: bodySchema(family), ...answer };
  app.post(path, { schema }, async (request, reply) => {
    const params = request.params as Parameters;
    const row = await writeWhenFree(workspace.settings, () => {
      scopeOf(workspace, family, params);
      const owner = family.owner && params[parameterOf(family.owner)];
      return createRecord(family, { ...writingOf(workspace, request), ...(owner === undefined ? {} : { owner }) });
    });
    return reply.status(status).send(createAnswerer(family, { workspace, query: {} }, view)(row));
  });
}

function update(app: App, { workspace }: Services, family: Family, path: string): void {
  const view = viewOf(family, 'update');
  const own = parameterOf(family);
  const sent = { body: bodySchema(family, 'update'), params: parametersOf(family) };
  const schema = { summary: summaryOf(family, 'update'), ...sent, response: { 200: answerSchema(family, view) } };
  app.put(`${path}/:${own}`, { schema }, async (request) => {
    const params = request.params as Parameters;
    const setsNull = parseFlag(request.query as Query, 'setnull', false);
    const writing = { ...writingOf(workspace, request), setsNull };
    const replace = () => replaceRecord(family, writing, params[own] ?? '', scopeOf(workspace, family, params));
    const row = await writeWhenFree(workspace.settings, replace);
    return createAnswerer(family, { workspace, query: {} }, view)(row);
  });
}

const writingOf = (workspace: Workspace, request: FastifyRequest): WriteRequest => ({
  workspace,
  caller: callerOf(request),
  body: request.body as WriteRequest['body'],
});

function removal(app: App, { workspace }: Services, family: Family, path: string): void {
  const own = parameterOf(family);
  const schema = { summary: summaryOf(family, 'delete'), params: parametersOf(family) };
  app.delete(`${path}/:${own}`, { schema }, async (request, reply) => {
    const params = request.params as Parameters;
    const remove = () => removeRecord(family, workspace, params[own] ?? '', scopeOf(workspace, family, params));
    await writeWhenFree(workspace.settings, remove);
    return reply.status(204).send();
  });
}

/** The JSON schema of request bodies; any other property is refused with 3004. A partial update requires nothing. */
export function bodySchema(family: Family, verb: 'create' | 'update' = 'create'): TSchema {
  const { fields, given = {}, clearable, endpoints } = family;
  const own = fields.flatMap((field): [string, TSchema][] => (field.given ? [[field.name, field.given.schema]] : []));
  const names = endpoints && bodyNames(endpoints[verb]);
  const all = [...own, ...Object.entries(given)].filter(([name]) => names?.includes(name) ?? true);
  const isPartial = verb === 'update' && clearable !== undefined;
  const properties = isPartial ? all.map(([name, schema]) => [name, Type.Optional(nullable(schema))] as const) : all;
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false });
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
