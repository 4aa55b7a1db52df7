import { integrationAdministrators, outboundIntegrations } from '../families/outbound-integrations.js';
import { hasEntry } from '../family/list-table.js';
import { findRecord } from '../family/records.js';
import {
  type EventItem,
  type EventItems,
  eventItemList,
  eventList,
  markReconciled,
  markUnreconciled,
  type OutboundEvent,
} from '../store/outbound-events.js';
import { selectOne, selectPage } from '../store/select.js';
import { zulu } from './date-times.js';
import { isGuid } from './guid-source.js';
import { parseSearch, parseWholeSearch, type Query } from './search.js';
import { refuse, ServiceError } from './service-error.js';
import type { Caller, Workspace } from './workspace.js';

/** Error codes (wire-facts 2.1, "4301-4329"). */
const CODES = { notAdministrator: 4303, reconciled: 4321 };

/** The code for a value of each search that is neither true, false nor any. */
const ANY_CODES = { itemsReconciled: 4322, resourcesReconciled: 4324, reconciled: 4325 };

/** The searches of event lists. `any`, a third value besides true and false, means no search. */
export const EVENT_SEARCH = { resourcesReconciled: 'flag' } as const;

/** The searches of the resources of an event, whose lists are not paged (wire-facts 6.1). */
export const EVENT_ITEM_SEARCH = { reconciled: 'flag' } as const;

/** The path of an event: the GUID of its integration and its own. */
export interface EventPath {
  readonly guid: string;
  readonly event: string;
}

/** Lists the events of an integration in the order in which they came and must be processed (wire-facts 6.1). */
export function listEvents(workspace: Workspace, integration: string, query: Query): OutboundEvent[] {
  findRecord(workspace, outboundIntegrations, integration);
  const search = parseSearch(withoutAny(query, 'resourcesReconciled'), EVENT_SEARCH);
  return selectPage(workspace.settings, eventList, search, { sql: 'e.integration = ?', values: [integration] });
}

/** Finds an event; refuses with 3011 an unknown integration, and an event that does not belong to it. */
export function findEvent(workspace: Workspace, { guid, event }: EventPath): OutboundEvent {
  findRecord(workspace, outboundIntegrations, guid);
  const condition = { sql: 'e.integration = ? AND e.guid = ?', values: [guid, event] };
  const found = isGuid(event) && selectOne(workspace.settings, eventList, condition);
  if (!found) throw refuse.guid(event);
  return found;
}

/**
 * Lists all items of an event in the order in which they were recorded; refuses with 4325 a `reconciled` that is not
 * true, false or any.
 */
export function listEventItems(workspace: Workspace, path: EventPath, query: Query): EventItem[] {
  findEvent(workspace, path);
  const search = parseWholeSearch(withoutAny(query, 'reconciled'), EVENT_ITEM_SEARCH);
  return selectPage(workspace.settings, eventItemList, search, { sql: 'i.event = ?', values: [path.event] });
}

/** Finds one item of an event; refuses with 3011 a GUID that is not one of its items. */
export function findEventItem(workspace: Workspace, path: EventPath, entry: string): EventItem {
  findEvent(workspace, path);
  const condition = { sql: 'i.event = ? AND i.guid = ?', values: [path.event, entry] };
  const found = isGuid(entry) && selectOne(workspace.settings, eventItemList, condition);
  if (!found) throw refuse.guid(entry);
  return found;
}

/** Lists the changes, requests or quality processes of an event: none, since nothing here creates events of them. */
export function listOtherResources(workspace: Workspace, path: EventPath, query: Query): never[] {
  findEvent(workspace, path);
  parseWholeSearch(withoutAny(query, 'reconciled'), EVENT_ITEM_SEARCH);
  return [];
}

/** Refuses every GUID with 3011, since events here contain only items. */
export function refuseOtherResource(workspace: Workspace, path: EventPath, entry: string): never {
  findEvent(workspace, path);
  throw refuse.guid(entry);
}

/** Marks all items of an event as reconciled or not. */
export function reconcileEvent(workspace: Workspace, caller: Caller, path: EventPath, value: unknown): OutboundEvent {
  findEvent(workspace, path);
  set(workspace, caller, path.guid, { event: path.event }, value);
  return findEvent(workspace, path);
}

/** Marks one item as reconciled or not; an item that already is stays as it is. */
export function reconcileItem(
  workspace: Workspace,
  caller: Caller,
  path: EventPath,
  entry: string,
  value: unknown,
): EventItem {
  findEventItem(workspace, path, entry);
  set(workspace, caller, path.guid, { event: path.event, guid: entry }, value);
  return findEventItem(workspace, path, entry);
}

function set(workspace: Workspace, caller: Caller, integration: string, items: EventItems, value: unknown): void {
  const { settings, clock } = workspace;
  if (!hasEntry(settings, integrationAdministrators.table, integration, caller.guid)) {
    const message = 'Only an administrator of the integration may reconcile its events.';
    throw new ServiceError({ code: CODES.notAdministrator, message });
  }
  if (typeof value !== 'boolean') {
    throw new ServiceError({ code: CODES.reconciled, message: 'The value must be true or false.' });
  }
  if (value) markReconciled(settings, items, caller.guid, zulu(clock()));
  else markUnreconciled(settings, items);
}

/** Leaves out a search for `any`; refuses a value that is neither that nor a flag with the search's own code. */
export function withoutAny(query: Query, name: keyof typeof ANY_CODES): Query {
  const { [name]: value, ...rest } = query;
  if (value === undefined || value === 'any') return rest;
  if (value === 'true' || value === 'false') return query;
  throw new ServiceError({ code: ANY_CODES[name], message: `"${name}" must be true, false or any, not "${value}".` });
}
