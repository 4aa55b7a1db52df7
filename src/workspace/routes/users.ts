import { findUser, listUsers, USER_SEARCH } from '../rules/users.js';
import type { App, Services } from './app.js';
import { byGuid, listOf, page, pagedQuery, user } from './schemas.js';

/** Wire-facts 7. */
export function userRoutes(app: App, { workspace }: Services): void {
  if (!workspace.dialect.capabilities.users.list) return;
  app.get(
    '/settings/users',
    { schema: { summary: 'Search users', querystring: pagedQuery(USER_SEARCH), response: { 200: listOf(user) } } },
    async ({ query }) => page(listUsers(workspace, query)),
  );

  app.get(
    '/settings/users/:guid',
    { schema: { summary: 'Get a user', params: byGuid, response: { 200: user } } },
    async ({ params }) => findUser(workspace, params.guid),
  );
}
