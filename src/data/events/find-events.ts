import { DexsyncError } from '#base/errors.js';
import { outboundIntegration } from '#core/kinds/outbound-integration.js';
import { isGuid, looksLikeGuid } from '#core/model/kind.js';
import type { Connection } from '#project/connection/connection.js';
import { findLiveDefinition } from '#project/live/find-live-definition.js';
import {
  type OutboundEvents,
  openOutboundEvents,
  type QueuedEvent,
  type ReconciledFilter,
} from '#service/outbound-events.js';
import { saysAbsent } from '#service/refusal-meaning.js';

/** Opens the events of an integration by its name. */
export async function openEvents(integration: string, connection: Connection): Promise<OutboundEvents> {
  const { guid } = await findLiveDefinition(outboundIntegration, { name: integration }, connection);
  return openOutboundEvents(connection.client, guid);
}

const SHORTEST = 4;

/**
 * Finds events by their GUIDs or beginnings of them, each once. Whole GUIDs are read one by one; for beginnings the
 * queue is read: first the events of `among`, and all of it if a beginning is not found there.
 */
export async function findEvents(
  names: readonly string[],
  events: OutboundEvents,
  among: ReconciledFilter,
): Promise<QueuedEvent[]> {
  for (const name of names) checkForm(name);
  const whole = names.every((name) => looksLikeGuid(name.toUpperCase()));
  const found = whole ? await readEach(names, events) : await inQueue(names, events, among);
  return [...new Map(found.map((event) => [event.guid, event])).values()];
}

function checkForm(name: string): void {
  if (isGuid(name) && name.length >= SHORTEST) return;
  throw new DexsyncError('USAGE', `"${name}" is not the GUID of an event.`, {
    hint: `Give the GUID as \`dexsync events list\` shows it, or at least its first ${SHORTEST} characters.`,
  });
}

async function readEach(names: readonly string[], events: OutboundEvents): Promise<QueuedEvent[]> {
  const found: QueuedEvent[] = [];
  for (const name of names) {
    found.push(
      await events.read(name.toUpperCase()).catch((error: unknown) => {
        throw saysAbsent(error) ? noSuch(name) : error;
      }),
    );
  }
  return found;
}

async function inQueue(
  names: readonly string[],
  events: OutboundEvents,
  among: ReconciledFilter,
): Promise<QueuedEvent[]> {
  const first = await events.list(among);
  const missing = among !== 'any' && names.some((name) => matching(name, first).length === 0);
  const all = missing ? await events.list('any') : first;
  return names.map((name) => {
    const found = matching(name, all);
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    throw found.length === 0 ? noSuch(name) : severalOf(name, found);
  });
}

const matching = (name: string, events: readonly QueuedEvent[]): QueuedEvent[] =>
  events.filter(({ guid }) => guid.toUpperCase().startsWith(name.toUpperCase()));

const noSuch = (name: string): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', `No event of this integration has a GUID that begins with "${name}".`, {
    hint: '`dexsync events list INTEGRATION --reconciled any` lists all events; reconciled events are kept for three months.',
  });

const severalOf = (name: string, found: readonly QueuedEvent[]): DexsyncError =>
  new DexsyncError('AMBIGUOUS_NAME', `The GUIDs of ${found.length} events begin with "${name}".`, {
    hint: `Give more characters: ${found
      .slice(0, 5)
      .map(({ guid }) => guid)
      .join(', ')}.`,
  });
