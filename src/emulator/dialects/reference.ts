import type { Dialect } from './dialect.js';

const READ_ONLY = { list: true, create: false, update: [], delete: false } as const;

/** The dialect of the published interface, with neutral names where it is silent (wire-facts, section 0). */
export const reference: Dialect = {
  name: 'reference',
  headers: {
    session: 'service-session-id',
    usageReason: 'service-usage-reason',
    requestsRemaining: 'X-Requests-Remaining',
    nextLimitReset: 'X-Next-Request-Limit-Reset',
  },
  resetDate: 'rfc1123',
  tokenFields: ['sessionId'],
  customAttributes: 'guid',
  commitAnswer: 'at once',
  capabilities: {
    users: READ_ONLY,
    userGroups: {
      list: true,
      create: true,
      update: ['name', 'description', 'enabled', 'assignability'],
      delete: true,
    },
    userGroupMembers: { list: true, create: true, update: [], delete: true },
    importDefinitions: { list: true, create: true, update: ['name', 'description'], delete: false },
    importRuns: { list: true, create: true, update: ['commit'], delete: false },
    exportDefinitions: { list: true, create: true, update: [], delete: false },
    exportRuns: { list: true, create: true, update: [], delete: false },
    extractDefinitions: { list: true, create: true, update: ['name', 'enabled', 'type'], delete: false },
    extractRuns: { list: true, create: true, update: [], delete: false },
    triggers: {
      list: true,
      create: true,
      update: ['name', 'description', 'resource', 'action', 'category', 'attributes', 'conditions'],
      delete: true,
    },
    outboundIntegrations: { list: true, create: true, update: ['name', 'enabled'], delete: true },
    integrationTriggers: { list: true, create: true, update: [], delete: true },
    integrationAdministrators: { list: true, create: true, update: [], delete: true },
    policies: {
      list: true,
      create: true,
      update: ['name', 'description', 'enabled', 'userGroups', 'rules'],
      delete: true,
    },
    numberReservations: { list: true, create: true, update: [], delete: true },
    suppliers: {
      list: true,
      create: true,
      update: ['name', 'description', 'website', 'supplierId', 'accountNumber', 'approvalStatus'],
      delete: true,
    },
    serviceVersion: READ_ONLY,
  },
};
