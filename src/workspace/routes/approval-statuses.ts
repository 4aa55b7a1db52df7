import { findApprovalStatus, listApprovalStatuses, STATUS_SEARCH } from '../rules/approval-statuses.js';
import type { App, Services } from './app.js';
import { byGuid, listOf, nullable, page, searchQuery } from './schemas.js';
import { Type } from './type.js';

const STATUSES = '/settings/suppliers/approvalstatuses';

const approvalStatus = Type.Object({
  guid: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  active: Type.Boolean(),
});

/** The approval statuses of suppliers; interface 4.6 writes the path with a slash at its end, so both are answered. */
export function approvalStatusRoutes(app: App, { workspace }: Services): void {
  for (const path of [STATUSES, `${STATUSES}/`]) {
    app.get(
      path,
      {
        schema: {
          summary: 'Search approval statuses of suppliers',
          querystring: searchQuery(STATUS_SEARCH),
          response: { 200: listOf(approvalStatus) },
        },
      },
      async ({ query }) => page(listApprovalStatuses(workspace, query)),
    );
  }
  app.get(
    `${STATUSES}/:guid`,
    { schema: { summary: 'Get an approval status', params: byGuid, response: { 200: approvalStatus } } },
    async ({ params }) => findApprovalStatus(workspace, params.guid),
  );
}
