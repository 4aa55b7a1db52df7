import type { Dialect } from './dialect.js';

/** The dialect of the published interface, with neutral names where it is silent (wire-facts, section 0). */
export const reference: Dialect = {
  name: 'reference',
  headers: {
    session: 'service-session-id',
    usageReason: 'service-usage-reason',
    requestsRemaining: 'X-Requests-Remaining',
    nextLimitReset: 'X-Next-Request-Limit-Reset',
  },
  tokenFields: ['sessionId'],
  customAttributes: 'guid',
  capabilities: {
    users: { create: false, update: [], delete: false },
    userGroups: { create: true, update: ['name', 'description', 'enabled', 'assignability'], delete: true },
    userGroupMembers: { create: true, update: [], delete: true },
    importDefinitions: { create: true, update: ['name', 'description'], delete: false },
    importRuns: { create: true, update: ['commit'], delete: false },
  },
};
