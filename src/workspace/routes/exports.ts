import { createExport, EXPORT_SEARCH, findExport, listExports } from '../rules/exports.js';
import { writeWhenFree } from '../store/database.js';
import { callerOf } from './admission.js';
import type { App, Services } from './app.js';
import { byGuid, listOf, nullable, page, pagedQuery, person } from './schemas.js';
import { Type } from './type.js';

const text = Type.Optional(Type.String());

/** Its entries are checked by the rules, which have codes of their own for what is wrong with them. */
const criteriaBody = Type.Unsafe<unknown>({
  description:
    'Rows of conditions {"attribute", "operator", "value"}: all of a row must hold, and one of the rows. ' +
    'The words "AND" and "OR" may stand between the entries.',
});

const optionsBody = Type.Object(
  {
    exportViews: Type.Optional(Type.Array(Type.String())),
    bomLevels: text,
    fileContent: Type.Optional(Type.Object({ item: text, supplierItem: text }, { additionalProperties: false })),
    header: text,
    revisionStatus: text,
    format: text,
  },
  { additionalProperties: false },
);

const definitionBody = Type.Object(
  {
    name: Type.String(),
    description: Type.Optional(nullable(Type.String())),
    world: text,
    options: Type.Optional(optionsBody),
    criteria: Type.Optional(criteriaBody),
  },
  { additionalProperties: false },
);

const definition = Type.Object({
  guid: Type.String(),
  number: Type.Integer(),
  name: Type.String(),
  description: nullable(Type.String()),
  world: Type.String(),
  options: Type.Object({
    exportViews: Type.Array(Type.String()),
    bomLevels: Type.String(),
    fileContent: Type.Object({ item: Type.String(), supplierItem: Type.String() }),
    header: Type.String(),
    revisionStatus: Type.String(),
    format: Type.String(),
  }),
  criteria: nullable(Type.Array(Type.Unknown())),
  creationDateTime: Type.String(),
  creator: person,
});

/** Export definitions, which are never edited or deleted (wire-facts 5.1). */
export function exportRoutes(app: App, services: Services): void {
  const { workspace } = services;
  const { list, create } = workspace.dialect.capabilities.exportDefinitions;
  if (!list) return;
  app.get(
    '/exports',
    {
      schema: {
        summary: 'Search export definitions',
        querystring: pagedQuery(EXPORT_SEARCH),
        response: { 200: listOf(definition) },
      },
    },
    async ({ query }) => page(listExports(workspace, query)),
  );
  app.get(
    '/exports/:guid',
    { schema: { summary: 'Get an export definition', params: byGuid, response: { 200: definition } } },
    async ({ params }) => findExport(workspace, params.guid),
  );
  if (create) definitionCreation(app, services);
}

function definitionCreation(app: App, { workspace }: Services): void {
  app.post(
    '/exports',
    { schema: { summary: 'Create an export definition', body: definitionBody, response: { 201: definition } } },
    async (request, reply) => {
      const create = () => createExport(workspace, callerOf(request), request.body);
      return reply.status(201).send(await writeWhenFree(workspace.settings, create));
    },
  );
}
