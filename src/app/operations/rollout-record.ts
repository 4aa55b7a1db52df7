import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { FleetEvent, RolloutStatus } from '#core/stream/fleet-event.js';
import { decideRollout } from '#delivery/fleet/decide-rollout.js';
import { foldRollout, type RolloutState, rolloutState } from '#delivery/fleet/rollout-state.js';
import { rolloutStatus } from '#delivery/fleet/rollout-status.js';
import type { NewNote } from '#delivery/fleet/work-on-target.js';
import { holderText } from '#ledger/holder.js';
import type { Lease } from '#ledger/lease.js';
import { addRolloutNote, type RolloutNote, readRolloutNotes, type StoredRollout } from '#ledger/stored-rollout.js';
import type { Config } from '#project/config/load-config.js';
import { fleetEnvironments } from '#project/config/select-environments.js';
import { authorWithoutLogin } from '#project/connection/author.js';
import { type StackRollouts, withRollouts } from '#project/connection/rollouts-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import type { OpenedFleets } from './open-fleets.js';

/** Where rollouts are worked on, and by whom. */
export interface RolloutContext {
  readonly config: Config;
  readonly stack: StackRollouts;
  readonly host: Host;
  readonly reason?: string | undefined;
}

/** Opens the ledger of a fleet, in which its rollouts are. Throws UNKNOWN_NAME if there is no such fleet. */
export async function withRolloutContext<T>(
  fleet: string,
  { reason }: Pick<ProjectOptions, 'reason'>,
  { config, host }: OpenedFleets,
  use: (context: RolloutContext) => Promise<T>,
): Promise<T> {
  const environments = await fleetEnvironments(fleet, config, host.clock());
  return withRollouts(config, environments, host, (stack) => use({ config, stack, host, reason }));
}

/** Reports events of rollouts. */
export const emitFleet =
  ({ emit }: Pick<Host, 'emit'>) =>
  (event: FleetEvent): void =>
    emit({ type: 'fleet', event });

/** A long record is read again less often: reading takes at most one twentieth of the time. */
const SHARE = 20;

/** The record of a rollout, open for reading and writing. */
export interface RolloutRecord {
  /** Its state, in which what others recorded is about `age` milliseconds old at most. */
  read(age?: number): Promise<RolloutState>;
  note(note: NewNote): Promise<void>;
}

/** Opens the record of a rollout. */
export function openRecord(stored: StoredRollout, { stack, host, reason }: RolloutContext): RolloutRecord {
  const { rollout } = stored;
  const author = authorWithoutLogin(host);
  const own = new Map<string, RolloutNote>();
  let fold = foldRollout(rollout, stored.notes);
  let readAt = host.clock().getTime();
  let took = 0;
  return {
    async read(age = 0) {
      const now = host.clock().getTime();
      if (age === 0 || now - readAt >= Math.max(age, took * SHARE)) {
        readAt = now;
        const notes = await readRolloutNotes(stack.rollouts, stored);
        const texts = new Set(notes.map(textOf));
        // What was recorded while others were read may be missing there.
        const left = [...own].flatMap(([text, note]) => (texts.has(text) ? [] : [note]));
        fold = foldRollout(rollout, left.length === 0 ? notes : [...notes, ...left].sort(byTime));
        took = host.clock().getTime() - now;
      }
      return fold.state();
    },
    async note(given) {
      const said = {
        ...given,
        ...(given.message === undefined ? {} : { message: host.secrets.redact(given.message) }),
      };
      const note = omitUndefined({ at: host.clock().toISOString(), author, reason, ...said }) as RolloutNote;
      await addRolloutNote(stack.rollouts, stored, note);
      own.set(textOf(note), note);
      fold.add(note);
    },
  };
}

const textOf = (note: RolloutNote): string => JSON.stringify(note);

const byTime = ({ at: one }: RolloutNote, { at: other }: RolloutNote): number => one.localeCompare(other);

/** The status of a rollout at this moment. */
export function statusNow(
  stored: Pick<StoredRollout, 'name' | 'rollout' | 'notes'>,
  { clock }: Pick<Host, 'clock'>,
): RolloutStatus {
  const state = rolloutState(stored.rollout, stored.notes);
  const now = clock().getTime();
  return rolloutStatus(stored, state, decideRollout(state, stored.rollout.settings, { now, since: 0 }));
}

/** Where the lease of a fleet is taken. */
export interface LeaseContext extends Pick<RolloutContext, 'host'> {
  readonly config: Pick<Config, 'stack'>;
  readonly stack: Pick<StackRollouts, 'leases'>;
}

/**
 * Keeps other processes from working on rollouts of a fleet meanwhile, wherever its ledger is used.
 * Throws LOCKED.
 */
export async function withRolloutLease<T>(
  fleet: string,
  { config: { stack: name }, stack: { leases }, host }: LeaseContext,
  use: (lease: Pick<Lease, 'check'>) => Promise<T>,
): Promise<T> {
  const key = { service: `fleets of ${name}`, login: fleet };
  const taken = await leases.take({ ...key, environment: `fleet ${fleet}`, command: host.command ?? 'dexsync' });
  if (taken.is === 'held')
    throw new DexsyncError('LOCKED', `The fleet ${fleet} is worked on by ${holderText(taken.by, host.clock())}.`, {
      hint: '`dexsync fleet status` shows how far it is. If that process is gone, its lock ends by itself in a few minutes.',
    });
  try {
    return await use(taken.lease);
  } finally {
    await taken.lease.release();
  }
}
