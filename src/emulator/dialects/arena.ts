import type { Dialect } from './dialect.js';
import { reference } from './reference.js';

const READ_ONLY = { list: true, create: false, update: [], delete: false } as const;
const NOTHING = { list: false, create: false, update: [], delete: false } as const;

/** The dialect of wire-facts, section 0, column `arena`. */
export const arena: Dialect = {
  name: 'arena',
  headers: {
    session: 'arena_session_id',
    usageReason: 'arena-usage-reason',
    requestsRemaining: 'X-Arena-Requests-Remaining',
    nextLimitReset: 'X-Arena-Next-Request-Limit-Reset',
  },
  resetDate: 'pacific',
  tokenFields: ['arenaSessionId', 'arena_session_id'],
  customAttributes: 'name',
  commitAnswer: 'when done',
  capabilities: {
    ...reference.capabilities,
    extractDefinitions: READ_ONLY,
    triggers: READ_ONLY,
    outboundIntegrations: READ_ONLY,
    integrationTriggers: READ_ONLY,
    integrationAdministrators: READ_ONLY,
    policies: NOTHING,
    serviceVersion: NOTHING,
  },
};
