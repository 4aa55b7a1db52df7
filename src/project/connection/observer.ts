import type { Observer } from '#service/observe.js';
import type { Host } from '../host.js';
import type { Connection } from './connection.js';

/** What `observe` reads a workspace with; each list that was read is an event. */
export const observerOf = (
  { client, catalog: { kindNamed, lookupNamed } }: Pick<Connection, 'client' | 'catalog'>,
  { emit }: Pick<Host, 'emit'>,
): Observer => ({
  reader: client,
  kindNamed,
  lookupNamed,
  onRead: (what, count) => emit({ type: 'read', what, count }),
  onPrice: (requests) => emit({ type: 'price', requests, of: 'disagreements' }),
});
