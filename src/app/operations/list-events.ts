import { openEvents } from '#data/events/find-events.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';
import type { QueuedEvent, ReconciledFilter } from '#service/outbound-events.js';

/** The events of an integration to list. */
export interface ListEventsOptions extends ProjectOptions {
  readonly integration: string;
  readonly reconciled: ReconciledFilter;
}

/** Events of one integration. */
export interface EventListing {
  readonly integration: string;
  readonly reconciled: ReconciledFilter;
  /** The oldest first, which is the order to process them in (wire-facts 6.1). */
  readonly events: readonly QueuedEvent[];
  /** Number of requests. */
  readonly used: number;
}

/** Lists the queue of an integration. Sends no write. */
export async function listEvents(options: ListEventsOptions, host: Host): Promise<EventListing> {
  const { integration, reconciled, ...project } = options;
  const config = await openConfig(project, host);
  return withConnection(config, { ...project, access: 'read' }, host, async (connection) => {
    const events = await (await openEvents(integration, connection)).list(reconciled);
    const sorted = [...events].sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    return { integration, reconciled, events: sorted, used: connection.client.usage.used };
  });
}
