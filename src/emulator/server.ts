import multipart from '@fastify/multipart';
import fastify, { type FastifySchemaCompiler } from 'fastify';
import { addDocumentedRoutes, dispatchDocumented } from './documented/dispatch.js';
import { families, furtherFamilies, memberships, relations } from './families/catalog.js';
import { memberRoutes } from './family/member-routes.js';
import { addOperation } from './family/operation.js';
import { relationOperations } from './family/relation.js';
import { familyOperations } from './family/routes.js';
import type { FaultFront } from './faults/front.js';
import { completeDocument } from './interface/openapi.js';
import { admitRequests } from './routes/admission.js';
import type { App, Services } from './routes/app.js';
import { embeddedRoutes } from './routes/embedded.js';
import { answerErrors } from './routes/error-answer.js';
import { exportRunRoutes } from './routes/export-runs.js';
import { extractRunRoutes } from './routes/extract-runs.js';
import { faultRoutes } from './routes/faults.js';
import { fileContentRoutes } from './routes/file-contents.js';
import { importRunRoutes } from './routes/import-runs.js';
import { importRoutes } from './routes/imports.js';
import { itemSettingsRoutes } from './routes/item-settings.js';
import { logEachRequest } from './routes/log-requests.js';
import { loginRoutes } from './routes/login.js';
import { refuseOtherRequests } from './routes/other-methods.js';
import { outboundEventRoutes } from './routes/outbound-events.js';
import { routeValidator } from './routes/validator.js';
import { workspaceSettingsRoutes } from './routes/workspace-settings.js';

/** Largest JSON body in bytes: the criteria of an export may name 20,000 numbers. Uploads have a limit of their own. */
const BODY_LIMIT = 8 * 1024 * 1024;

/** Milliseconds that headers and a whole request may take, so that silent clients do not hold up others. */
const UNTIL_ASKED = 10_000;
const UNTIL_WHOLE = 300_000;
const LOOKED_AT_EVERY = 1000;

const ROUTES = [
  loginRoutes,
  itemSettingsRoutes,
  importRoutes,
  workspaceSettingsRoutes,
  embeddedRoutes,
  faultRoutes,
  exportRunRoutes,
  extractRunRoutes,
  outboundEventRoutes,
  fileContentRoutes,
];

const replaced = (): never => {
  throw new Error('A compiler is set for all routes.');
};

/** Keeps fastify from loading its own compilers, which takes as long as adding all routes. */
const NO_OWN_COMPILERS = { compilersFactory: { buildValidator: () => replaced, buildSerializer: () => replaced } };

/** Options of {@link buildServer}. */
export interface BuildOptions {
  /** Compiles the validator of a schema. */
  readonly compiler?: FastifySchemaCompiler<unknown>;
  /** Called before routes are added. */
  readonly prepare?: (app: App) => Promise<void>;
  /** Whether it is built for its OpenAPI document, which needs every operation as a route. */
  readonly isDocument?: boolean;
  /** Creates the HTTP server, whose requests need not all reach this one. */
  readonly createServer?: FaultFront['createServer'];
  readonly logRequests?: boolean;
}

/** Builds the HTTP server of the published interface; the rules decide what it answers. */
export async function buildServer(
  services: Services,
  log: (text: string) => void,
  { compiler = routeValidator, prepare, createServer, isDocument = false, logRequests = false }: BuildOptions = {},
): Promise<App> {
  const app: App = fastify({
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    requestTimeout: UNTIL_WHOLE,
    http: { headersTimeout: UNTIL_ASKED, connectionsCheckingInterval: LOOKED_AT_EVERY },
    routerOptions: { maxParamLength: 200 },
    schemaController: NO_OWN_COMPILERS,
    ...(createServer && { serverFactory: createServer }),
  }).withTypeProvider();
  app.setValidatorCompiler(compiler);
  app.setErrorHandler(answerErrors(services.limit, log));
  // Schemas of answers are documentation only: a field must not be dropped because a schema lacks it.
  app.setSerializerCompiler(() => JSON.stringify);
  acceptEmptyJson(app);
  admitRequests(app, services);
  if (logRequests) logEachRequest(app, log);
  await prepare?.(app);
  refuseOtherRequests(app);
  const { workspace } = services;
  const operations = [
    ...[...families, ...furtherFamilies].flatMap((family) => familyOperations(workspace, family)),
    ...relations.flatMap((relation) => relationOperations(workspace, relation)),
  ];
  for (const operation of operations) addOperation(app, operation);
  for (const kind of memberships) memberRoutes(app, services, kind);
  for (const add of ROUTES) add(app, services);
  await app.register((uploads) => addUploads(uploads, services, isDocument));
  if (isDocument) await addDocumentedRoutes(app, services);
  const open = { config: { open: true as const, uncounted: true as const }, schema: { hide: true } };
  let document: Promise<object> | undefined;
  app.get('/openapi.json', open, () => {
    document ??= describe(services, log);
    return document;
  });
  return app;
}

/** Adds the form parser to the routes that take forms only, since it costs time in each request. */
async function addUploads(app: App, services: Services, isDocument: boolean): Promise<void> {
  await app.register(multipart, {
    limits: { fileSize: services.uploadLimit, files: 2, fields: 20 },
    throwFileSizeLimit: false,
  });
  importRunRoutes(app, services);
  if (!isDocument) dispatchDocumented(app, services);
}

/** Builds the OpenAPI document of all routes from a separate server, on demand, since few clients ask for it. */
async function describe(services: Services, log: (text: string) => void): Promise<object> {
  const { default: swagger } = await import('@fastify/swagger');
  const info = { title: 'Embedded workspace', version: services.workspace.dialect.name };
  const prepare = async (app: App): Promise<void> => {
    await app.register(swagger, { openapi: { openapi: '3.1.0', info } });
  };
  const app = await buildServer(services, log, { prepare, isDocument: true });
  await app.ready();
  return completeDocument(app.swagger(), services.workspace.dialect);
}

/** Accepts Content-Type JSON without a body, which clients send to log out, for example (wire-facts 1, "Logout"). */
function acceptEmptyJson(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body.toString(), done);
  });
}
