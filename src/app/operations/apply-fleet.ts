import { DexsyncError } from '#base/errors.js';
import type { Secrets } from '#base/secrets.js';
import { isObject } from '#core/model/json.js';
import type { RolloutStatus } from '#core/stream/fleet-event.js';
import { checkWave } from '#delivery/fleet/check-wave.js';
import { begunRollout, namedRollout, newestRollout } from '#delivery/fleet/find-rollout.js';
import { refuseUnreviewedGroups } from '#delivery/fleet/rollout-reviews.js';
import { rolloutState } from '#delivery/fleet/rollout-state.js';
import { rolloutStatus } from '#delivery/fleet/rollout-status.js';
import { runRollout } from '#delivery/fleet/run-rollout.js';
import type { Target } from '#delivery/fleet/run-targets.js';
import { passReviews, storeRollout } from '#delivery/fleet/store-rollout.js';
import type { Approving } from '#delivery/planfile/reviews.js';
import { type Rollout, readRollout, rolloutDocument, type StoredRollout } from '#ledger/stored-rollout.js';
import { resolveEnvironment } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import { fleetNamed } from '#project/config/select-environments.js';
import type { Host, ProjectOptions } from '#project/host.js';
import type { ApplyOptions } from './apply.js';
import { applyTarget } from './apply-target.js';
import { findGiven, refuseAdoptions, refuseSecond, refuseUnadmitted } from './given-rollout.js';
import { type OpenedFleets, withFleets } from './open-fleets.js';
import {
  openRecord,
  type RolloutContext,
  type RolloutRecord,
  statusNow,
  withRolloutContext,
  withRolloutLease,
} from './rollout-record.js';
import { targetsIn } from './select-environments.js';

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

/** The rollouts of a fleet while a process works on them. */
interface OpenFleet extends RolloutContext {
  readonly fleet: string;
  /** Throws if another process works on it. */
  readonly mayGoOn: () => Promise<void>;
}

/**
 * Begins a rollout and works on it as far as it may; one that was begun before is resumed. Returns undefined if nobody
 * confirmed. Throws LOCKED if another process works on a rollout of the fleet.
 */
export const applyFleet = (options: ApplyFleetOptions, outer: Host): Promise<RolloutStatus | undefined> =>
  withFleets(options, outer, (opened) => beginRollout(options, opened));

async function beginRollout(options: ApplyFleetOptions, opened: OpenedFleets): Promise<RolloutStatus | undefined> {
  const { host } = opened;
  const found = await findGiven(options.rollout, opened);
  const { rollout, name } = found;
  return withFleet(rollout.fleet, options, opened, async (open) => {
    const { rollouts } = open.stack;
    const known = await readRollout(rollouts, { document: rolloutDocument(rollout, name), name });
    const now = known ?? { name, rollout, notes: [] };
    if (known !== undefined && rolloutState(rollout, known.notes).isOpen) {
      refuseUnreviewedGroups(known, options);
      return carryOn(known, options, open);
    }
    await refuseUnadmitted(found, now, options, opened);
    refuseSecond(now, await begunRollout(rollout.fleet, rollouts), host);
    refuseAdoptions(rollout);
    if (!(await options.confirm(statusNow(now, host)))) return undefined;
    if (found.plans !== undefined) await storeRollout(rollout, name, found.plans, open.stack);
    const stored = await namedRollout(name, rollouts);
    await passReviews(stored, open.stack);
    await openRecord(stored, open).note({ is: 'opened' });
    return carryOn(stored, options, open);
  });
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
    withFleet(fleet, options, opened, async (open) => {
      const stored = await begunRollout(fleet, open.stack.rollouts);
      if (stored === undefined) throw notBegun(await newestRollout(fleet, open.stack.rollouts));
      const record = openRecord(stored, open);
      if (rolloutState(stored.rollout, stored.notes).paused !== undefined) await record.note({ is: 'resumed' });
      await prepare(record, stored);
      return carryOn(stored, options, open);
    }),
  );

export const notBegun = ({ name, rollout: { fleet } }: StoredRollout): DexsyncError =>
  new DexsyncError('USAGE', `The rollout ${name} of the fleet ${fleet} was not begun.`, {
    hint: `\`dexsync fleet apply ledger:${name}\` begins it.`,
  });

const withFleet = <T>(
  fleet: string,
  options: CarryOnOptions,
  opened: OpenedFleets,
  use: (open: OpenFleet) => Promise<T>,
): Promise<T> =>
  withRolloutContext(fleet, options, opened, (context) =>
    withRolloutLease(fleet, context, (lease) => use({ ...context, fleet, mayGoOn: () => lease.check() })),
  );

async function carryOn(stored: StoredRollout, options: CarryOnOptions, open: OpenFleet): Promise<RolloutStatus> {
  const { config, host, mayGoOn } = open;
  const { rollout, name } = stored;
  const { settings } = rollout;
  const record = openRecord(stored, open);
  const { environments: names, where } = fleetNamed(rollout.fleet, config);
  const sessions = await targetsIn(config, { names, where }, host);
  reportAdded(rollout, sessions, host);
  const target = { ...options, rollout };
  const { clock, signal } = host;
  const decision = await runRollout(
    { settings, sessions, wait: options.wait === true },
    {
      ...{ read: record.read, note: record.note, mayGoOn, clock, signal },
      apply: (one) => applyTarget(one, target, config, host),
      async check(wave, state) {
        const about = { name, rollout, folder: config.folder, variables: host.variables, signal, clock };
        return passwordsOf(sessions, config, host).redactValue(await checkWave(wave, state, about));
      },
      emit: (event) => host.emit({ type: 'fleet', event }),
    },
  );
  // A person who interrupts does not wait for the ledger.
  const state = await record.read(signal.aborted ? Number.POSITIVE_INFINITY : 0);
  const status = rolloutStatus(stored, state, decision);
  host.emit({ type: 'fleet', event: { is: 'status', ...status } });
  if (signal.aborted) throw interrupted(rollout.fleet);
  return status;
}

/** The passwords that a check finds in its variables, and may write. */
function passwordsOf(targets: readonly Target[], config: Config, host: Host): Secrets {
  const passwords = targets.flatMap(({ name }) => {
    const environment = resolveEnvironment(config, name, host.variables);
    return environment.workspace === 'remote' && 'value' in environment.password ? [environment.password.value] : [];
  });
  const secrets = host.secrets.branch();
  secrets.add(...passwords);
  return secrets;
}

/** Names environments that joined the fleet since: nothing was planned for them. */
function reportAdded({ targets, shown, fleet }: Rollout, now: readonly Target[], host: Host): void {
  const planned = new Set([...targets.map(({ environment }) => environment), ...environmentsIn(shown)]);
  const added = now.flatMap(({ name }) => (planned.has(name) ? [] : [name]));
  if (added.length === 0) return;
  const message = `The fleet ${fleet} has environments that this rollout was not planned for: ${added.join(', ')}.`;
  const hint = 'Nothing is done there. Plan them with the next rollout.';
  host.emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'fleet-added', message, hint } });
}

/** The environments that a plan of a fleet showed without changes or as problems. */
function environmentsIn({ unchanged = [], problems = [] }: Rollout['shown']): string[] {
  const named = [unchanged, problems].flatMap((list) => (Array.isArray(list) ? list : []));
  return named.map((one) => (isObject(one) ? String(one.environment) : String(one)));
}

const interrupted = (fleet: string): DexsyncError =>
  new DexsyncError('INTERRUPTED', `Interrupted while working on the fleet ${fleet}.`, {
    hint: `\`dexsync fleet resume ${fleet}\` continues, and repeats nothing that was done.`,
  });
