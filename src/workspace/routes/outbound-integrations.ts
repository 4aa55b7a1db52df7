import {
  createIntegration,
  findIntegration,
  INTEGRATION_SEARCH,
  listIntegrations,
  removeIntegration,
  replaceIntegration,
} from '../rules/outbound-integrations.js';
import { writeWhenFree } from '../store/database.js';
import { callerOf } from './admission.js';
import type { App, Services } from './app.js';
import { byGuid, listOf, nullable, page, person, searchQuery } from './schemas.js';
import { Type } from './type.js';

const integration = Type.Object({
  guid: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean(),
  status: Type.String(),
  creationDateTime: Type.String(),
  creator: person,
  lastModifiedDateTime: nullable(Type.String()),
  modifyUser: nullable(person),
});

const integrationBody = Type.Object(
  { name: Type.String(), enabled: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);

const INTEGRATIONS = '/outboundevents';
const INTEGRATION = `${INTEGRATIONS}/:guid`;

/** Outbound-event integrations (wire-facts 0 and 6.1). */
export function outboundIntegrationRoutes(app: App, services: Services): void {
  const { list, create, update, delete: remove } = services.workspace.dialect.capabilities.outboundIntegrations;
  if (list) integrationReads(app, services);
  if (create) integrationCreation(app, services);
  if (update.length > 0) integrationUpdate(app, services);
  if (remove) integrationRemoval(app, services);
}

function integrationReads(app: App, { workspace }: Services): void {
  app.get(
    INTEGRATIONS,
    {
      schema: {
        summary: 'Search outbound-event integrations',
        querystring: searchQuery(INTEGRATION_SEARCH),
        response: { 200: listOf(integration) },
      },
    },
    async ({ query }) => page(listIntegrations(workspace, query)),
  );
  app.get(
    INTEGRATION,
    { schema: { summary: 'Get an integration', params: byGuid, response: { 200: integration } } },
    async ({ params }) => findIntegration(workspace, params.guid),
  );
}

function integrationCreation(app: App, { workspace }: Services): void {
  app.post(
    INTEGRATIONS,
    { schema: { summary: 'Create an integration', body: integrationBody, response: { 201: integration } } },
    async (request, reply) => {
      const create = () => createIntegration(workspace, callerOf(request), request.body);
      return reply.status(201).send(await writeWhenFree(workspace.settings, create));
    },
  );
}

function integrationUpdate(app: App, { workspace }: Services): void {
  const response = { 200: integration };
  app.put(
    INTEGRATION,
    { schema: { summary: 'Replace an integration', params: byGuid, body: integrationBody, response } },
    async (request) => {
      const { params, body } = request;
      const replace = () => replaceIntegration(workspace, callerOf(request), params.guid, body);
      return writeWhenFree(workspace.settings, replace);
    },
  );
}

function integrationRemoval(app: App, { workspace }: Services): void {
  const schema = { summary: 'Delete an integration with its events', params: byGuid };
  app.delete(INTEGRATION, { schema }, async ({ params }, reply) => {
    await writeWhenFree(workspace.settings, () => removeIntegration(workspace, params.guid));
    return reply.status(204).send();
  });
}
