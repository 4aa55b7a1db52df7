import type { Dialect } from '../dialects/dialect.js';
import { Type } from '../routes/type.js';

interface Operation {
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses?: object;
}

/** The OpenAPI document of the server's routes. */
export interface Document {
  readonly info?: object;
  readonly components?: object;
  readonly paths?: object;
}

const SESSION = 'session';

/** The common form of errors (wire-facts 0, "error body"): the HTTP status again, and a code for each problem. */
const refusal = Type.Object({
  status: Type.Integer(),
  errors: Type.Array(Type.Object({ code: Type.Integer(), message: Type.String() })),
});

/**
 * Completes the document of the routes with what generators of clients and checkers ask for: how a session is carried,
 * the form of refusals, and a name for each operation.
 */
export function completeDocument({ info, components, paths, ...document }: Document, { headers }: Dialect): object {
  return {
    ...document,
    info: { ...info, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'This workspace' }],
    security: [{ [SESSION]: [] }],
    components: {
      ...components,
      securitySchemes: { [SESSION]: { type: 'apiKey', in: 'header', name: headers.session } },
      responses: { Refusal: { description: 'Refused', content: { 'application/json': { schema: refusal } } } },
    },
    paths: Object.fromEntries(
      Object.entries(paths ?? {})
        // A path that differs from another one only in its last slash is the same to a client.
        .filter(([path]) => !path.endsWith('/'))
        .map(([path, operations]) => [path, completeOperations(path, operations)]),
    ),
  };
}

const completeOperations = (path: string, operations: Readonly<Record<string, Operation>>): object =>
  Object.fromEntries(
    Object.entries(operations).map(([method, { tags, parameters, responses, ...operation }]) => [
      method,
      {
        operationId: operationIdOf(method, path),
        tags: tags ?? [path.split('/')[1]],
        ...operation,
        // `{attributeGuid}` stands for any attribute, not for one name.
        ...(parameters && { parameters: parameters.filter(({ name }) => !name.startsWith('{')) }),
        responses: { ...responses, '4XX': { $ref: '#/components/responses/Refusal' } },
        ...(path === '/login' && { security: [] }),
      },
    ]),
  );

/** Names an operation: `GET /items/{guid}/bom` becomes `getItemsGuidBom`. */
const operationIdOf = (method: string, path: string): string =>
  `${method}${(path.match(/\w+/g) ?? []).map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join('')}`;
