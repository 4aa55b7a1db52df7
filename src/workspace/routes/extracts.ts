import { createExtract, EXTRACT_SEARCH, findExtract, listExtracts, replaceExtract } from '../rules/extracts.js';
import { writeWhenFree } from '../store/database.js';
import { callerOf } from './admission.js';
import type { App, Services } from './app.js';
import { byGuid, listOf, nullable, page, pagedQuery, person } from './schemas.js';
import { Type } from './type.js';

const extract = Type.Object({
  guid: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean(),
  type: Type.String(),
  creationDateTime: Type.String(),
  creator: person,
  lastModifiedDateTime: nullable(Type.String()),
});

const extractBody = Type.Object(
  { name: Type.String(), enabled: Type.Optional(Type.Boolean()), type: Type.Optional(Type.String()) },
  { additionalProperties: false },
);

/** DataExtract definitions (interface 2.4; wire-facts 0 and 5.2). */
export function extractRoutes(app: App, services: Services): void {
  const { workspace } = services;
  const { list, create, update } = workspace.dialect.capabilities.extractDefinitions;
  if (!list) return;
  app.get(
    '/extracts',
    {
      schema: {
        summary: 'Search extracts',
        querystring: pagedQuery(EXTRACT_SEARCH),
        response: { 200: listOf(extract) },
      },
    },
    async ({ query }) => page(listExtracts(workspace, query)),
  );
  app.get(
    '/extracts/:guid',
    { schema: { summary: 'Get an extract', params: byGuid, response: { 200: extract } } },
    async ({ params }) => findExtract(workspace, params.guid),
  );
  if (create) extractCreation(app, services);
  if (update.length > 0) extractUpdate(app, services);
}

function extractCreation(app: App, { workspace }: Services): void {
  app.post(
    '/extracts',
    { schema: { summary: 'Create an extract', body: extractBody, response: { 201: extract } } },
    async (request, reply) => {
      const create = () => createExtract(workspace, callerOf(request), request.body);
      return reply.status(201).send(await writeWhenFree(workspace.settings, create));
    },
  );
}

function extractUpdate(app: App, { workspace }: Services): void {
  app.put(
    '/extracts/:guid',
    { schema: { summary: 'Replace an extract', params: byGuid, body: extractBody, response: { 200: extract } } },
    async ({ params, body }) => writeWhenFree(workspace.settings, () => replaceExtract(workspace, params.guid, body)),
  );
}
