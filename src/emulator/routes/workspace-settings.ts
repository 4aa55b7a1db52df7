import { users } from '../families/users.js';
import { answerFor, answerSchema } from '../family/answer.js';
import { parseSearch } from '../rules/search.js';
import { selectPage } from '../store/select.js';
import { apiUsageList } from '../store/usage.js';
import { callerOf } from './admission.js';
import type { App, Services } from './app.js';
import { listEnvelope, nullable, page, pagedQuery } from './schemas.js';
import { Type } from './type.js';

const apiUsage = Type.Object({
  dateTime: Type.String(),
  method: Type.String(),
  path: Type.String(),
  status: Type.Integer(),
  userEmail: Type.String(),
  usageReason: nullable(Type.String()),
});

const USAGE_SEARCH = { dateTimeFrom: 'dateTimeFrom', dateTimeTo: 'dateTimeTo' } as const;

/** The log of API usage and a user's own settings (interface 4.6), and the service version (interface 9; wire-facts 0, "service version"). */
export function workspaceSettingsRoutes(app: App, { workspace }: Services): void {
  app.get(
    '/settings/recentactivities/apiusages',
    {
      schema: {
        summary: 'The log of counted requests',
        querystring: pagedQuery(USAGE_SEARCH),
        response: { 200: listEnvelope(apiUsage) },
      },
    },
    async ({ query }) => {
      const search = parseSearch(query, USAGE_SEARCH);
      return page(selectPage(workspace.usage, apiUsageList, search));
    },
  );

  // INFERRED: its answer, since no source shows one. Nothing in the interface sets any of it.
  app.get(
    '/settings/users/personal',
    { schema: { summary: 'Your own settings', response: { 200: answerSchema(users) } } },
    async (request) => answerFor(workspace, users, callerOf(request).guid),
  );

  if (!workspace.dialect.capabilities.serviceVersion.list) return;
  app.get(
    '/settings/version',
    { schema: { summary: 'The release', response: { 200: Type.Object({ release: Type.String() }) } } },
    async () => ({ release: workspace.release }),
  );
}
