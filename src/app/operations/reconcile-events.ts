import { DexsyncError } from '#base/errors.js';
import { type ChosenEvents, entryTargets, eventTargets } from '#data/events/event-targets.js';
import { openEvents } from '#data/events/find-events.js';
import { setEvents } from '#data/events/set-events.js';
import { type Confirmation, confirmationIn } from '#delivery/planfile/consent.js';
import type { Config } from '#project/config/load-config.js';
import { withConnection } from '#project/connection/connection.js';
import { connectionPlace } from '#project/connection/place.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';

/** The events to set, their new state, and who is asked. */
export interface ReconcileOptions extends ProjectOptions, ChosenEvents {
  readonly integration: string;
  /** Asked, with the number of events, for `all` and for any in a production workspace. */
  readonly confirm: Confirmation<number>;
}

/** The result for the chosen events. */
export interface Reconciliation {
  readonly integration: string;
  readonly to: ReconcileOptions['to'];
  readonly status: 'done' | 'not confirmed';
  /** Events, or entries of one event, that were set; `unchanged` had that state already. */
  readonly set: readonly string[];
  readonly unchanged: readonly string[];
  /** Number of requests. */
  readonly used: number;
}

/** Sets events, or entries of one, one after another, oldest first. Skips those that have that state already. */
export async function reconcileEvents(options: ReconcileOptions, host: Host): Promise<Reconciliation> {
  checkChoice(options);
  const config = await openConfig(options, host);
  const confirm = confirmationOf(config, options, host);
  return withConnection(config, { ...options, access: 'record' }, host, async (connection) => {
    const { client } = connection;
    const events = await openEvents(options.integration, connection);
    const targets =
      options.items.length === 0 ? await eventTargets(options, events) : await entryTargets(options, events, client);
    const open = targets.filter(({ reconciled }) => reconciled !== (options.to === 'reconciled'));
    const unchanged = targets.filter((target) => !open.includes(target)).map(({ name }) => name);
    const confirmed = open.length === 0 || (await confirm(open.length, connectionPlace(connection)));
    if (confirmed) await setEvents(open, options.integration, { events, host });
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

function checkChoice({ events, items }: ReconcileOptions): void {
  if (items.length > 0 && (events === 'all' || events.length !== 1)) {
    throw new DexsyncError('USAGE', '`--item` selects items of one event.', {
      hint: 'Give that event, as `dexsync events list` shows it.',
    });
  }
  if (events.length > 0) return;
  throw new DexsyncError('USAGE', 'No event was given.', {
    hint: 'Give events as `dexsync events list` shows them, or use `--all`.',
  });
}
