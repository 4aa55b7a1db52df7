import { Readable } from 'node:stream';
import { conform } from '../family/answer.js';
import { templateOf } from '../family/family.js';
import type { WriteRequest } from '../family/field.js';
import type { Operation } from '../family/operation.js';
import { writingOf } from '../family/routes.js';
import { bodyNames, type Endpoint, endpointAt } from '../interface/endpoints.js';
import { entrySchema } from '../interface/shape.js';
import type { Services } from '../routes/app.js';
import { page, pagedQuery, searchQuery } from '../routes/schemas.js';
import { type TSchema, Type } from '../routes/type.js';
import type { Query } from '../rules/search.js';
import { writeWhenFree } from '../store/database.js';
import type { RunFiles } from '../store/run-files.js';
import { givenKeys, givenSchema } from './kept-value.js';

/** A request as an operation of the description sees it. */
export interface Asked extends WriteRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly runFiles: RunFiles;
}

/** An operation of the description that does more than the reads and writes of one family. */
export interface Described {
  readonly method: Operation['method'];
  /** As the description writes it: `/files/{guid}/content`. */
  readonly path: string;
  readonly summary: string;
  /** The schema of its body, if not that of the description. */
  readonly body?: TSchema;
  /** The answer, of which the documented keys are shown: an object, the entries of a list, or a content. */
  answer(asked: Asked): unknown;
}

/** Builds an operation that takes and answers what the description says; writes are transactions. */
export function describedOperation({ workspace, runFiles }: Services, described: Described): Operation {
  const { method, path, summary, body, answer } = described;
  const endpoint = endpointAt(method, path);
  const { status = 200, answer: shape = { types: [] } } = endpoint ?? {};
  return {
    ...{ method, path: templateOf(path), status },
    schema: () => ({
      ...{ summary, params: parametersIn(path), ...queryOf(endpoint) },
      ...(method === 'POST' || method === 'PUT' ? { body: body ?? documentedBody(endpoint) } : {}),
      response: { [status]: entrySchema(shape) },
    }),
    answer: async (request) => {
      const { params, query } = request as { params: Asked['params']; query: Query };
      const asked = { ...writingOf(workspace, request), params, query, runFiles };
      const act = () => answer(asked);
      const found = method === 'GET' ? act() : await writeWhenFree(workspace.settings, act);
      if (found === undefined || found instanceof Readable) return found;
      return conform(Array.isArray(found) ? page(found) : found, shape);
    },
  };
}

function documentedBody(endpoint: Endpoint | undefined): TSchema {
  const properties = bodyNames(endpoint).map((name) => [name, givenSchema(name, givenKeys(endpoint, name))]);
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false });
}

const parametersIn = (path: string): TSchema =>
  Type.Object(Object.fromEntries([...templateOf(path).matchAll(/:(\w+)/g)].map(([, name]) => [name, Type.String()])));

function queryOf({ paged, parameters }: Pick<Endpoint, 'paged' | 'parameters'> = { paged: false, parameters: [] }) {
  if (paged) return { querystring: pagedQuery({}, ...parameters) };
  return parameters.length === 0 ? {} : { querystring: searchQuery({}, ...parameters) };
}
