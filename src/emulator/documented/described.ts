import { Readable } from 'node:stream';
import { conform } from '../family/answer.js';
import { routeTemplate } from '../family/family.js';
import type { AnswerContext, WriteRequest } from '../family/field.js';
import type { Operation } from '../family/operation.js';
import { toWriteRequest } from '../family/routes.js';
import { bodyMediaTypes, bodyNames, type Endpoint, endpointAt } from '../interface/endpoints.js';
import { entrySchema, type Shape } from '../interface/shape.js';
import type { Services } from '../routes/app.js';
import { contentOf, emptyAnswer, page, pagedQuery, searchQuery } from '../routes/schemas.js';
import { type TSchema, Type } from '../routes/type.js';
import { writeWhenFree } from '../store/database.js';
import type { RunFiles } from '../store/run-files.js';
import { givenKeys, givenSchema } from './kept-value.js';
import { documentedSearch } from './search.js';

/** A request as an operation of the description sees it. */
export interface Asked extends WriteRequest, AnswerContext {
  /** The GUIDs of its path, from the outside in. */
  readonly params: Readonly<Record<'guid' | 'member' | 'entry', string>>;
  readonly runFiles: RunFiles;
  /** The documented form of the answer, or of an entry of a list. */
  readonly shape: Shape;
}

/** An operation of the description that does more than the reads and writes of one family. */
export interface Described {
  readonly method: Operation['method'];
  /** As the description writes it: `/files/{guid}/content`. */
  readonly path: string;
  readonly summary: string;
  /** The answer, of which the documented keys are shown: an object, the entries of a list, or a content. */
  answer(asked: Asked): unknown;
  /** The schema of its body, if not that of the description. */
  readonly body?: TSchema;
}

/** Describes the operation of a line of the description, such as `GET /files/{guid}/content`. */
export function described(line: string, summary: string, answer: Described['answer'], body?: TSchema): Described {
  const [method, path = ''] = line.split(' ') as [Operation['method'], string?];
  return { method, path, summary, answer, ...(body && { body }) };
}

/** Builds an operation that takes and answers what the description says; writes are transactions. */
export function describedOperation({ workspace, runFiles }: Services, operation: Described): Operation {
  const { method, path, summary, answer, body } = operation;
  const own = endpointAt(method, path);
  // A form of which no sample shows the answer answers as the JSON body does.
  const other = method === 'POST' ? endpointAt('PUT', path)?.answer : undefined;
  const endpoint = own && { ...own, answer: own.answer ?? other };
  const { status = 200, answer: whole = { types: [] } } = endpoint ?? {};
  const shape = whole.keys?.get('results')?.shape.items ?? whole;
  return {
    ...{ method, path: routeTemplate(path), status },
    schema: () => ({
      ...{ summary, params: parametersIn(path), ...queryOf(endpoint) },
      ...(method === 'POST' || method === 'PUT' ? { body: body ?? documentedBody(endpoint) } : {}),
      ...bodyMediaTypes(endpoint),
      response: responseOf(operation, endpoint),
    }),
    answer: async (request) => {
      const { params, query } = request as Pick<Asked, 'params' | 'query'>;
      const act = () => answer({ ...toWriteRequest(workspace, request), params, query, runFiles, shape });
      const found = method === 'GET' ? act() : await writeWhenFree(workspace.settings, act);
      if (found === undefined || found instanceof Readable) return found;
      return conform(Array.isArray(found) ? page(found) : found, whole);
    },
  };
}

function responseOf({ method, path }: Described, { status = 200, answer }: Partial<Endpoint> = {}): object {
  const isContent = path.endsWith('/content');
  if (isContent && method === 'GET') return contentOf('application/octet-stream');
  if (answer !== undefined) return { [status]: entrySchema(answer) };
  return isContent || method === 'DELETE' ? emptyAnswer(status) : { [status]: entrySchema({ types: [] }) };
}

function documentedBody(endpoint: Endpoint | undefined): TSchema {
  const properties = bodyNames(endpoint).map((name) => [name, givenSchema(name, givenKeys(endpoint, name))]);
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false });
}

const parametersIn = (path: string): TSchema =>
  Type.Object(
    Object.fromEntries([...routeTemplate(path).matchAll(/:(\w+)/g)].map(([, name]) => [name, Type.String()])),
  );

function queryOf(endpoint: Endpoint | undefined) {
  const search = documentedSearch(endpoint, true);
  if (endpoint?.paged) return { querystring: pagedQuery(search) };
  const further = endpoint?.setsNull ? ['setnull'] : [];
  return Object.keys(search).length + further.length === 0 ? {} : { querystring: searchQuery(search, ...further) };
}
