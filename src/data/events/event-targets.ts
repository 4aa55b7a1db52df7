import { DexsyncError } from '#base/errors.js';
import { objectsIn } from '#core/model/json.js';
import { looksLikeGuid } from '#core/model/kind.js';
import type { Client } from '#service/client.js';
import type { EventList, OutboundEvents, QueuedEvent } from '#service/outbound-events.js';
import { listsToRead } from './event-contents.js';
import { findEntryObject } from './event-entry.js';
import { findEvents } from './find-events.js';

/** Which events are to be set, and to what. */
export interface ChosenEvents {
  /** GUIDs or beginnings of them; or all that are not yet in the wanted state. */
  readonly events: readonly string[] | 'all';
  /** Only these objects of the one event: numbers of items, or GUIDs of objects or of entries. */
  readonly items: readonly string[];
  readonly to: 'reconciled' | 'unreconciled';
}

/** One PUT, and its name. */
export interface Target {
  readonly name: string;
  readonly reconciled: boolean;
  readonly set: () => Promise<void>;
}

/** The chosen events as PUTs to make, the oldest first. A partly reconciled event can be unreconciled. */
export async function eventTargets({ events: names, to }: ChosenEvents, events: OutboundEvents): Promise<Target[]> {
  const wanted = to === 'reconciled';
  const waiting = wanted ? 'false' : 'true';
  const found = names === 'all' ? await events.list(waiting) : await findEvents(names, events, waiting);
  const sorted = [...found].sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  const targets: Target[] = [];
  for (const event of sorted) {
    const reconciled = event.reconciled || (!wanted && (await isPartly(event, events)));
    targets.push({ name: event.guid, reconciled, set: () => setWhole(event, events, wanted) });
  }
  return targets;
}

/** Sets an event with one request, or entry by entry where the service documents nothing else (wire-facts 6.1). */
async function setWhole(event: QueuedEvent, events: OutboundEvents, wanted: boolean): Promise<void> {
  if ((await events.setEvent(event.guid, wanted)) === 'done') return;
  for (const list of listsToRead(event)) {
    const entries = await entriesIn(event, list, events);
    const open = entries.filter(({ reconciled }) => reconciled !== wanted);
    for (const { guid } of open) await events.setEntry(event.guid, list, guid, wanted);
  }
}

/** Whether a part of an event is reconciled, which is enough to unreconcile it. */
async function isPartly(event: QueuedEvent, events: OutboundEvents): Promise<boolean> {
  for (const list of listsToRead(event)) {
    if ((await entriesIn(event, list, events)).some(({ reconciled }) => reconciled)) return true;
  }
  return false;
}

/** The chosen entries of the one event, each once. Throws UNKNOWN_NAME if the event has no entry for a name. */
export async function entryTargets(options: ChosenEvents, events: OutboundEvents, client: Client): Promise<Target[]> {
  const [event] = (await findEvents(options.events as readonly string[], events, 'any')) as [QueuedEvent];
  const targets: Target[] = [];
  for (const item of options.items) targets.push(...(await targetsOf(item, event, { options, events, client })));
  return [...new Map(targets.map((target) => [target.name, target])).values()];
}

interface Within {
  readonly options: ChosenEvents;
  readonly events: OutboundEvents;
  readonly client: Client;
}

/** An item may appear in an event more than once, as when its fields and its BOM were changed. */
async function targetsOf(item: string, event: QueuedEvent, { options, events, client }: Within): Promise<Target[]> {
  const looks = looksLikeGuid(item.toUpperCase());
  const given = looks ? await entriesWith(item, event, events) : undefined;
  const number = given === undefined ? await guidOfItem(item, client) : undefined;
  const found = given ?? (await entriesWith(number ?? item, event, events));
  if (found === undefined && number === undefined) throw noItem(item);
  if (found === undefined) {
    throw new DexsyncError('UNKNOWN_NAME', `The event contains nothing with the number or GUID "${item}".`, {
      hint: '`dexsync events show` lists its contents.',
    });
  }
  const wanted = options.to === 'reconciled';
  return found.map(({ list, one }, index) => ({
    name: index === 0 ? item : `${item} (${index + 1})`,
    reconciled: one.reconciled,
    set: () => events.setEntry(event.guid, list, one.guid, wanted),
  }));
}

/** The entries of an event for an object, or an entry itself, by a GUID as people type it. */
async function entriesWith(guid: string, event: QueuedEvent, events: OutboundEvents) {
  const isIt = (text: string): boolean => text.toUpperCase() === guid.toUpperCase();
  for (const list of listsToRead(event)) {
    const found = (await entriesIn(event, list, events)).filter((one) => isIt(one.guid) || isIt(one.of));
    if (found.length > 0) return found.map((one) => ({ list, one }));
  }
  return undefined;
}

interface ListedEntry {
  readonly guid: string;
  readonly of: string;
  readonly reconciled: boolean;
}

/** Entries by event and list, for as long as the events are in use. */
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
        of: String(findEntryObject(body).guid ?? ''),
        reconciled: body.reconciled === true,
      })),
    );
  read.set(key, entry);
  return entry;
}

/** The GUID of the item with this number; undefined if there is none. */
async function guidOfItem(number: string, client: Client): Promise<string | undefined> {
  const { results } = await client.get('/items', { number, offset: 0, limit: client.profile.pageLimit });
  const found = objectsIn(results).filter((body) => body.number === number);
  const [only] = found;
  if (only !== undefined && found.length === 1) return String(only.guid);
  if (only === undefined) return undefined;
  throw new DexsyncError('AMBIGUOUS_NAME', `Several items have the number "${number}".`, { hint: USE_GUID });
}

const noItem = (number: string): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', `No item has the number "${number}".`, { hint: USE_GUID });

const USE_GUID = 'Use a GUID with `--item`: `dexsync events show EVENT --json` shows them.';
