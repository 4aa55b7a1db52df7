import type { Profile } from './profile.js';

/** The dialect of wire-facts, section 0, column `reference`. */
export const reference: Profile = {
  name: 'reference',
  tokenFields: ['sessionId'],
  headers: {
    session: 'Service-Session-Id',
    usageReason: 'Service-Usage-Reason',
    requestsRemaining: 'x-requests-remaining',
    nextReset: 'x-next-request-limit-reset',
  },
  pageLimit: 400,
  collections: {
    importDefinitions: {
      path: '/imports',
      paged: 'yes',
      can: { create: 'yes', update: ['name', 'description'], updateBody: 'full', delete: 'no' },
    },
    userGroups: {
      path: '/settings/usergroups',
      paged: 'yes',
      can: {
        create: 'yes',
        update: ['name', 'description', 'enabled', 'assignability'],
        updateBody: 'full',
        delete: 'yes',
      },
    },
    users: { path: '/settings/users', paged: 'yes' },
    categories: { path: '/settings/items/categories', paged: 'yes' },
    itemAttributes: { path: '/settings/items/attributes', paged: 'yes' },
    bomAttributes: { path: '/settings/items/bom/attributes', paged: 'yes' },
  },
};
