import {
  createDefinition,
  DEFINITION_SEARCH,
  findDefinition,
  listDefinitions,
  updateDefinition,
} from '../rules/definitions.js';
import { OPTION_NAMES } from '../rules/import-options.js';
import { writeWhenFree } from '../store/database.js';
import type { AddToChange } from '../store/imports.js';
import { callerOf } from './admission.js';
import type { App, Services } from './app.js';
import { loadImportChanges } from './import-runs.js';
import { byGuid, listEnvelope, nullable, page, pagedQuery, person } from './schemas.js';
import { Type } from './type.js';

const text = Type.Optional(Type.String());

const mappingBody = Type.Object(
  {
    resource: Type.String(),
    apiName: Type.String(),
    sourceName: Type.String(),
    inResponse: Type.Optional(Type.Boolean()),
    notes: text,
  },
  { additionalProperties: false },
);

const changeBody = Type.Unsafe<AddToChange | null>({
  anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'null' }],
  description: 'A change by GUID or number, or the body that creates one',
});

const optionsBody = Type.Object(
  {
    ...Object.fromEntries(OPTION_NAMES.map((name) => [name, text])),
    addToChange: Type.Optional(changeBody),
    mapping: Type.Optional(Type.Array(mappingBody)),
  },
  { additionalProperties: false },
);

const definitionBody = Type.Object(
  {
    name: Type.String(),
    description: Type.Optional(nullable(Type.String())),
    resource: Type.String(),
    mode: Type.String(),
    options: optionsBody,
  },
  { additionalProperties: false },
);

const updateBody = Type.Object(
  { name: Type.Optional(Type.String()), description: Type.Optional(nullable(Type.String())) },
  { additionalProperties: true, description: 'name and description; any other field is refused with 3032' },
);

const definition = Type.Object({
  guid: Type.String(),
  number: Type.Integer(),
  name: Type.String(),
  description: nullable(Type.String()),
  resource: Type.String(),
  mode: Type.String(),
  options: Type.Object({}, { additionalProperties: true }),
  creationDateTime: Type.String(),
  creator: person,
});

/** Adds the endpoints of import definitions (interface 2.1, 4.1; wire-facts 0 and 4). */
export function importRoutes(app: App, services: Services): void {
  const { list, create, update } = services.workspace.dialect.capabilities.importDefinitions;
  if (list) definitionReads(app, services);
  if (create) definitionCreation(app, services);
  if (update.length > 0) definitionUpdate(app, services);
}

function definitionReads(app: App, { workspace }: Services): void {
  app.get(
    '/imports',
    {
      schema: {
        summary: 'Search import definitions',
        querystring: pagedQuery(DEFINITION_SEARCH),
        response: { 200: listEnvelope(definition) },
      },
    },
    async ({ query }) => page(listDefinitions(workspace, query)),
  );
  app.get(
    '/imports/:guid',
    { schema: { summary: 'Get an import definition', params: byGuid, response: { 200: definition } } },
    async ({ params }) => findDefinition(workspace, params.guid),
  );
}

function definitionCreation(app: App, services: Services): void {
  const { workspace } = services;
  app.post(
    '/imports',
    { schema: { summary: 'Create an import definition', body: definitionBody, response: { 201: definition } } },
    async (request, reply) => {
      const { addToChange } = request.body.options;
      const rules = addToChange == null ? undefined : await loadImportChanges(services);
      const caller = callerOf(request);
      const create = () => {
        if (addToChange != null) rules?.checkAddToChange(workspace, caller, addToChange);
        return createDefinition(workspace, caller, request.body);
      };
      return reply.status(201).send(await writeWhenFree(workspace.settings, create));
    },
  );
}

function definitionUpdate(app: App, { workspace }: Services): void {
  app.put(
    '/imports/:guid',
    { schema: { summary: 'Rename a definition', params: byGuid, body: updateBody, response: { 200: definition } } },
    async ({ params, body }) => writeWhenFree(workspace.settings, () => updateDefinition(workspace, params.guid, body)),
  );
}
