import { type JsonObject, objectsIn } from '#core/model/json.js';
import { isGuid } from '#core/model/kind.js';
import type { Client } from '#service/client.js';
import { EVENT_LISTS, type EventList, type OutboundEvents, type QueuedEvent } from '#service/outbound-events.js';
import { ServiceError } from '#service/service-error.js';
import { findEntryObject, type NumberAndName } from './event-entry.js';

interface Found {
  readonly list: EventList;
  readonly body: JsonObject;
}

/** Only the lists that the event's triggers can fill: each is a request. */
export function listsToRead({ triggers }: QueuedEvent): EventList[] {
  const known = Object.entries(EVENT_LISTS);
  const named = known.filter(([resource]) => triggers.some((trigger) => trigger.resource === resource));
  const strange = triggers.length === 0 || triggers.some(({ resource }) => !Object.hasOwn(EVENT_LISTS, resource));
  return (strange ? known : named).map(([, list]) => list);
}

/** Reads all entries of an event: one request for each list that its triggers can fill. */
export async function readEntries(event: QueuedEvent, events: OutboundEvents): Promise<Found[]> {
  const found: Found[] = [];
  for (const list of listsToRead(event)) {
    found.push(...(await events.entries(event.guid, list)).map((body) => ({ list, body })));
  }
  return found;
}

/**
 * Number and name of the items, as far as the service shows them: in the event itself, or in the list of items, with at
 * most one request for 400 items of the event. A single one is read by itself; the service has no search for several
 * GUIDs, so of several only those that come first in the list are found.
 */
export async function namesOfItems(found: readonly Found[], client: Client): Promise<Map<string, NumberAndName>> {
  const called = new Map<string, NumberAndName>();
  const items = found.filter(({ list }) => list === 'items').map(({ body }) => findEntryObject(body));
  for (const { body } of found) enterName(called, findEntryObject(body));
  const unknown = new Set(
    items.flatMap(({ guid }) => (typeof guid === 'string' && isGuid(guid) && !called.has(guid) ? [guid] : [])),
  );
  const [only, ...others] = unknown;
  if (only === undefined) return called;
  if (others.length === 0) enterName(called, await client.get(`/items/${only}`).catch(refusedAsNothing));
  else await enterFromList(called, unknown, client);
  return called;
}

async function enterFromList(
  called: Map<string, NumberAndName>,
  unknown: ReadonlySet<string>,
  client: Client,
): Promise<void> {
  const limit = client.profile.pageLimit;
  for (let page = 0; page < Math.ceil(unknown.size / limit); page += 1) {
    const { results } = await client.get('/items', { offset: page * limit, limit }).catch(refusedAsNothing);
    const bodies = objectsIn(results);
    for (const body of bodies) enterName(called, body);
    if (bodies.length < limit || [...unknown].every((guid) => called.has(guid))) return;
  }
}

/** Treats a refusal as empty: a user who may see events may not see all items, which only hides their names. */
function refusedAsNothing(error: unknown): JsonObject {
  if (error instanceof ServiceError) return {};
  throw error;
}

function enterName(called: Map<string, NumberAndName>, { guid, number, name }: JsonObject): void {
  if (typeof guid !== 'string' || (typeof number !== 'string' && typeof name !== 'string')) return;
  called.set(guid, {
    ...(typeof number === 'string' ? { number } : {}),
    ...(typeof name === 'string' ? { name } : {}),
  });
}
