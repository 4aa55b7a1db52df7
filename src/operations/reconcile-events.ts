import type { Config } from '../config/load-config.js';
import { withConnection } from '../connection/connection.js';
import { DexsyncError } from '../errors.js';
import { objectOf } from '../events/event-entry.js';
import { eventsNamed, eventsOf } from '../events/event-named.js';
import type { Host, ProjectOptions } from '../host.js';
import { objectsIn } from '../model/json.js';
import { isGuid } from '../model/kind.js';
import { type Confirmation, confirmationIn } from '../planfile/consent.js';
import { openConfig } from '../project/project.js';
import type { Client } from '../service/client.js';
import type { EventList, OutboundEvents, QueuedEvent } from '../service/outbound-events.js';
import { ServiceError } from '../service/service-error.js';
import { listsOf } from './show-event.js';

export interface ReconcileOptions extends ProjectOptions {
  readonly integration: string;
  /** GUIDs or beginnings of them; or all that are not yet as wanted. */
  readonly events: readonly string[] | 'all';
  /** Only these objects of the one event: numbers of items, or GUIDs of objects or of entries. */
  readonly items: readonly string[];
  readonly to: 'reconciled' | 'unreconciled';
  /** Where `events` is all of them, and of any in a production workspace. */
  readonly confirm: Confirmation<AskedEvents>;
}

export interface AskedEvents {
  readonly count: number;
  readonly workspace: string;
}

export interface Reconciliation {
  readonly integration: string;
  readonly to: ReconcileOptions['to'];
  readonly status: 'done' | 'not confirmed';
  /** Events, or entries of one event, that were set, and that were so already. */
  readonly set: readonly string[];
  readonly unchanged: readonly string[];
  /** Requests. */
  readonly used: number;
}

/** Wire-facts 6.1: only an administrator of the integration may reconcile. */
const NOT_ADMINISTRATOR = 4303;

/** Sets events, or entries of one, one after another, the oldest first. What is so already is not sent. */
export async function reconcileEvents(options: ReconcileOptions, host: Host): Promise<Reconciliation> {
  checkChoice(options);
  const config = await openConfig(options, host);
  const confirm = confirmationOf(config, options, host);
  return withConnection(config, { ...options, access: 'write' }, host, async ({ client, workspace, ...rest }) => {
    const events = await eventsOf(options.integration, { client, workspace, ...rest });
    const targets =
      options.items.length === 0 ? await wholeEvents(options, events) : await entries(options, events, client);
    const open = targets.filter(({ reconciled }) => reconciled !== (options.to === 'reconciled'));
    const unchanged = targets.filter((target) => !open.includes(target)).map(({ name }) => name);
    const confirmed = open.length === 0 || (await confirm({ count: open.length, workspace: workspace.name }));
    if (confirmed) await setAll(open, options, { events, host });
    return {
      integration: options.integration,
      to: options.to,
      status: confirmed ? 'done' : 'not confirmed',
      set: confirmed ? open.map(({ name }) => name) : [],
      unchanged,
      used: client.usage.used,
    };
  });
}

const confirmationOf = (config: Config, options: ReconcileOptions, host: Host) =>
  options.events === 'all' && typeof options.confirm === 'function'
    ? options.confirm
    : confirmationIn(config, options, 'no event is set', host);

/** One PUT, and what it is called. */
interface Target {
  readonly name: string;
  readonly reconciled: boolean;
  readonly set: () => Promise<void>;
}

function checkChoice({ events, items }: ReconcileOptions): void {
  if (items.length > 0 && (events === 'all' || events.length !== 1)) {
    throw new DexsyncError('USAGE', '--item is for the items of one event.', {
      hint: 'Name that event, as `dexsync events list` prints it.',
    });
  }
  if (events.length > 0) return;
  throw new DexsyncError('USAGE', 'No event was named.', {
    hint: 'Name events as `dexsync events list` prints them, or give --all.',
  });
}

async function wholeEvents({ events: names, to }: ReconcileOptions, events: OutboundEvents): Promise<Target[]> {
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
    if ((await listed(event, list, events)).some(({ reconciled }) => reconciled)) return true;
  }
  return false;
}

async function entries(options: ReconcileOptions, events: OutboundEvents, client: Client): Promise<Target[]> {
  const [event] = (await eventsNamed(options.events as readonly string[], events, 'any')) as [QueuedEvent];
  const targets: Target[] = [];
  for (const item of options.items) targets.push(...(await targetsOf(item, event, { options, events, client })));
  return [...new Map(targets.map((target) => [target.name, target])).values()];
}

interface Within {
  readonly options: ReconcileOptions;
  readonly events: OutboundEvents;
  readonly client: Client;
}

/** An item may stand in an event more than once, as when its fields and its BOM were changed. */
async function targetsOf(item: string, event: QueuedEvent, { options, events, client }: Within): Promise<Target[]> {
  const guid = isGuid(item.toUpperCase()) ? item.toUpperCase() : await guidOfItem(item, client);
  const wanted = options.to === 'reconciled';
  for (const list of listsOf(event)) {
    const found = (await listed(event, list, events)).filter((one) => one.guid === guid || one.of === guid);
    if (found.length === 0) continue;
    return found.map((one, index) => ({
      name: index === 0 ? item : `${item} (${index + 1})`,
      reconciled: one.reconciled,
      set: () => events.setEntry(event.guid, list, one.guid, wanted),
    }));
  }
  throw new DexsyncError('UNKNOWN_NAME', `The event holds nothing that "${item}" names.`, {
    hint: '`dexsync events show` lists what it holds.',
  });
}

interface Listed {
  readonly guid: string;
  readonly of: string;
  readonly reconciled: boolean;
}

/** By event and list, for as long as the events are in use. */
const lists = new WeakMap<OutboundEvents, Map<string, Promise<Listed[]>>>();

/** Each list is read once, however many of its entries are named. */
function listed({ guid }: QueuedEvent, list: EventList, events: OutboundEvents): Promise<Listed[]> {
  const key = `${guid} ${list}`;
  const read = lists.get(events) ?? new Map<string, Promise<Listed[]>>();
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
  const hint = '`dexsync events show EVENT --json` tells the GUIDs of what it holds; --item takes them too.';
  if (only === undefined) throw new DexsyncError('UNKNOWN_NAME', `No item has the number "${number}".`, { hint });
  throw new DexsyncError('AMBIGUOUS_NAME', `Several items have the number "${number}".`, { hint });
}

interface Setting {
  readonly events: OutboundEvents;
  readonly host: Host;
}

async function setAll(targets: readonly Target[], options: ReconcileOptions, { events, host }: Setting): Promise<void> {
  for (const [index, target] of targets.entries()) {
    if (host.signal.aborted) {
      throw new DexsyncError('INTERRUPTED', `Interrupted: ${index} of ${targets.length} were set.`, {
        hint: 'Repeat the command: what is set already is not sent again.',
      });
    }
    try {
      await setOnce(target);
    } catch (error) {
      throw await explained(error, { done: index, all: targets.length }, options, events);
    }
  }
}

/** A write of one value may be sent again where nobody knows whether it was done: the second changes nothing. */
async function setOnce({ set }: Target): Promise<void> {
  try {
    await set();
  } catch (error) {
    if (!(error instanceof DexsyncError) || error.code !== 'WRITE_UNANSWERED') throw error;
    await set();
  }
}

async function explained(
  error: unknown,
  { done, all }: { readonly done: number; readonly all: number },
  { integration }: ReconcileOptions,
  events: OutboundEvents,
): Promise<unknown> {
  if (!(error instanceof DexsyncError)) return error;
  const so = all > 1 ? ` ${done} of ${all} were set before.` : '';
  if (error instanceof ServiceError && error.has(NOT_ADMINISTRATOR)) {
    const names = await events.administrators().catch(() => []);
    const who = names.length === 0 ? 'It has none that this user may see.' : `They are: ${names.join(', ')}.`;
    return new DexsyncError('PERMISSION', `${error.message}${so}`, {
      hint: `Only an administrator of OutboundIntegration/${integration} may do that. ${who}`,
      cause: error,
    });
  }
  const hint = 'Repeat the command: what is set already is not sent again.';
  return new DexsyncError(error.code, `${error.message}${so}`, { hint: error.hint ?? hint, cause: error });
}
