import {
  createTrigger,
  findTrigger,
  listTriggers,
  removeTrigger,
  replaceTrigger,
  TRIGGER_SEARCH,
} from '../rules/triggers.js';
import { writeWhenFree } from '../store/database.js';
import type { Trigger } from '../store/triggers.js';
import { callerOf } from './admission.js';
import type { App, Immutable, Services } from './app.js';
import { byGuid, listOf, nullable, page, pagedQuery, person } from './schemas.js';
import { type Static, Type } from './type.js';

const attributes = Type.Array(Type.Object({ apiName: Type.String() }, { additionalProperties: false }));

const conditions = Type.Array(
  Type.Object(
    { attribute: Type.String(), operator: Type.String(), value: Type.Unsafe<unknown>({}) },
    { additionalProperties: false },
  ),
);

const triggerBody = Type.Object(
  {
    name: Type.String(),
    description: Type.Optional(nullable(Type.String())),
    resource: Type.String(),
    action: Type.String(),
    category: Type.Optional(nullable(Type.Object({ guid: Type.String() }, { additionalProperties: false }))),
    attributes: Type.Optional(attributes),
    conditions: Type.Optional(conditions),
  },
  { additionalProperties: false },
);

/** The last three are not in the answers of a service whose triggers cannot be written (wire-facts 6.1). */
const trigger = Type.Object({
  guid: Type.String(),
  name: Type.String(),
  description: Type.String(),
  resource: Type.String(),
  action: Type.String(),
  creationDatetime: Type.String(),
  creator: person,
  lastModifiedDateTime: nullable(Type.String()),
  modifyUser: nullable(person),
  category: Type.Optional(nullable(Type.Object({ guid: Type.String(), name: Type.String() }))),
  attributes: Type.Optional(attributes),
  conditions: Type.Optional(conditions),
});

const TRIGGERS = '/settings/integrations/triggers';
const TRIGGER = `${TRIGGERS}/:guid`;

/** Triggers (wire-facts 0 and 6.1; interface 6). */
export function triggerRoutes(app: App, services: Services): void {
  const { list, create, update, delete: remove } = services.workspace.dialect.capabilities.triggers;
  if (list) triggerReads(app, services);
  if (create) triggerCreation(app, services);
  if (update.length > 0) triggerUpdate(app, services);
  if (remove) triggerRemoval(app, services);
}

function triggerReads(app: App, services: Services): void {
  const { workspace } = services;
  app.get(
    TRIGGERS,
    {
      schema: {
        summary: 'Search triggers',
        querystring: pagedQuery(TRIGGER_SEARCH),
        response: { 200: listOf(trigger) },
      },
    },
    async ({ query }) => page(listTriggers(workspace, query).map(showFor(services))),
  );
  app.get(
    TRIGGER,
    { schema: { summary: 'Get a trigger', params: byGuid, response: { 200: trigger } } },
    async ({ params }) => showFor(services)(findTrigger(workspace, params.guid)),
  );
}

function triggerCreation(app: App, services: Services): void {
  const { workspace } = services;
  app.post(
    TRIGGERS,
    { schema: { summary: 'Create a trigger', body: triggerBody, response: { 201: trigger } } },
    async (request, reply) => {
      const create = () => createTrigger(workspace, callerOf(request), request.body);
      return reply.status(201).send(showFor(services)(await writeWhenFree(workspace.settings, create)));
    },
  );
}

function triggerUpdate(app: App, services: Services): void {
  const { workspace } = services;
  app.put(
    TRIGGER,
    { schema: { summary: 'Replace a trigger', params: byGuid, body: triggerBody, response: { 200: trigger } } },
    async (request) => {
      const { params, body } = request;
      const replace = () => replaceTrigger(workspace, callerOf(request), params.guid, body);
      return showFor(services)(await writeWhenFree(workspace.settings, replace));
    },
  );
}

function triggerRemoval(app: App, { workspace }: Services): void {
  app.delete(TRIGGER, { schema: { summary: 'Delete a trigger', params: byGuid } }, async ({ params }, reply) => {
    await writeWhenFree(workspace.settings, () => removeTrigger(workspace, params.guid));
    return reply.status(204).send();
  });
}

function showFor({ workspace }: Services): (found: Trigger) => Immutable<Static<typeof trigger>> {
  const { update } = workspace.dialect.capabilities.triggers;
  return (found) => {
    const { guid, name, description, resource, action, creator, lastModifiedDateTime, modifyUser } = found;
    const { category, categoryName } = found;
    return {
      ...{ guid, name, description, resource, action },
      ...(update.includes('category')
        ? { category: category === null ? null : { guid: category, name: categoryName ?? '' } }
        : {}),
      ...(update.includes('attributes') ? { attributes: found.attributes.map((apiName) => ({ apiName })) } : {}),
      ...(update.includes('conditions') ? { conditions: found.conditions } : {}),
      creationDatetime: found.creationDateTime,
      creator,
      lastModifiedDateTime,
      modifyUser,
    };
  };
}
