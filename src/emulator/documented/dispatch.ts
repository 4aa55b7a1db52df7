import type { FastifyReply, FastifyRequest } from 'fastify';
import { addOperation, type Operation } from '../family/operation.js';
import { relationOperations } from '../family/relation.js';
import { familyOperations } from '../family/routes.js';
import { createTables } from '../family/tables.js';
import type { App, Services } from '../routes/app.js';
import type { TSchema } from '../routes/type.js';
import { refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { writeWhenFree } from '../store/database.js';
import { readMeta, writeMeta } from '../store/open.js';
import { checkBody } from './check-body.js';

/** The key under which a workspace file records that its settings were seeded. */
const SEEDED = 'documentedSettings';

const ANY_METHOD = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];

/**
 * Answers what no route does by the published description. Its operations are found, and their tables created, when the
 * first such request comes: as routes, they would make the start of a workspace half as long again.
 */
export function dispatchDocumented(app: App, { workspace }: Services): void {
  let operations: Promise<readonly Operation[]> | undefined;
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    operations ??= loadOperations(workspace).catch((error: unknown) => {
      // The next request tries again, for instance after an import that kept the database busy.
      operations = undefined;
      throw error;
    });
    const path = request.url.split('?', 1)[0] ?? request.url;
    const fitting = (await operations).flatMap((operation) => {
      const params = matchPath(operation.path, path);
      return params === undefined ? [] : [{ operation, params }];
    });
    if (fitting.length === 0) return reply.callNotFound();
    const found = fitting.find(({ operation }) => operation.method === request.method);
    if (found === undefined) {
      reply.header('Allow', fitting.map(({ operation }) => operation.method).join(', '));
      throw refuse.method(request.method, request.url);
    }
    const { operation, params } = found;
    checkBody(bodySchemaOf(operation), request.body);
    request.params = params;
    return reply.status(operation.status).send(await operation.answer(request));
  };
  app.route({ method: ANY_METHOD, url: '/*', schema: { hide: true }, handler });
}

const bodySchemas = new WeakMap<Operation, TSchema | undefined>();

/** The schema of an operation's body, built for its first request; undefined if it takes none. */
function bodySchemaOf(operation: Operation): TSchema | undefined {
  if (!bodySchemas.has(operation)) bodySchemas.set(operation, operation.schema().body as TSchema | undefined);
  return bodySchemas.get(operation);
}

/** Adds all operations of the description as routes, for the OpenAPI document. */
export async function addDocumentedRoutes(app: App, { workspace }: Services): Promise<void> {
  for (const operation of await operationsOf(workspace)) addOperation(app, operation);
}

async function loadOperations(workspace: Workspace): Promise<readonly Operation[]> {
  const operations = await operationsOf(workspace);
  const [{ documentedFamilies }, { seedCollections }] = await Promise.all([
    import('./catalog.js'),
    import('./seed.js'),
  ]);
  await writeWhenFree(workspace.settings, () => {
    createTables(workspace.settings, documentedFamilies, []);
    if (readMeta(workspace.settings, SEEDED) !== undefined) return;
    seedCollections(workspace);
    writeMeta(workspace.settings, SEEDED, 'yes');
  });
  return operations;
}

async function operationsOf(workspace: Workspace): Promise<readonly Operation[]> {
  const { documentedFamilies, documentedRelations, statusChanges } = await import('./catalog.js');
  const { statusOperation } = await import('./status-changes.js');
  return [
    // Before single reads, whose GUID would fit their last segment.
    ...statusChanges.map((changes) => statusOperation(workspace, changes)),
    ...documentedFamilies.flatMap((family) => familyOperations(workspace, family)),
    ...documentedRelations.flatMap((relation) => relationOperations(workspace, relation)),
  ];
}

/** The parameters of a path that fits a pattern such as `/changes/:guid`; undefined if it does not fit. */
function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [expected, given] = [pattern.split('/'), path.split('/')];
  if (expected.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = given[index] ?? '';
    if (part.startsWith(':') && segment !== '') params[part.slice(1)] = decodeURIComponent(segment);
    else if (part !== segment) return undefined;
  }
  return params;
}
