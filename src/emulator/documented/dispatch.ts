import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addOperation, type Operation } from '../family/operation.js';
import { relationOperations } from '../family/relation.js';
import { familyOperations } from '../family/routes.js';
import type { App, Services } from '../routes/app.js';
import type { TSchema } from '../routes/type.js';
import { refuse } from '../rules/service-error.js';
import { checkBody } from './check-body.js';

/** An operation with the segments of its path. */
interface Placed {
  readonly operation: Operation;
  readonly pattern: readonly string[];
}

/** Operations by {@link placeOf} of their paths, since there are hundreds. */
type Places = ReadonlyMap<string, readonly Placed[]>;

const ANY_METHOD = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];

/**
 * Answers what no route does by the published description. Its operations are found, and their tables created, when the
 * first such request comes: as routes, they would make the start of a workspace half as long again.
 */
export function dispatchDocumented(app: App, services: Services): void {
  let operations: Promise<Places> | undefined;
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    operations ??= loadOperations(services).catch((error: unknown) => {
      // The next request tries again, for instance after an import that kept the database busy.
      operations = undefined;
      throw error;
    });
    const segments = (request.url.split('?', 1)[0] ?? request.url).split('/');
    const fitting = ((await operations).get(placeOf(segments)) ?? []).flatMap(({ operation, pattern }) => {
      const params = matchPath(pattern, segments);
      return params === undefined ? [] : [{ operation, params }];
    });
    if (fitting.length === 0) return reply.callNotFound();
    const found = fitting.find(({ operation }) => operation.method === request.method);
    if (found === undefined) {
      const isKnown = (method: string) =>
        fitting.some(({ operation: { path: url, ...one } }) => one.method === method || app.hasRoute({ method, url }));
      reply.header('Allow', ANY_METHOD.filter(isKnown).join(', '));
      throw refuse.method(request.method, request.url);
    }
    const { operation, params } = found;
    request.params = params;
    request.summary = () => operation.schema().summary;
    try {
      if (request.isMultipart()) await receiveForm(request, operation, services);
      checkBody(bodySchemaOf(operation), request.body);
      const answer = await operation.answer(request);
      if (answer instanceof Readable) reply.type('application/octet-stream');
      return reply.status(operation.status).send(answer);
    } catch (error) {
      if (request.upload) services.runFiles.discard(request.upload.content, 'content');
      throw error;
    }
  };
  app.route({ method: ANY_METHOD, url: '/*', schema: { hide: true }, handler });
}

async function receiveForm(request: FastifyRequest, operation: Operation, services: Services): Promise<void> {
  const { readForm } = await import('./forms.js');
  await readForm(request, operation.path, bodySchemaOf(operation), services);
}

const bodySchemas = new WeakMap<Operation, TSchema | undefined>();

/** The schema of an operation's body, built for its first request; undefined if it takes none. */
function bodySchemaOf(operation: Operation): TSchema | undefined {
  if (!bodySchemas.has(operation)) bodySchemas.set(operation, operation.schema().body as TSchema | undefined);
  return bodySchemas.get(operation);
}

/** Adds all operations of the description as routes, for the OpenAPI document; the first of a path answers it. */
export async function addDocumentedRoutes(app: App, services: Services): Promise<void> {
  for (const operation of await operationsOf(services)) {
    if (!app.hasRoute({ method: operation.method, url: operation.path })) addOperation(app, operation);
  }
}

async function loadOperations(services: Services): Promise<Places> {
  const operations = await operationsOf(services);
  const { openDocumented } = await import('./open-documented.js');
  await openDocumented(services);
  const places = new Map<string, Placed[]>();
  for (const operation of operations) {
    const pattern = operation.path.split('/');
    places.set(placeOf(pattern), [...(places.get(placeOf(pattern)) ?? []), { operation, pattern }]);
  }
  return places;
}

/** The collection of a path and its depth, which all paths that fit a pattern share with it. */
const placeOf = (segments: readonly string[]): string => `${segments[1]} ${segments.length}`;

async function operationsOf(services: Services): Promise<readonly Operation[]> {
  const { workspace } = services;
  const { describedOperations, documentedFamilies, documentedRelations } = await import('./catalog.js');
  const { describedOperation } = await import('./described.js');
  return [
    // Before single reads, whose GUID would fit their last segment.
    ...describedOperations.map((described) => describedOperation(services, described)),
    ...documentedFamilies.flatMap((family) => familyOperations(workspace, family)),
    ...documentedRelations.flatMap((relation) => relationOperations(workspace, relation)),
  ];
}

/** The parameters of a path that fits a pattern such as `/changes/:guid`; undefined if it does not fit. */
function matchPath(pattern: readonly string[], given: readonly string[]): Readonly<Record<string, string>> | undefined {
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = given[index] ?? '';
    if (part.startsWith(':') && segment !== '') params[part.slice(1)] = decodeURIComponent(segment);
    else if (part !== segment) return undefined;
  }
  return params;
}
