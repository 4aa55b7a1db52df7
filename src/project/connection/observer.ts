import type { Observer } from '#service/observe.js';
import type { Host } from '../host.js';
import type { Connection } from './connection.js';

/** The observer with which `observe` reads a workspace; emits an event for each list that was read. */
export const createObserver = (
  { client, catalog: { kindNamed, lookupNamed } }: Pick<Connection, 'client' | 'catalog'>,
  { emit }: Pick<Host, 'emit'>,
): Observer => ({
  reader: client,
  kindNamed,
  lookupNamed,
  onRead: (what, count) => emit({ type: 'read', what, count }),
  onPrice: (requests, of) => emit({ type: 'price', requests, of }),
});
