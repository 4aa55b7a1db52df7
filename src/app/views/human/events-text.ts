import type { EventEntry } from '#data/events/event-entry.js';
import type { EventListing } from '../../operations/list-events.js';
import type { Reconciliation } from '../../operations/reconcile-events.js';
import type { EventDetails } from '../../operations/show-event.js';
import { fieldText } from './field-text.js';
import type { Palette } from './palette.js';
import { requestsLine } from './requests-line.js';
import { tableText } from './table.js';
import { columnTime, timeText } from './time-text.js';

/** Characters of a GUID that distinguish events, with some reserve for those that are not shown. */
const SHORT_GUID = 8;

const WHICH = { true: 'reconciled ', false: 'unreconciled ', any: '' } as const;

/** The events of an integration as a table. GUIDs are cut to the part in which they differ. */
export function eventsText(
  { integration, reconciled, events, used }: EventListing,
  palette: Palette,
  width: number | undefined,
): string {
  const which = WHICH[reconciled];
  const count = events.length === 0 ? 'No' : String(events.length);
  const head = `${count} ${which}${events.length === 1 ? 'event' : 'events'} of ${integration}.`;
  const length = distinctLength(events.map(({ guid }) => guid));
  const rows = events.map(({ guid, createdAt, status, triggers, creator }) => [
    guid.slice(0, length),
    columnTime(createdAt),
    status,
    triggers.map(({ name }) => name).join(', '),
    creator,
  ]);
  const table =
    rows.length === 0 ? '' : `\n${tableText(['EVENT', 'WHEN (UTC)', 'STATUS', 'TRIGGERS', 'BY'], rows, width)}`;
  return `${palette.bold(head)}\n${table}${requestsLine(used, palette)}`;
}

function distinctLength(guids: readonly string[]): number {
  let length = SHORT_GUID;
  while (length < 20 && new Set(guids.map((guid) => guid.slice(0, length))).size < guids.length) length += 1;
  return length;
}

const NOUNS = { items: 'Item', changes: 'Change', requests: 'Request', qualityprocesses: 'Quality process' } as const;

/** Describes one event: who caused it and when, and each record in it with its fields before and after. */
export function eventText({ integration, event, entries, used }: EventDetails, palette: Palette): string {
  const { guid, createdAt, creator, status, triggers } = event;
  const lines = [
    palette.bold(`Event ${guid.slice(0, SHORT_GUID)} of ${integration}: ${status}`),
    `  When      ${timeText(createdAt)}${creator === '' ? '' : ` by ${creator}`}`,
    ...triggers.map(
      ({ name, action, resource }, index) =>
        `  ${index === 0 ? 'Triggers' : '        '}  ${name} (${action} ${resource})`,
    ),
    ...(entries.length === 0
      ? ['', '  It has no entries.']
      : ['', ...entries.flatMap((entry) => entryLines(entry, palette))]),
  ];
  return `${lines.join('\n')}\n${requestsLine(used, palette)}`;
}

function entryLines(entry: EventEntry, palette: Palette): string[] {
  const { list, number, name, of, reconciled, reconciledAt, reconciledBy, made, changes } = entry;
  const called = [number ?? `${(of === '' ? entry.guid : of).slice(0, SHORT_GUID)}...`, name]
    .filter(Boolean)
    .join('  ');
  const when = [reconciledAt === undefined ? undefined : timeText(reconciledAt), reconciledBy]
    .filter(Boolean)
    .join(' by ');
  const state = reconciled ? palette.dim(`reconciled${when === '' ? '' : ` ${when}`}`) : palette.yellow('pending');
  const fields = changes.map((change) => fieldText(change, 'both', palette).replaceAll(/^/gm, '      '));
  return [`  ${NOUNS[list]} ${palette.bold(called)}${made === 'new' ? '  new' : ''}  ${state}`, ...fields];
}

/** Lists the events that were set, counts the others, and says how many requests that took. */
export function reconciliationText(
  { integration, to, status, set, unchanged, used }: Reconciliation,
  palette: Palette,
): string {
  const head =
    status === 'not confirmed'
      ? 'Nothing was sent.'
      : set.length === 0
        ? `Nothing to do: ${unchanged.length === 0 ? `${integration} has no such events` : `all of them are already ${to}`}.`
        : `${palette.green('✓')} ${set.length} set to ${to} in ${integration}: ${set.map(shortName).join(', ')}.`;
  const same = set.length > 0 && unchanged.length > 0 ? `  ${unchanged.length} already ${to}.\n` : '';
  return `${head}\n${same}${requestsLine(used, palette)}`;
}

const shortName = (name: string): string => (/^[A-Z0-9]{20}$/.test(name) ? name.slice(0, SHORT_GUID) : name);
