import { isObject, type JsonObject, objectsIn } from '#core/model/json.js';
import type { Guid } from '#core/model/kind.js';
import type { Writer } from './client.js';
import { collectionOf } from './collection.js';
import { listEntries, listWhole } from './list-pages.js';
import { guidFault, guidFrom, sortEntries } from './odd-entries.js';
import { saysNoEndpoint } from './refusal-meaning.js';

/** Which events are listed: those that were reconciled, those that were not, or both. */
export type ReconciledFilter = 'true' | 'false' | 'any';

/** The lists of an event, by the resource that triggers name (wire-facts 6.1). */
export const EVENT_LISTS = {
  ITEM: 'items',
  CHANGE: 'changes',
  REQUEST: 'requests',
  QUALITY: 'qualityprocesses',
} as const;

/** The last part of the path of one of an event's lists. */
export type EventList = (typeof EVENT_LISTS)[keyof typeof EVENT_LISTS];

/** An event in the queue of an integration. */
export interface QueuedEvent {
  readonly guid: Guid;
  readonly status: string;
  readonly reconciled: boolean;
  readonly createdAt: string;
  readonly creator: string;
  readonly triggers: readonly { readonly name: string; readonly resource: string; readonly action: string }[];
}

/** The event endpoints of one outbound-event integration (wire-facts 6.1). */
export interface OutboundEvents {
  list(reconciled: ReconciledFilter): Promise<readonly QueuedEvent[]>;
  read(event: Guid): Promise<QueuedEvent>;
  /** Returns the entries of an event as the service answers them. */
  entries(event: Guid, list: EventList): Promise<readonly JsonObject[]>;
  /** Sets all entries of an event with one request; `no endpoint`: this service only sets entries one by one. */
  setEvent(event: Guid, reconciled: boolean): Promise<'done' | 'no endpoint'>;
  setEntry(event: Guid, list: EventList, entry: Guid, reconciled: boolean): Promise<void>;
  /** Returns the names of users who may reconcile. */
  administrators(): Promise<readonly string[]>;
}

/**
 * Opens the event endpoints of one integration over the client (wire-facts 6.1). Throws ANSWER_UNEXPECTED if an event
 * that is read has no guid; lists leave such entries out with a warning.
 */
export function openOutboundEvents(writer: Writer, integration: Guid): OutboundEvents {
  const base = `${collectionOf(writer, 'outboundIntegrations').path}/${integration}`;
  const events = `${base}/events`;
  let setsWhole = true;
  return {
    list: async (resourcesReconciled) => {
      const entries = await listEntries(writer, events, 'paged', { resourcesReconciled });
      return sortEntries(writer, events, entries, ({ guid }) => guidFault(guid)).objects.map(toEvent);
    },
    read: async (event) => toEvent(await writer.get(`${events}/${event}`)),
    entries: async (event, list) => {
      const path = `${events}/${event}/${list}`;
      const entries = await listEntries(writer, path, 'whole', { reconciled: 'any' });
      return sortEntries(writer, path, entries, ({ guid }) => guidFault(guid)).objects;
    },
    setEvent: async (event, resourcesReconciled) => {
      if (!setsWhole) return 'no endpoint';
      try {
        await writer.write('PUT', `${events}/${event}`, { json: { resourcesReconciled } });
        return 'done';
      } catch (error) {
        if (!saysNoEndpoint(error)) throw error;
        setsWhole = false;
        return 'no endpoint';
      }
    },
    setEntry: async (event, list, entry, reconciled) => {
      await writer.write('PUT', `${events}/${event}/${list}/${entry}`, { json: { reconciled } });
    },
    administrators: async () => (await listWhole(writer, `${base}/administrators`)).map(personName),
  };
}

function toEvent(body: JsonObject): QueuedEvent {
  const { guid, status, resourcesReconciled, creationDateTime, creator, triggers } = body;
  return {
    guid: guidFrom(guid, 'An event of the service'),
    status: String(status ?? ''),
    reconciled: resourcesReconciled === true,
    createdAt: String(creationDateTime ?? ''),
    creator: isObject(creator) ? personName(creator) : '',
    triggers: objectsIn(triggers).map(({ name, resource, action }) => ({
      name: String(name ?? ''),
      resource: String(resource ?? ''),
      action: String(action ?? ''),
    })),
  };
}

const personName = ({ fullName, email }: JsonObject): string => String(fullName ?? email ?? '');
