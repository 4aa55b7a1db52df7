import type { FastifyRequest } from 'fastify';
import type { Row } from '#base/sqlite/sqlite.js';
import { bodyKeys, bodyMediaTypes, bodyNames } from '../interface/endpoints.js';
import { callerOf } from '../routes/admission.js';
import { emptyAnswer, nullable, page, pagedQuery, searchQuery } from '../routes/schemas.js';
import { type TSchema, Type } from '../routes/type.js';
import { parseFlag, type Query } from '../rules/search.js';
import { refusal } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { writeWhenFree } from '../store/database.js';
import type { Clause } from '../store/search.js';
import { answerSchema, chooseView, createAnswerer, listSchema } from './answer.js';
import { type Family, PARAMETERS, type Verb } from './family.js';
import type { WriteRequest } from './field.js';
import { flagNames, listRecords } from './list-records.js';
import type { Operation } from './operation.js';
import { entryGuid, findRow, ownerColumn, refersTo } from './records.js';
import { createRecord, removeRecord, replaceRecord } from './write-record.js';

type Parameters = Readonly<Record<string, string>>;

/** The operations of a family that the dialect's capabilities allow; without capabilities, those that are documented. */
export function familyOperations(workspace: Workspace, family: Family): Operation[] {
  const { capability, path, endpoints, listOnly } = family;
  if (path === undefined) return [];
  const can = capability === undefined ? undefined : workspace.dialect.capabilities[capability];
  const allows = (verb: 'create' | 'update' | 'delete'): boolean => {
    if (can === undefined) return endpoints?.[verb] !== undefined;
    return verb === 'update' ? can.update.length > 0 : can[verb];
  };
  const reads = can?.list !== false;
  return [
    ...(reads ? lists(workspace, family, [path, ...(family.alsoAt ?? [])]) : []),
    ...(reads && !listOnly ? [singleRead(workspace, family, path)] : []),
    ...(allows('create') ? [creation(workspace, family, path)] : []),
    ...(allows('update') ? [update(workspace, family, path)] : []),
    ...(allows('delete') ? [removal(workspace, family, path)] : []),
  ];
}

/** The name of the parameter that is the GUID of an entry. */
function parameterOf({ owner, parameter }: Pick<Family, 'owner' | 'parameter'>): string {
  if (parameter !== undefined) return parameter;
  let depth = 0;
  for (let outer = owner; outer !== undefined; outer = outer.owner) depth += 1;
  return PARAMETERS[depth] ?? `guid${depth}`;
}

const parametersOf = (family: Pick<Family, 'owner' | 'parameter'> | undefined): TSchema => {
  const names: string[] = [];
  for (let one = family; one !== undefined; one = one.owner) names.unshift(parameterOf(one));
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])));
};

/** The condition that entries belong to the owner in the path, whose own owners are checked too; 3011 otherwise. */
function scopeOf(workspace: Workspace, family: Family, params: Parameters): Clause | undefined {
  const { owner, only } = family;
  if (owner === undefined) return only;
  return refersTo(`t.${ownerColumn(family)}`, owner, findEntry(workspace, owner, params));
}

/** The row of the entry that the parameters of a path name. */
export const findEntry = (workspace: Workspace, family: Family, params: Parameters): Row =>
  findRow(workspace, family, params[parameterOf(family)] ?? '', scopeOf(workspace, family, params));

/** The row of the entry that a request names and its caller may see. */
export function findRequested(workspace: Workspace, family: Family, request: FastifyRequest): Row {
  const row = findEntry(workspace, family, request.params as Parameters);
  const { personal, one } = family;
  if (personal === undefined || row.creator === callerOf(request).guid) return row;
  throw refusal(personal, `Only the user who created ${one} may read it.`);
}

const lists = (workspace: Workspace, family: Family, paths: readonly string[]): Operation[] =>
  paths.map((path) => ({
    ...{ method: 'GET', path, status: 200 },
    schema: () => ({
      summary: summaryOf(family, 'list'),
      params: parametersOf(family.owner),
      querystring: (family.paged ? pagedQuery : searchQuery)(family.search, ...flagNames(family)),
      response: { 200: listSchema(family) },
    }),
    answer: async (request) => {
      const { params, query } = request;
      const fixed = scopeOf(workspace, family, params as Parameters);
      const part = {
        ...(fixed && { fixed }),
        ...(family.personal !== undefined && { creator: callerOf(request).guid }),
      };
      return page(listRecords(workspace, family, query as Query, part));
    },
  }));

function singleRead(workspace: Workspace, family: Family, path: string): Operation {
  const own = parameterOf(family);
  return {
    ...{ method: 'GET', path: `${path}/:${own}`, status: 200 },
    schema: () => ({
      ...{ summary: summaryOf(family, 'get'), params: parametersOf(family), ...viewQuery(family) },
      response: { 200: answerSchema(family, chooseView(family, 'get')) },
    }),
    answer: async (request) => {
      const row = findRequested(workspace, family, request);
      const query = request.query as Query;
      return createAnswerer(family, { workspace, query }, chooseView(family, 'get', query))(row);
    },
  };
}

function viewQuery({ fields, views }: Family) {
  const names = [...fields.flatMap((field) => field.viewParameters ?? []), ...(views ? [views.parameter] : [])];
  return names.length === 0 ? {} : { querystring: searchQuery({}, ...names) };
}

function creation(workspace: Workspace, family: Family, path: string): Operation {
  const status = family.endpoints?.create?.status ?? 201;
  return {
    ...{ method: 'POST', path, status },
    schema: () => ({
      ...{ summary: summaryOf(family, 'create'), params: parametersOf(family.owner), body: bodySchema(family) },
      ...bodyMediaTypes(family.endpoints?.create),
      response: { [status]: answerSchema(family, chooseView(family, 'create')) },
    }),
    answer: async (request) => {
      const params = request.params as Parameters;
      const row = await writeWhenFree(workspace.settings, () => {
        const { owner } = family;
        return createRecord(family, {
          ...toWriteRequest(workspace, request),
          ...(owner && { owner: entryGuid(owner, findEntry(workspace, owner, params)) }),
        });
      });
      return createAnswerer(family, { workspace, query: {} }, chooseView(family, 'create'))(row);
    },
  };
}

function update(workspace: Workspace, family: Family, path: string): Operation {
  const own = parameterOf(family);
  const status = family.endpoints?.update?.status ?? 200;
  return {
    ...{ method: 'PUT', path: `${path}/:${own}`, status },
    schema: () => ({
      ...{ summary: summaryOf(family, 'update'), params: parametersOf(family), body: bodySchema(family, 'update') },
      ...(family.endpoints?.update?.setsNull && { querystring: searchQuery({}, 'setnull') }),
      response: { [status]: answerSchema(family, chooseView(family, 'update')) },
    }),
    answer: async (request) => {
      const params = request.params as Parameters;
      const setsNull = parseFlag(request.query as Query, 'setnull', false);
      const writing = { ...toWriteRequest(workspace, request), setsNull };
      const replace = () => replaceRecord(family, writing, params[own] ?? '', scopeOf(workspace, family, params));
      const row = await writeWhenFree(workspace.settings, replace);
      return createAnswerer(family, { workspace, query: {} }, chooseView(family, 'update'))(row);
    },
  };
}

function removal(workspace: Workspace, family: Family, path: string): Operation {
  const own = parameterOf(family);
  const status = family.endpoints?.delete?.status ?? 204;
  return {
    ...{ method: 'DELETE', path: `${path}/:${own}`, status },
    schema: () => ({
      ...{ summary: summaryOf(family, 'delete'), params: parametersOf(family), response: emptyAnswer(status) },
    }),
    answer: async (request) => {
      const params = request.params as Parameters;
      const writing = toWriteRequest(workspace, request);
      const remove = () => removeRecord(family, writing, params[own] ?? '', scopeOf(workspace, family, params));
      return writeWhenFree(workspace.settings, remove);
    },
  };
}

/** The request as the rules of a family see it. */
export const toWriteRequest = (workspace: Workspace, request: FastifyRequest): WriteRequest => ({
  workspace,
  caller: callerOf(request),
  body: request.body as WriteRequest['body'],
  upload: request.upload,
});

/** The JSON schema of request bodies; any other property is refused with 3004. A partial update requires nothing. */
export function bodySchema(family: Family, verb: 'create' | 'update' = 'create'): TSchema {
  const { fields, given = {}, clearable, endpoints } = family;
  const own = fields.flatMap((field): [string, TSchema][] => (field.given ? [[field.name, field.given.schema]] : []));
  const names = endpoints && bodyNames(endpoints[verb]);
  const all = [...own, ...Object.entries(given)].filter(([name]) => names?.includes(name) ?? true);
  const isRequired = (name: string): boolean => bodyKeys(endpoints?.update, name).some(({ required }) => required);
  const isOptional = (name: string): boolean =>
    verb === 'update' && (clearable !== undefined || (Object.hasOwn(given, name) && !isRequired(name)));
  const properties = all.map(
    ([name, schema]) => [name, isOptional(name) ? Type.Optional(nullable(schema)) : schema] as const,
  );
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
