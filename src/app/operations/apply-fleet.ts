import { DexsyncError } from '#base/errors.js';
import type { RolloutStatus } from '#core/stream/fleet-event.js';
import type { RolloutDecision } from '#delivery/fleet/decide-rollout.js';
import { begunRollout, namedRollout, newestRollout } from '#delivery/fleet/find-rollout.js';
import { followRollout } from '#delivery/fleet/follow-rollout.js';
import { refuseUnreviewedGroups, rolloutPolicies } from '#delivery/fleet/rollout-reviews.js';
import { rolloutState } from '#delivery/fleet/rollout-state.js';
import { passReviews, storeRollout } from '#delivery/fleet/store-rollout.js';
import { isForWorkers, runningWorkers } from '#delivery/fleet/workers.js';
import type { Approving } from '#delivery/planfile/reviews.js';
import type { Lease } from '#ledger/lease.js';
import { readRollout, rolloutDocument, type StoredRollout } from '#ledger/stored-rollout.js';
import type { Host, ProjectOptions } from '#project/host.js';
import type { ApplyOptions } from './apply.js';
import { findGiven, type GivenRollout, refuseAdoptions, refuseSecond, refuseUnadmitted } from './given-rollout.js';
import { type OpenedFleets, withFleets } from './open-fleets.js';
import {
  emitFleet,
  openRecord,
  type RolloutContext,
  type RolloutRecord,
  statusNow,
  withRolloutContext,
  withRolloutLease,
} from './rollout-record.js';
import { type OpenRollout, reportStatus, workHere, workOnRollout } from './work-on-rollout.js';

/** How to work on a rollout. */
export interface CarryOnOptions
  extends Pick<ProjectOptions, 'config' | 'dataFolder' | 'reason'>,
    Pick<ApplyOptions, 'manual' | 'parallelism'> {
  /** Whether to stay until it ends or a person is needed, instead of ending with the time of the next step. */
  readonly wait?: boolean;
}

/** A rollout to begin, and whom to ask. */
export interface ApplyFleetOptions extends CarryOnOptions, Approving {
  /** A file, or `ledger:NAME`. */
  readonly rollout: string;
  /** Asked once, before anything is begun. Any answer but true ends the operation. */
  readonly confirm: (status: RolloutStatus) => Promise<boolean>;
}

/**
 * Begins a rollout and works on it as far as it may; one that was begun before is resumed. Returns undefined if nobody
 * confirmed. Throws LOCKED if another process works on a rollout of the fleet.
 */
export const applyFleet = (options: ApplyFleetOptions, outer: Host): Promise<RolloutStatus | undefined> =>
  withFleets(options, outer, (opened) => beginRollout(options, opened));

async function beginRollout(options: ApplyFleetOptions, opened: OpenedFleets): Promise<RolloutStatus | undefined> {
  const given = await findGiven(options.rollout, opened);
  const { fleet } = given.rollout;
  return withRolloutContext(fleet, options, opened, async (context) => {
    const beginHere = (): Promise<StoredRollout | undefined> => begin(given, options, opened, context);
    if (!isForWorkers(given))
      return withRolloutLease(fleet, context, async (lease) => {
        const stored = await beginHere();
        return stored && carryOn(stored, options, context, lease);
      });
    const known = await readGiven(given, context);
    const isOpen = rolloutState(known.rollout, known.notes).isOpen;
    const stored = isOpen ? known : await withRolloutLease(fleet, context, beginHere);
    return stored && follow(stored, options, context);
  });
}

/** Confirms, stores and opens a rollout, unless it was begun before. Returns undefined if nobody confirmed. */
async function begin(
  given: GivenRollout,
  options: ApplyFleetOptions,
  opened: OpenedFleets,
  context: RolloutContext,
): Promise<StoredRollout | undefined> {
  const { stack, host } = context;
  const { rollout, name } = given;
  const now = await readGiven(given, context);
  if (rolloutState(rollout, now.notes).isOpen) {
    await refuseUnreviewedGroups(
      now,
      { ...options, policies: await rolloutPolicies(rollout, context.config, host) },
      host,
    );
    return now;
  }
  await refuseUnadmitted(given, now, options, opened);
  refuseSecond(now, await begunRollout(rollout.fleet, stack.rollouts), host);
  refuseAdoptions(rollout);
  if (!(await options.confirm(statusNow(now, host)))) return undefined;
  if (given.plans !== undefined) await storeRollout(rollout, name, given.plans, stack);
  const stored = await namedRollout(name, stack.rollouts);
  await passReviews(stored, stack);
  await openRecord(stored, context).note({ is: 'opened' });
  return stored;
}

/** A rollout with what happened to it so far. */
async function readGiven({ rollout, name }: GivenRollout, { stack }: RolloutContext): Promise<StoredRollout> {
  const document = rolloutDocument(rollout, name);
  return (await readRollout(stack.rollouts, { document, name })) ?? { document, name, rollout, notes: [] };
}

/** Resumes the rollout of a fleet that was begun last, also after a pause. Throws as `applyFleet` does. */
export const resumeFleet = (options: CarryOnOptions & { readonly fleet: string }, host: Host): Promise<RolloutStatus> =>
  resumeWith(options, host, async () => undefined);

/** Resumes a rollout. `prepare` records what is to be tried again, once no other process works on it. */
export const resumeWith = (
  { fleet, ...options }: CarryOnOptions & { readonly fleet: string },
  outer: Host,
  prepare: (record: RolloutRecord, stored: StoredRollout) => Promise<void>,
): Promise<RolloutStatus> =>
  withFleets(options, outer, (opened) =>
    withRolloutContext(fleet, options, opened, async (context) => {
      const resume = async (): Promise<StoredRollout> => {
        const stored = await lastBegun(fleet, context);
        const record = openRecord(stored, context);
        if (rolloutState(stored.rollout, stored.notes).paused !== undefined) await record.note({ is: 'resumed' });
        await prepare(record, stored);
        return stored;
      };
      // Workers go on working meanwhile.
      if (isForWorkers(await lastBegun(fleet, context))) return follow(await resume(), options, context);
      return withRolloutLease(fleet, context, async (lease) => carryOn(await resume(), options, context, lease));
    }),
  );

async function lastBegun(fleet: string, { stack: { rollouts } }: RolloutContext): Promise<StoredRollout> {
  const stored = await begunRollout(fleet, rollouts);
  if (stored === undefined) throw notBegun(await newestRollout(fleet, rollouts));
  return stored;
}

export const notBegun = ({ name, rollout: { fleet } }: StoredRollout): DexsyncError =>
  new DexsyncError('USAGE', `The rollout ${name} of the fleet ${fleet} was not begun.`, {
    hint: `\`dexsync fleet apply ledger:${name}\` begins it.`,
  });

async function carryOn(
  stored: StoredRollout,
  options: CarryOnOptions,
  context: RolloutContext,
  lease: Pick<Lease, 'check'>,
): Promise<RolloutStatus> {
  const record = openRecord(stored, context);
  const open: OpenRollout = { ...context, stored, record, mayGoOn: () => lease.check() };
  return endWith(open, await workOnRollout(open, { wait: options.wait === true }, workHere(open, options)));
}

/**
 * Leaves a rollout to workers, which try deferred environments again at once, and reports what they record of it if
 * somebody waits for that.
 */
async function follow(
  stored: StoredRollout,
  { wait = false }: CarryOnOptions,
  context: RolloutContext,
): Promise<RolloutStatus> {
  const { clock, signal } = context.host;
  const record = openRecord(stored, context);
  for (const { environment, is } of rolloutState(stored.rollout, stored.notes).targets)
    if (is === 'deferred') await record.note({ is: 'retried', environment });
  await warnWithoutWorkers(context);
  const ports = { read: record.read, clock, signal, emit: emitFleet(context.host) };
  return endWith({ ...context, stored, record }, await followRollout(stored.rollout.settings, wait, ports));
}

async function warnWithoutWorkers({ config: { stack }, stack: { leases }, host }: RolloutContext): Promise<void> {
  if ((await runningWorkers(stack, leases)).size > 0) return;
  const message = `No worker of the stack ${stack} is running, so nothing is done yet.`;
  const hint = '`dexsync fleet worker` starts one, on any machine with this configuration.';
  host.emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'fleet-workers', message, hint } });
}

async function endWith(
  open: Pick<OpenRollout, 'stored' | 'record' | 'config' | 'host'>,
  decision: RolloutDecision,
): Promise<RolloutStatus> {
  const status = await reportStatus(open, decision);
  if (open.host.signal.aborted) throw interrupted(open.stored);
  return status;
}

const interrupted = (stored: StoredRollout): DexsyncError => {
  const { fleet } = stored.rollout;
  return isForWorkers(stored)
    ? new DexsyncError('INTERRUPTED', `Interrupted while workers work on the fleet ${fleet}. They continue.`, {
        hint: `\`dexsync fleet status ${fleet}\` shows how far they are, \`dexsync fleet pause ${fleet}\` pauses them.`,
      })
    : new DexsyncError('INTERRUPTED', `Interrupted while working on the fleet ${fleet}.`, {
        hint: `\`dexsync fleet resume ${fleet}\` continues, and repeats nothing that was done.`,
      });
};
