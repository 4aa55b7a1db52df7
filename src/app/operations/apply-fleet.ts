import { DexsyncError } from '#base/errors.js';
import type { Secrets } from '#base/secrets.js';
import { isObject } from '#core/model/json.js';
import { copiesRemovedUnasked, takenOverUnasked } from '#core/model/plan.js';
import type { RolloutStatus } from '#core/stream/fleet-event.js';
import { checkWave } from '#delivery/fleet/check-wave.js';
import { begunRollout, namedRollout, newestRollout } from '#delivery/fleet/find-rollout.js';
import type { FleetPlan } from '#delivery/fleet/group-plans.js';
import { openRolloutFile } from '#delivery/fleet/rollout-file.js';
import { refuseUnreviewedGroups } from '#delivery/fleet/rollout-reviews.js';
import { rolloutState } from '#delivery/fleet/rollout-state.js';
import { rolloutStatus } from '#delivery/fleet/rollout-status.js';
import { runRollout } from '#delivery/fleet/run-rollout.js';
import type { Target } from '#delivery/fleet/run-targets.js';
import { passReviews, storeRollout } from '#delivery/fleet/store-rollout.js';
import { refuseUntrusted } from '#delivery/planfile/plan-errors.js';
import { nameInLedger } from '#delivery/planfile/plan-reference.js';
import type { Approving } from '#delivery/planfile/reviews.js';
import { checkSignature, planKey } from '#delivery/planfile/signature.js';
import { type Rollout, readRollout, rolloutDocument, type StoredRollout } from '#ledger/stored-rollout.js';
import { resolveEnvironment } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import { withRollouts } from '#project/connection/rollouts-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { withSharing } from '#project/once.js';
import { openConfig } from '#project/project.js';
import type { ApplyOptions } from './apply.js';
import { applyTarget } from './apply-target.js';
import { fleetEnvironments, fleetNamed } from './plan-fleet.js';
import { openRecord, type RolloutContext, type RolloutRecord, statusNow, withRolloutLease } from './rollout-record.js';
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

/** A host whose parts find things out once, and the configuration. */
export interface OpenedFleets {
  readonly host: Host;
  readonly config: Config;
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
    refuseUnreviewedGroups(now, options);
    if (known !== undefined && rolloutState(rollout, known.notes).isOpen) return carryOn(known, options, open);
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

/** Opens the configuration for an operation whose parts share what they open. */
export const withFleets = <T>(
  options: CarryOnOptions,
  outer: Host,
  use: (opened: OpenedFleets) => Promise<T>,
): Promise<T> => withSharing(outer, async (host) => use({ host, config: await openConfig(options, host) }));

function withFleet<T>(
  fleet: string,
  { reason }: CarryOnOptions,
  { host, config }: OpenedFleets,
  use: (open: OpenFleet) => Promise<T>,
): Promise<T> {
  return fleetEnvironments(fleet, config, host).then((environments) =>
    withRollouts(config, environments, host, (stack) => {
      const context = { config, stack, host, reason };
      return withRolloutLease(fleet, context, (lease) => use({ ...context, fleet, mayGoOn: () => lease.check() }));
    }),
  );
}

/** A rollout that somebody gave: with its plans if it comes from a file. */
interface GivenRollout extends Pick<StoredRollout, 'name' | 'rollout'> {
  readonly plans?: () => AsyncIterable<string>;
}

async function findGiven(reference: string, opened: OpenedFleets): Promise<GivenRollout> {
  const { host, config } = opened;
  const name = nameInLedger(reference);
  if (name !== undefined) return checkSigned(await findInLedger(name, opened), reference, host);
  const { rollout, plans } = checkSigned(await openRolloutFile(reference, host), reference, host);
  fleetNamed(rollout.fleet, config);
  if (rollout.stack !== config.stack) throw otherStack(reference, rollout, config);
  return { name: rollout.id.slice(0, 8), rollout, plans };
}

const otherStack = (file: string, { stack }: Rollout, config: Config): DexsyncError =>
  new DexsyncError('PLAN_OTHER_WORKSPACE', `${file} is a rollout of stack "${stack}", and this is "${config.stack}".`);

/** Finds a rollout by its name alone, in the ledger of any fleet. */
export async function findInLedger(name: string, { host, config }: OpenedFleets): Promise<StoredRollout> {
  let missing: unknown = new DexsyncError('UNKNOWN_NAME', `The ledger has no rollout "${name}".`, {
    hint: 'The configuration has no fleets. Add one under `fleets` in sync.config.yaml.',
  });
  for (const fleet of Object.keys(config.fleets ?? {})) {
    try {
      const environments = await fleetEnvironments(fleet, config, host);
      return await withRollouts(config, environments, host, ({ rollouts }) => namedRollout(name, rollouts));
    } catch (error) {
      if (!(error instanceof DexsyncError) || error.code !== 'UNKNOWN_NAME') throw error;
      missing = error;
    }
  }
  throw missing;
}

/** Throws PLAN_UNTRUSTED for a rollout that is not signed, where a key is set. */
function checkSigned<T extends { readonly rollout: Rollout }>(found: T, reference: string, host: Host): T {
  const { digest, hmac } = found.rollout;
  refuseUntrusted(checkSignature(digest, hmac, planKey(host.variables)), reference);
  return found;
}

/** Throws USAGE while another rollout of the fleet has not ended, and PLAN_STALE if a later one was begun. */
function refuseSecond(
  { name: own, rollout: { at } }: Pick<StoredRollout, 'name' | 'rollout'>,
  before: StoredRollout | undefined,
  host: Host,
): void {
  if (before === undefined) return;
  const { fleet, name, next } = statusNow(before, host);
  if (before.rollout.at > at)
    throw new DexsyncError('PLAN_STALE', `The rollout ${own} was planned before ${name}, which was begun since.`, {
      hint: `Plan it again with \`dexsync fleet plan ${fleet}\`.`,
    });
  if (next.is === 'ended' || next.is === 'stopped') return;
  throw new DexsyncError('USAGE', `The rollout ${name} of the fleet ${fleet} has not ended.`, {
    hint: `\`dexsync fleet resume ${fleet}\` resumes it, \`dexsync fleet stop ${fleet}\` ends it.`,
  });
}

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
  if (signal.aborted) throw interrupted(rollout.fleet);
  const status = rolloutStatus(stored, await record.read(), decision);
  host.emit({ type: 'fleet', event: { is: 'status', ...status } });
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

/** Throws CONFIRMATION_NEEDED for plans that adopt objects or remove copies without consent: nobody is asked for each. */
function refuseAdoptions({ shown }: Rollout): void {
  const steps = (shown as unknown as FleetPlan).groups.flatMap(({ plan }) => plan.steps);
  const [[adopted], [copied]] = [takenOverUnasked(steps), copiesRemovedUnasked(steps)];
  const [what, option] =
    adopted !== undefined ? [`adopts ${adopted}`, '--adopt'] : [`removes a copy of ${copied}`, '--remove-copies'];
  if ((adopted ?? copied) === undefined) return;
  throw new DexsyncError('CONFIRMATION_NEEDED', `The rollout ${what}, and nobody has confirmed that.`, {
    hint: `Plan it again with \`${option}\`.`,
  });
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
