import { DexsyncError } from '../errors.js';
import { objectsIn } from '../model/json.js';
import { isGuid } from '../model/kind.js';
import type { Client } from '../service/client.js';
import type { EventList, OutboundEvents, QueuedEvent } from '../service/outbound-events.js';
import { listsOf } from './event-contents.js';
import { objectOf } from './event-entry.js';
import { eventsNamed } from './event-named.js';

/** Which events are to be set, and to what. */
export interface ChosenEvents {
  /** GUIDs or beginnings of them; or all that are not yet as wanted. */
  readonly events: readonly string[] | 'all';
  /** Only these objects of the one event: numbers of items, or GUIDs of objects or of entries. */
  readonly items: readonly string[];
  readonly to: 'reconciled' | 'unreconciled';
}

/** One PUT, and what it is called. */
export interface Target {
  readonly name: string;
  readonly reconciled: boolean;
  readonly set: () => Promise<void>;
}

/** The chosen events as PUTs to make, the oldest first. One that is reconciled in part counts as open for an undo. */
export async function eventTargets({ events: names, to }: ChosenEvents, events: OutboundEvents): Promise<Target[]> {
  const wanted = to === 'reconciled';
  const waiting = wanted ? 'false' : 'true';
  const found = names === 'all' ? await events.list(waiting) : await eventsNamed(names, events, waiting);
  const sorted = [...found].sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  const targets: Target[] = [];
  for (const event of sorted) {
    const reconciled = event.reconciled || (!wanted && (await isPartly(event, events)));
    targets.push({ name: event.guid, reconciled, set: () => events.setEvent(event.guid, wanted) });
  }
  return targets;
}

/** An event counts as reconciled once all of it is; to undo it, a part is enough. */
async function isPartly(event: QueuedEvent, events: OutboundEvents): Promise<boolean> {
  for (const list of listsOf(event)) {
    if ((await entriesIn(event, list, events)).some(({ reconciled }) => reconciled)) return true;
  }
  return false;
}

/** The chosen entries of the one event, each once. Throws UNKNOWN_NAME where the event holds nothing of a name. */
export async function entryTargets(options: ChosenEvents, events: OutboundEvents, client: Client): Promise<Target[]> {
  const [event] = (await eventsNamed(options.events as readonly string[], events, 'any')) as [QueuedEvent];
  const targets: Target[] = [];
  for (const item of options.items) targets.push(...(await targetsOf(item, event, { options, events, client })));
  return [...new Map(targets.map((target) => [target.name, target])).values()];
}

interface Within {
  readonly options: ChosenEvents;
  readonly events: OutboundEvents;
  readonly client: Client;
}

/** An item may stand in an event more than once, as when its fields and its BOM were changed. */
async function targetsOf(item: string, event: QueuedEvent, { options, events, client }: Within): Promise<Target[]> {
  const guid = isGuid(item.toUpperCase()) ? item.toUpperCase() : await guidOfItem(item, client);
  const wanted = options.to === 'reconciled';
  for (const list of listsOf(event)) {
    const found = (await entriesIn(event, list, events)).filter((one) => one.guid === guid || one.of === guid);
    if (found.length === 0) continue;
    return found.map((one, index) => ({
      name: index === 0 ? item : `${item} (${index + 1})`,
      reconciled: one.reconciled,
      set: () => events.setEntry(event.guid, list, one.guid, wanted),
    }));
  }
  throw new DexsyncError('UNKNOWN_NAME', `The event contains nothing with the number or GUID "${item}".`, {
    hint: '`dexsync events show` lists its contents.',
  });
}

interface ListedEntry {
  readonly guid: string;
  readonly of: string;
  readonly reconciled: boolean;
}

/** By event and list, for as long as the events are in use. */
const lists = new WeakMap<OutboundEvents, Map<string, Promise<ListedEntry[]>>>();

/** Each list is read once, however many of its entries are named. */
function entriesIn({ guid }: QueuedEvent, list: EventList, events: OutboundEvents): Promise<ListedEntry[]> {
  const key = `${guid} ${list}`;
  const read = lists.get(events) ?? new Map<string, Promise<ListedEntry[]>>();
  lists.set(events, read);
  const entry =
    read.get(key) ??
    events.entries(guid, list).then((bodies) =>
      bodies.map((body) => ({
        guid: String(body.guid),
        of: String(objectOf(body).guid ?? ''),
        reconciled: body.reconciled === true,
      })),
    );
  read.set(key, entry);
  return entry;
}

async function guidOfItem(number: string, client: Client): Promise<string> {
  const { results } = await client.get('/items', { number, offset: 0, limit: client.profile.pageLimit });
  const found = objectsIn(results).filter((body) => body.number === number);
  const [only] = found;
  if (only !== undefined && found.length === 1) return String(only.guid);
  const hint = 'Use a GUID with `--item`: `dexsync events show EVENT --json` shows them.';
  if (only === undefined) throw new DexsyncError('UNKNOWN_NAME', `No item has the number "${number}".`, { hint });
  throw new DexsyncError('AMBIGUOUS_NAME', `Several items have the number "${number}".`, { hint });
}
