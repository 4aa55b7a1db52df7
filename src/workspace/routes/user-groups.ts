import {
  createUserGroup,
  findMember,
  findUserGroup,
  GROUP_SEARCH,
  joinUserGroup,
  leaveUserGroup,
  listMembers,
  listUserGroups,
  removeUserGroup,
  replaceUserGroup,
} from '../rules/user-groups.js';
import { USER_SEARCH } from '../rules/users.js';
import { writeWhenFree } from '../store/database.js';
import { callerOf } from './admission.js';
import type { App, Services } from './app.js';
import { byGuid, byMember, listOf, nullable, page, person, searchQuery, user } from './schemas.js';
import { Type } from './type.js';

const userGroup = Type.Object({
  guid: Type.String(),
  name: Type.String(),
  description: Type.String(),
  enabled: Type.Boolean(),
  assignability: Type.Array(Type.String()),
  creationDateTime: Type.String(),
  creator: person,
  lastModifiedDateTime: nullable(Type.String()),
  modifiedBy: nullable(person),
});

const groupBody = Type.Object(
  {
    name: Type.String(),
    description: Type.Optional(nullable(Type.String())),
    enabled: Type.Optional(Type.Boolean()),
    assignability: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false },
);

const memberBody = Type.Object({ guid: Type.String() }, { additionalProperties: false });

const GROUPS = '/settings/usergroups';
const GROUP = `${GROUPS}/:guid`;
const MEMBERS = `${GROUP}/users`;
const MEMBER = `${MEMBERS}/:user`;

/** Wire-facts 0 ("user groups") and 7. */
export function userGroupRoutes(app: App, services: Services): void {
  const { userGroups, userGroupMembers } = services.workspace.dialect.capabilities;
  if (userGroups.list) groupReads(app, services);
  if (userGroupMembers.list) memberReads(app, services);
  if (userGroups.create) groupCreation(app, services);
  if (userGroups.update.length > 0) groupUpdate(app, services);
  if (userGroups.delete) groupRemoval(app, services);
  if (userGroupMembers.create) memberAddition(app, services);
  if (userGroupMembers.delete) memberRemoval(app, services);
}

function groupReads(app: App, { workspace }: Services): void {
  app.get(
    GROUPS,
    {
      schema: {
        summary: 'Search user groups',
        querystring: searchQuery(GROUP_SEARCH),
        response: { 200: listOf(userGroup) },
      },
    },
    async ({ query }) => page(listUserGroups(workspace, query)),
  );
  app.get(
    GROUP,
    { schema: { summary: 'Get a user group', params: byGuid, response: { 200: userGroup } } },
    async ({ params }) => findUserGroup(workspace, params.guid),
  );
}

function memberReads(app: App, { workspace }: Services): void {
  app.get(
    MEMBERS,
    {
      schema: {
        summary: 'List members',
        params: byGuid,
        querystring: searchQuery(USER_SEARCH),
        response: { 200: listOf(user) },
      },
    },
    async ({ params, query }) => page(listMembers(workspace, params.guid, query)),
  );
  app.get(
    MEMBER,
    { schema: { summary: 'Get a member', params: byMember, response: { 200: user } } },
    async ({ params }) => findMember(workspace, params.guid, params.user),
  );
}

function groupCreation(app: App, { workspace }: Services): void {
  app.post(
    GROUPS,
    { schema: { summary: 'Create a user group', body: groupBody, response: { 201: userGroup } } },
    async (request, reply) => {
      const create = () => createUserGroup(workspace, callerOf(request), request.body);
      return reply.status(201).send(await writeWhenFree(workspace.settings, create));
    },
  );
}

function groupUpdate(app: App, { workspace }: Services): void {
  app.put(
    GROUP,
    { schema: { summary: 'Replace a user group', params: byGuid, body: groupBody, response: { 200: userGroup } } },
    async (request) => {
      const { params, body } = request;
      return writeWhenFree(workspace.settings, () => replaceUserGroup(workspace, callerOf(request), params.guid, body));
    },
  );
}

function groupRemoval(app: App, { workspace }: Services): void {
  app.delete(GROUP, { schema: { summary: 'Delete a user group', params: byGuid } }, async ({ params }, reply) => {
    await writeWhenFree(workspace.settings, () => removeUserGroup(workspace, params.guid));
    return reply.status(204).send();
  });
}

function memberAddition(app: App, { workspace }: Services): void {
  app.post(
    MEMBERS,
    { schema: { summary: 'Add a member', params: byGuid, body: memberBody, response: { 201: user } } },
    async ({ params, body }, reply) => {
      const join = () => joinUserGroup(workspace, params.guid, body.guid);
      return reply.status(201).send(await writeWhenFree(workspace.settings, join));
    },
  );
}

function memberRemoval(app: App, { workspace }: Services): void {
  app.delete(MEMBER, { schema: { summary: 'Remove a member', params: byMember } }, async ({ params }, reply) => {
    await writeWhenFree(workspace.settings, () => leaveUserGroup(workspace, params.guid, params.user));
    return reply.status(204).send();
  });
}
