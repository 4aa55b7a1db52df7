import type { Dialect } from '../../dialects/dialect.js';
import type { Trigger } from '../../families/triggers.js';
import type { Database } from '../../store/database.js';
import { bomChanges, itemChanges } from '../../store/draft-changes.js';
import type { PlacedItem } from '../../store/item-pages.js';
import { readAttributes } from '../../store/item-settings.js';
import {
  type CompactTrigger,
  type EventState,
  insertEvent,
  insertEventItem,
  setEventTriggers,
} from '../../store/outbound-events.js';
import { byApiName, itemFields, loadNames, type Names } from '../criteria/item-fields.js';
import type { Chance } from '../guid-source.js';
import { bomState, changedAttributes, itemState } from './item-state.js';
import { itemSubscriptions } from './subscriptions.js';
import { BOM_ATTRIBUTE } from './trigger-fields.js';
import { type Occurrence, type Watch, WORKFLOW_ATTRIBUTE, watchFor } from './watch.js';

/** The user and time of a run's events, and the means to create them. */
export interface EventOrigin {
  readonly by: string;
  readonly at: string;
  readonly chance: Chance;
  readonly dialect: Dialect;
}

interface Listener {
  readonly integration: string;
  readonly watches: readonly Watch[];
  /** The triggers that matched so far. */
  readonly fired: Set<Trigger>;
  event: string | undefined;
}

/**
 * Creates the events of an import run: one for each enabled integration with a matching trigger, with all items of the
 * run that match (wire-facts 6.1, "delivery"). Call it in the transaction that stores the drafts, before they are
 * stored; without such integrations, it reads nothing.
 */
export function recordEvents(data: Database, origin: EventOrigin): void {
  const subscriptions = itemSubscriptions(data);
  if (subscriptions.length === 0) return;
  const names = loadNames(data);
  const fields = byApiName(itemFields(names));
  const listeners = [...new Set(subscriptions.map(({ integration }) => integration))].map((integration): Listener => {
    const own = subscriptions.filter((subscription) => subscription.integration === integration);
    const watches = own.map(({ trigger }) => watchFor(trigger, names, fields, origin.dialect));
    return { integration, watches, fired: new Set(), event: undefined };
  });
  recordItems(data, names, listeners, origin);
  recordBoms(data, listeners, origin);
  for (const { event, fired } of listeners) {
    if (event !== undefined) setEventTriggers(data, event, [...fired].map(compact));
  }
}

function compact({ guid, name, description, resource, action }: Trigger): CompactTrigger {
  return { guid, name, description, resource, action };
}

function recordItems(data: Database, names: Names, listeners: readonly Listener[], origin: EventOrigin): void {
  for (const { before, after } of itemChanges(data)) {
    if (before) recordEdit(data, names, listeners, origin, before, after);
    else recordCreation(data, listeners, origin, after);
  }
}

function recordCreation(data: Database, listeners: readonly Listener[], origin: EventOrigin, item: PlacedItem): void {
  const occurrence: Occurrence = { kind: 'CREATE', state: item, changed: new Set() };
  for (const listener of listeners) {
    if (actionsFor(listener, occurrence).size === 0) continue;
    record(data, listener, origin, item.guid, [], [{ guid: item.guid }]);
  }
}

/** Records an edit; if only workflow triggers match, the event shows only the workflow attribute. */
function recordEdit(
  data: Database,
  names: Names,
  listeners: readonly Listener[],
  origin: EventOrigin,
  before: PlacedItem,
  after: PlacedItem,
): void {
  const changed = changedAttributes(before, after);
  if (changed.size === 0) return;
  for (const listener of listeners) {
    const actions = actionsFor(listener, { kind: 'EDIT', state: before, changed });
    if (actions.size === 0) continue;
    const shown = actions.has('EDIT') ? changed : new Set([WORKFLOW_ATTRIBUTE]);
    record(data, listener, origin, after.guid, [itemState(before, shown, names)], [itemState(after, shown, names)]);
  }
}

function recordBoms(data: Database, listeners: readonly Listener[], origin: EventOrigin): void {
  const custom = readAttributes(data, 'BOM').filter((attribute) => attribute.custom);
  for (const { item, before, after } of bomChanges(data)) {
    const occurrence: Occurrence = { kind: 'EDIT', state: item, changed: new Set([BOM_ATTRIBUTE]) };
    for (const listener of listeners) {
      if (actionsFor(listener, occurrence).size === 0) continue;
      record(data, listener, origin, item.guid, [bomState(before, custom)], [bomState(after, custom)]);
    }
  }
}

/** Returns the actions of the listener's matching triggers. */
function actionsFor({ watches, fired }: Listener, occurrence: Occurrence): Set<Trigger['action']> {
  const fitting = watches.filter((watch) => watch.fits(occurrence)).map((watch) => watch.trigger);
  for (const trigger of fitting) fired.add(trigger);
  return new Set(fitting.map((trigger) => trigger.action));
}

function record(
  data: Database,
  listener: Listener,
  { by, at, chance }: EventOrigin,
  item: string,
  preEvents: readonly EventState[],
  postEvents: readonly EventState[],
): void {
  if (listener.event === undefined) {
    listener.event = chance.guid();
    insertEvent(data, listener.event, listener.integration, by, at);
  }
  insertEventItem(data, listener.event, { guid: chance.guid(), item, preEvents, postEvents });
}
