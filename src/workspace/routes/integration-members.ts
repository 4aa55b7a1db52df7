import { compact } from '../rules/events/record-events.js';
import {
  addAdministrator,
  addIntegrationTrigger,
  findAdministrator,
  findIntegrationTrigger,
  listAdministrators,
  listIntegrationTriggers,
  removeAdministrator,
  removeIntegrationTrigger,
} from '../rules/outbound-integrations.js';
import type { Query, Searchable } from '../rules/search.js';
import { TRIGGER_SEARCH } from '../rules/triggers.js';
import { USER_SEARCH } from '../rules/users.js';
import { writeWhenFree } from '../store/database.js';
import type { App, Services } from './app.js';
import { byGuid, byMemberGuid, listOf, page, searchQuery, user } from './schemas.js';
import { type TSchema, Type } from './type.js';

export const compactTrigger = Type.Object({
  guid: Type.String(),
  name: Type.String(),
  description: Type.String(),
  resource: Type.String(),
  action: Type.String(),
});

const memberBody = Type.Object({ guid: Type.String() }, { additionalProperties: false });

/** What an integration has several of, and how it is read and changed. */
interface Members {
  readonly path: string;
  readonly noun: string;
  readonly schema: TSchema;
  readonly search: Searchable;
  readonly list: (integration: string, query: Query) => readonly object[];
  readonly find: (integration: string, member: string) => object;
  readonly add: (integration: string, member: string) => object;
  readonly remove: (integration: string, member: string) => void;
}

/** The triggers and administrators of integrations (wire-facts 0 and 6.1). */
export function integrationMemberRoutes(app: App, services: Services): void {
  const { workspace } = services;
  const { integrationTriggers, integrationAdministrators } = workspace.dialect.capabilities;
  const triggers: Members = {
    path: '/outboundevents/:guid/triggers',
    noun: 'trigger',
    schema: compactTrigger,
    search: TRIGGER_SEARCH,
    list: (of, query) => listIntegrationTriggers(workspace, of, query).map(compact),
    find: (of, member) => compact(findIntegrationTrigger(workspace, of, member)),
    add: (of, member) => compact(addIntegrationTrigger(workspace, of, member)),
    remove: (of, member) => removeIntegrationTrigger(workspace, of, member),
  };
  const administrators: Members = {
    path: '/outboundevents/:guid/administrators',
    noun: 'administrator',
    schema: user,
    search: USER_SEARCH,
    list: (of, query) => listAdministrators(workspace, of, query),
    find: (of, member) => findAdministrator(workspace, of, member),
    add: (of, member) => addAdministrator(workspace, of, member),
    remove: (of, member) => removeAdministrator(workspace, of, member),
  };
  for (const [members, can] of [
    [triggers, integrationTriggers],
    [administrators, integrationAdministrators],
  ] as const) {
    if (can.list) memberReads(app, members);
    if (can.create) memberAddition(app, services, members);
    if (can.delete) memberRemoval(app, services, members);
  }
}

function memberReads(app: App, { path, noun, schema, search, list, find }: Members): void {
  app.get(
    path,
    {
      schema: {
        summary: `List the ${noun}s of an integration`,
        params: byGuid,
        querystring: searchQuery(search),
        response: { 200: listOf(schema) },
      },
    },
    async ({ params, query }) => page(list(params.guid, query)),
  );
  app.get(
    `${path}/:member`,
    { schema: { summary: `Get a ${noun} of an integration`, params: byMemberGuid, response: { 200: schema } } },
    async ({ params }) => find(params.guid, params.member),
  );
}

function memberAddition(app: App, { workspace }: Services, { path, noun, schema, add }: Members): void {
  app.post(
    path,
    {
      schema: {
        summary: `Add a ${noun} to an integration`,
        params: byGuid,
        body: memberBody,
        response: { 201: schema },
      },
    },
    async ({ params, body }, reply) => {
      return reply.status(201).send(await writeWhenFree(workspace.settings, () => add(params.guid, body.guid)));
    },
  );
}

function memberRemoval(app: App, { workspace }: Services, { path, noun, remove }: Members): void {
  const schema = { summary: `Remove a ${noun} from an integration`, params: byMemberGuid };
  app.delete(`${path}/:member`, { schema }, async ({ params }, reply) => {
    await writeWhenFree(workspace.settings, () => remove(params.guid, params.member));
    return reply.status(204).send();
  });
}
