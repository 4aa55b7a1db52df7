import type { Collection } from '#core/model/collection.js';
import type { Capability } from '#core/model/observation.js';
import { NO_ENDPOINTS, type Profile, READ_ONLY } from './profile.js';
import { reference } from './reference.js';

const limitCollection = (collection: string, can: Capability): [string, Collection] => [
  collection,
  { ...(reference.collections[collection] as Collection), can },
];

const { version: _, ...common } = reference;

/** The profile of wire-facts, section 0, column `arena`. */
export const arena: Profile = {
  ...common,
  name: 'arena',
  tokenFields: ['arenaSessionId', 'arena_session_id'],
  headers: {
    session: 'arena_session_id',
    usageReason: 'Arena-Usage-Reason',
    requestsRemaining: 'x-arena-requests-remaining',
    nextReset: 'x-arena-next-request-limit-reset',
  },
  customAttributes: 'name',
  collections: {
    ...reference.collections,
    ...Object.fromEntries([
      limitCollection('extractDefinitions', READ_ONLY),
      limitCollection('triggers', { ...READ_ONLY, hidden: ['category', 'attributes', 'conditions'] }),
      limitCollection('outboundIntegrations', READ_ONLY),
      limitCollection('policies', NO_ENDPOINTS),
    ]),
  },
};
