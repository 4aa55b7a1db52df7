import { createHash } from 'node:crypto';
import { durationIn } from '#base/duration.js';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { namedRollout } from '#delivery/fleet/find-rollout.js';
import { rolloutState } from '#delivery/fleet/rollout-state.js';
import type { TargetEnd } from '#delivery/fleet/target-result.js';
import { recordEnd } from '#delivery/fleet/work-on-target.js';
import type { QueuedJob, QueueSchedule, TargetJob } from '#delivery/fleet/work-queue.js';
import { SILENT } from '#delivery/notify/look-of-round.js';
import { withNotifier } from '#delivery/notify/notifier.js';
import { environmentPlace, type Look, seenInEnvironment } from '#delivery/notify/seen.js';
import type { Config } from '#project/config/load-config.js';
import { fleetNamed } from '#project/config/select-environments.js';
import { withoutEvents } from '#project/host.js';
import { withOwnSecrets } from '#project/own-secrets.js';
import type { CarryOnOptions } from './apply-fleet.js';
import { drift } from './drift.js';
import { withFreshFleets } from './open-fleets.js';
import { emitFleet, openRecord, type RolloutContext } from './rollout-record.js';
import { targetsIn } from './select-environments.js';
import { workHere } from './work-on-rollout.js';

/** How a worker works. */
export interface WorkerOptions extends Omit<CarryOnOptions, 'wait'> {
  /** How many environments it works on at once; 8 by default. */
  readonly concurrency?: number;
}

/** A worker while it runs. */
export interface RunningWorker extends Pick<RolloutContext, 'stack' | 'host'> {
  readonly options: WorkerOptions;
}

/** Does a job, unless the worker is to end: the record of a rollout says what is left for others. */
export async function doJob(job: TargetJob, worker: RunningWorker): Promise<void> {
  if (worker.host.signal.aborted) return;
  await (job.is === 'drift' ? lookForDrift(job, worker) : workOnJob(job, worker));
}

/** When workers look for drift. */
export const schedulesOf = ({ fleets = {} }: Config): QueueSchedule[] =>
  Object.entries(fleets).flatMap(([fleet, { drift: settings }]) =>
    settings === undefined ? [] : [{ fleet, schedule: settings.schedule, timeZone: settings.timeZone }],
  );

/** A job for each environment of a fleet, each at its own time, so that they do not all log in at once. */
export const driftJobs = (fleet: string, { options, host }: RunningWorker): Promise<readonly QueuedJob[]> =>
  withFreshFleets(options, host, async (opened) => {
    const { environments: names, where, drift: settings } = fleetNamed(fleet, opened.config);
    if (settings === undefined) return [];
    const seconds = (durationIn(settings.within ?? '1h') ?? 0) / 1000;
    const targets = await targetsIn(opened.config, { names, where }, opened.host);
    return targets.map(({ name: environment, session }) => ({
      ...{ job: { is: 'drift', environment } as const, session },
      delay: createHash('sha256').update(environment).digest().readUInt32BE() % Math.max(1, seconds),
    }));
  });

type JobOf<Is extends TargetJob['is']> = Extract<TargetJob, { is: Is }>;

/** Other workers may have a newer table. */
export const MISSING: TargetEnd = {
  is: 'deferred',
  code: 'UNKNOWN_NAME',
  message: 'The configuration of the worker does not have this environment.',
  hint: 'Update the configuration of all workers. `dexsync fleet stop` ends a rollout that still has environments which were removed.',
};

/** Works on an environment, if the record still says that it is due. */
const workOnJob = ({ rollout, environment }: JobOf<'rollout'>, { options, stack, host: outer }: RunningWorker) =>
  withFreshFleets(options, outer, async ({ config, host }) => {
    const context = { config, stack, host, reason: options.reason };
    const stored = await namedRollout(rollout, stack.rollouts);
    const { note, ...kept } = openRecord(stored, context);
    const emit = emitFleet(host);
    const { targets } = rolloutState(stored.rollout, stored.notes);
    const target = targets.find((one) => one.environment === environment);
    if (target === undefined || !['waiting', 'deferred', 'begun'].includes(target.is)) return;
    const end = (ended: TargetEnd): Promise<void> => recordEnd(environment, ended, { note, emit });
    if (!Object.hasOwn(config.environments, environment)) return end(MISSING);
    // Other workers record what decides whether this environment may be begun.
    const record = { note, read: () => kept.read() };
    const work = workHere({ ...context, stored, record, mayGoOn: async () => undefined }, options);
    await work(target).catch((error: unknown) => {
      if (error instanceof DexsyncError) throw error;
      return end({ is: 'unknown', message: `The apply ended with an error: ${reasonOf(error)}` });
    });
  });

/** Looks for drift in an environment; the ledger keeps what was found, and `dexsync status` shows it. */
async function lookForDrift({ environment }: JobOf<'drift'>, { options, host }: RunningWorker): Promise<void> {
  await withFreshFleets(options, host, async ({ config, host: shared }) => {
    const note = (look: Look): Promise<void> =>
      withNotifier(config, shared, ({ see }) =>
        see(environmentPlace(environment), seenInEnvironment(environment, look)),
      );
    const { objects } = await withOwnSecrets(shared, (own) =>
      drift({ ...options, environment }, withoutEvents(own, 'read')),
    ).catch(async (error: unknown) => {
      if (error instanceof DexsyncError && !SILENT.has(error.code)) await note({ failed: { code: error.code } });
      throw error;
    });
    await note({ drifted: objects.map(({ address }) => address), failed: [] });
    emitFleet(host)({ is: 'drift', environment, objects: objects.length });
  });
}
