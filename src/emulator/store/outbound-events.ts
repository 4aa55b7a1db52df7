import type { Database } from './database.js';
import { flag, type List, text, textOrNull } from './select.js';
import { type Person, personColumns, readPerson } from './users.js';

/** A trigger as events and integrations show it (wire-facts 6.1). */
export interface CompactTrigger {
  readonly guid: string;
  readonly name: string;
  readonly description: string;
  readonly resource: string;
  readonly action: string;
}

/** An event of an integration (wire-facts 6.1); it is reconciled when all of its items are. */
export interface OutboundEvent {
  readonly guid: string;
  readonly resourcesReconciled: boolean;
  readonly creationDateTime: string;
  readonly creator: Person;
  /** The triggers that caused the event, as they were then. */
  readonly triggers: readonly CompactTrigger[];
}

const DONE = 'NOT EXISTS (SELECT 1 FROM event_items i WHERE i.event = e.guid AND i.reconciled = 0)';

/** Events in the order in which they must be processed (wire-facts 6.1, "delivery"). */
export const eventList: List<OutboundEvent> = {
  select: `SELECT e.*, ${DONE} AS done, ${personColumns('c')}
    FROM outbound_events e JOIN users c ON c.guid = e.creator`,
  columns: {
    ...{ resourcesReconciled: DONE, itemsReconciled: DONE },
    ...{ creationDateTimeFrom: 'e.created', creationDateTimeTo: 'e.created' },
  },
  order: 'e.created, e.seq',
  read: (row) => ({
    guid: text(row, 'guid'),
    resourcesReconciled: flag(row, 'done'),
    creationDateTime: text(row, 'created'),
    creator: readPerson(row, 'c'),
    triggers: JSON.parse(text(row, 'triggers')) as CompactTrigger[],
  }),
};

/** The attributes of an item at one time, as events show them. */
export type EventState = Readonly<Record<string, unknown>>;

/** An item of an event, with its states before and after (wire-facts 6.1). */
export interface EventItem {
  readonly guid: string;
  readonly item: string;
  readonly preEvents: readonly EventState[];
  readonly postEvents: readonly EventState[];
  readonly reconciled: boolean;
  readonly reconciledDatetime: string | null;
  readonly reconciledUser: Person | null;
}

/** Items of events in the order in which they were recorded. */
export const eventItemList: List<EventItem> = {
  select: `SELECT i.*, ${personColumns('b')} FROM event_items i LEFT JOIN users b ON b.guid = i.reconciled_by`,
  columns: {
    ...{ reconciled: 'i.reconciled' },
    ...{ reconciledDateTimeFrom: 'i.reconciled_at', reconciledDateTimeTo: 'i.reconciled_at' },
  },
  order: 'i.seq',
  read: (row) => ({
    guid: text(row, 'guid'),
    item: text(row, 'item'),
    preEvents: JSON.parse(text(row, 'before')) as EventState[],
    postEvents: JSON.parse(text(row, 'after')) as EventState[],
    reconciled: flag(row, 'reconciled'),
    reconciledDatetime: textOrNull(row, 'reconciled_at'),
    reconciledUser: row.b_guid === null ? null : readPerson(row, 'b'),
  }),
};

/** Stores an event without triggers, which are known only after the last of its items: {@link setEventTriggers}. */
export function insertEvent(database: Database, guid: string, integration: string, by: string, at: string): void {
  const sql = "INSERT INTO outbound_events (guid, integration, triggers, created, creator) VALUES (?, ?, '[]', ?, ?)";
  database.run(sql, guid, integration, at, by);
}

/** Stores copies of the triggers, so that the event outlives them. */
export function setEventTriggers(database: Database, guid: string, triggers: readonly CompactTrigger[]): void {
  database.run('UPDATE outbound_events SET triggers = ? WHERE guid = ?', JSON.stringify(triggers), guid);
}

type NewEventItem = Pick<EventItem, 'guid' | 'item' | 'preEvents' | 'postEvents'>;

/** Adds an item to an event, to be reconciled. */
export function insertEventItem(database: Database, event: string, entry: NewEventItem): void {
  database.run(
    'INSERT INTO event_items (guid, event, item, before, after, reconciled) VALUES (?, ?, ?, ?, ?, 0)',
    entry.guid,
    event,
    entry.item,
    JSON.stringify(entry.preEvents),
    JSON.stringify(entry.postEvents),
  );
}

/** The entries of an event to set: all of them, or one. */
export interface EventItems {
  readonly event: string;
  readonly guid?: string;
}

/** Marks entries as reconciled by a user; entries that already are keep their time and user. */
export function markReconciled(database: Database, { event, guid }: EventItems, by: string, at: string): void {
  database.run(
    `UPDATE event_items SET reconciled = 1, reconciled_at = ?, reconciled_by = ?
     WHERE event = ? AND reconciled = 0 AND guid = coalesce(?, guid)`,
    at,
    by,
    event,
    guid ?? null,
  );
}

/** Removes the mark from entries, with its time and user (wire-facts 6.1: both are absent then). */
export function markUnreconciled(database: Database, { event, guid }: EventItems): void {
  database.run(
    `UPDATE event_items SET reconciled = 0, reconciled_at = NULL, reconciled_by = NULL
     WHERE event = ? AND reconciled = 1 AND guid = coalesce(?, guid)`,
    event,
    guid ?? null,
  );
}
