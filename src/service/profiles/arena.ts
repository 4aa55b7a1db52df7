import type { Capability } from '../../model/observation.js';
import type { Collection, Profile } from './profile.js';
import { reference } from './reference.js';

const READ_ONLY: Capability = { list: 'yes', create: 'no', update: [], updateBody: 'full', delete: 'no' };
const NOTHING: Capability = { ...READ_ONLY, list: 'no' };

const limitCollection = (collection: string, can: Capability): [string, Collection] => [
  collection,
  { ...(reference.collections[collection] as Collection), can },
];

const { version: _, ...common } = reference;

/** The dialect of wire-facts, section 0, column `arena`. */
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
      limitCollection('policies', NOTHING),
    ]),
  },
};
