import { namesOfItems, readEntries } from '#data/events/event-contents.js';
import { type EventEntry, toEntry } from '#data/events/event-entry.js';
import { findEvents, openEvents } from '#data/events/find-events.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';
import type { QueuedEvent } from '#service/outbound-events.js';

/** The event to show. */
export interface ShowEventOptions extends ProjectOptions {
  readonly integration: string;
  /** A GUID or the beginning of one. */
  readonly event: string;
}

/** One event with its entries. */
export interface EventDetails {
  readonly integration: string;
  readonly event: QueuedEvent;
  readonly entries: readonly EventEntry[];
  /** Number of requests. */
  readonly used: number;
}

/** Shows an event with all its entries, and their values before and after. Sends no write. */
export async function showEvent(options: ShowEventOptions, host: Host): Promise<EventDetails> {
  const { integration, event: name, ...project } = options;
  const config = await openConfig(project, host);
  return withConnection(config, { ...project, access: 'read' }, host, async (connection) => {
    const events = await openEvents(integration, connection);
    const [event] = await findEvents([name], events, 'any');
    const found = await readEntries(event as QueuedEvent, events);
    const called = await namesOfItems(found, connection.client);
    const entries = found.map(({ list, body }) => toEntry(body, list, (guid) => called.get(guid) ?? {}));
    return { integration, event: event as QueuedEvent, entries, used: connection.client.usage.used };
  });
}
