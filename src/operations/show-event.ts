import { withConnection } from '../connection/connection.js';
import { type Called, type EventEntry, objectOf, toEntry } from '../events/event-entry.js';
import { eventsNamed, eventsOf } from '../events/event-named.js';
import type { Host, ProjectOptions } from '../host.js';
import { type JsonObject, objectsIn } from '../model/json.js';
import { openConfig } from '../project/project.js';
import type { Client } from '../service/client.js';
import { EVENT_LISTS, type EventList, type OutboundEvents, type QueuedEvent } from '../service/outbound-events.js';
import { ServiceError } from '../service/service-error.js';

export interface ShowEventOptions extends ProjectOptions {
  readonly integration: string;
  /** A GUID or the beginning of one. */
  readonly event: string;
}

export interface EventDetails {
  readonly integration: string;
  readonly event: QueuedEvent;
  readonly entries: readonly EventEntry[];
  /** Requests. */
  readonly used: number;
}

/** An event with all that it holds, values before and after. Sends no write. */
export async function showEvent(options: ShowEventOptions, host: Host): Promise<EventDetails> {
  const { integration, event: name, ...project } = options;
  const config = await openConfig(project, host);
  return withConnection(config, { ...project, access: 'read' }, host, async (connection) => {
    const events = await eventsOf(integration, connection);
    const [event] = await eventsNamed([name], events, 'any');
    const found = await entriesOf(event as QueuedEvent, events);
    const called = await callItems(found, connection.client);
    const entries = found.map(({ list, body }) => toEntry(body, list, (guid) => called.get(guid) ?? {}));
    return { integration, event: event as QueuedEvent, entries, used: connection.client.usage.used };
  });
}

interface Found {
  readonly list: EventList;
  readonly body: JsonObject;
}

/** Only the lists that the event's triggers can fill: each is a request. */
export function listsOf({ triggers }: QueuedEvent): EventList[] {
  const known = Object.entries(EVENT_LISTS);
  const named = known.filter(([resource]) => triggers.some((trigger) => trigger.resource === resource));
  const strange = triggers.length === 0 || triggers.some(({ resource }) => !Object.hasOwn(EVENT_LISTS, resource));
  return (strange ? known : named).map(([, list]) => list);
}

async function entriesOf(event: QueuedEvent, events: OutboundEvents): Promise<Found[]> {
  const found: Found[] = [];
  for (const list of listsOf(event)) {
    found.push(...(await events.entries(event.guid, list)).map((body) => ({ list, body })));
  }
  return found;
}

/**
 * Number and name of the items, where the service tells them: in the event itself, or in the list of items, with no more
 * than one request for 400 items of the event. A single one is asked for; the service has no search by several GUIDs, so
 * that of several those are known that come first in the list.
 */
async function callItems(found: readonly Found[], client: Client): Promise<Map<string, Called>> {
  const called = new Map<string, Called>();
  const items = found.filter(({ list }) => list === 'items').map(({ body }) => objectOf(body));
  for (const { body } of found) enter(called, objectOf(body));
  const unknown = new Set(items.map(({ guid }) => String(guid)).filter((guid) => !called.has(guid)));
  const [only, ...others] = unknown;
  if (only === undefined) return called;
  if (others.length === 0) enter(called, await client.get(`/items/${only}`).catch(refusedAsNothing));
  else await callFromList(called, unknown, client);
  return called;
}

async function callFromList(called: Map<string, Called>, unknown: ReadonlySet<string>, client: Client): Promise<void> {
  const limit = client.profile.pageLimit;
  for (let page = 0; page < Math.ceil(unknown.size / limit); page += 1) {
    const { results } = await client.get('/items', { offset: page * limit, limit }).catch(refusedAsNothing);
    const bodies = objectsIn(results);
    for (const body of bodies) enter(called, body);
    if (bodies.length < limit || [...unknown].every((guid) => called.has(guid))) return;
  }
}

/** A user who may see events may not see all items; that hides their names and nothing else. */
function refusedAsNothing(error: unknown): JsonObject {
  if (error instanceof ServiceError) return {};
  throw error;
}

function enter(called: Map<string, Called>, { guid, number, name }: JsonObject): void {
  if (typeof guid !== 'string' || (typeof number !== 'string' && typeof name !== 'string')) return;
  called.set(guid, {
    ...(typeof number === 'string' ? { number } : {}),
    ...(typeof name === 'string' ? { name } : {}),
  });
}
