import { setTimeout as sleep } from 'node:timers/promises';
import { DexsyncError, EXIT, type ExitCode, reasonOf } from '#base/errors.js';
import { decideRollout } from '#delivery/fleet/decide-rollout.js';
import { begunRollout, namedRollout } from '#delivery/fleet/find-rollout.js';
import { rolloutState } from '#delivery/fleet/rollout-state.js';
import { openWorkQueue, type TargetJob, type WorkQueue } from '#delivery/fleet/work-queue.js';
import { recordEnd } from '#delivery/fleet/work-on-target.js';
import { isForWorkers, runningWorkers, takeWorkerName, type WorkerName } from '#delivery/fleet/workers.js';
import { rolloutKeys, type StoredRollout } from '#ledger/stored-rollout.js';
import type { Host } from '#project/host.js';
import type { CarryOnOptions } from './apply-fleet.js';
import { fleetForWorkers, withFleets } from './open-fleets.js';
import { openRecord, type RolloutContext, withRolloutContext, withRolloutLease } from './rollout-record.js';
import { workHere, workOnRollout } from './work-on-rollout.js';

/** How a worker works. */
export interface WorkerOptions extends Omit<CarryOnOptions, 'wait'> {
  /** How many environments it works on at once; 8 by default. */
  readonly concurrency?: number;
}

const AT_ONCE = 8;

/** Milliseconds between two looks at the rollouts. */
const LOOK_EVERY = 3000;

/**
 * Works on the rollouts of fleets with `workers: true`, together with other workers, until the signal of the host. Reports
 * trouble that passes. Throws if it cannot begin, and LEASE_LOST if it was taken for dead.
 */
export const fleetWorker = (options: WorkerOptions, host: Host): Promise<ExitCode> =>
  withFleets(options, host, async (opened) => {
    const { fleet, url } = await fleetForWorkers(opened);
    return withRolloutContext(fleet, options, opened, async (context) => {
      const { config, stack } = context;
      const worker = await takeWorkerName(config.stack, stack.leases, host.command ?? 'dexsync');
      try {
        const queue = await openWorkQueue(url, {
          ...{ stack: config.stack, name: worker.name, atOnce: options.concurrency ?? AT_ONCE },
          work: (job) => workOnJob(job, options, host),
          signal: host.signal,
          report: (message) => reportTrouble(message, host),
        });
        host.emit({ type: 'fleet', event: { is: 'worker', name: worker.name, stack: config.stack } });
        try {
          await shareWork({ context, worker, queue, options }, host);
        } finally {
          await queue.close();
        }
      } finally {
        await worker.release();
      }
      return EXIT.done;
    });
  });

interface Working {
  readonly context: RolloutContext;
  readonly worker: WorkerName;
  readonly queue: WorkQueue;
  readonly options: WorkerOptions;
}

/** Looks after what ended workers left and after each rollout that nobody coordinates, until the signal. */
async function shareWork({ context, worker, queue, options }: Working, host: Host): Promise<void> {
  const coordinated = new Map<string, Promise<void>>();
  const { leases, rollouts } = context.stack;
  const look = async (): Promise<void> => {
    await worker.check();
    await queue.takeOver(await runningWorkers(context.config.stack, leases));
    for (const fleet of new Set((await rolloutKeys(rollouts)).map((key) => key.fleet))) {
      if (coordinated.has(fleet) || !(await isDue(fleet, context))) continue;
      const work = coordinate(fleet, queue, options, host)
        .catch((error: unknown) => reportTrouble(reasonOf(error), host))
        .finally(() => coordinated.delete(fleet));
      coordinated.set(fleet, work);
    }
  };
  try {
    while (!host.signal.aborted) {
      await look().catch((error: unknown) => {
        if (error instanceof DexsyncError && error.code === 'LEASE_LOST') throw error;
        reportTrouble(reasonOf(error), host);
      });
      await sleep(LOOK_EVERY, undefined, { signal: host.signal }).catch(() => undefined);
    }
  } finally {
    await Promise.all(coordinated.values());
  }
}

/** Whether workers have something to do in the rollout of a fleet that was begun last. */
async function isDue(fleet: string, { stack, host }: RolloutContext): Promise<boolean> {
  const stored = await begunRollout(fleet, stack.rollouts);
  if (stored === undefined || !isForWorkers(stored)) return false;
  const { rollout, notes } = stored;
  const { is } = decideRollout(rolloutState(rollout, notes), rollout.settings, { now: host.clock().getTime(), since: 0 });
  return is === 'work' || is === 'check';
}

/** Lets workers work on a rollout as far as it may go, unless another worker does. */
const coordinate = (fleet: string, queue: WorkQueue, options: WorkerOptions, host: Host): Promise<void> =>
  withFleets(options, host, (opened) =>
    withRolloutContext(fleet, options, opened, async (context) => {
      const coordinateBy = async (stored: StoredRollout, mayGoOn: () => Promise<void>): Promise<void> => {
        const record = openRecord(stored, context);
        const since = 0;
        await workOnRollout({ ...context, stored, record, mayGoOn }, { wait: false, since }, ({ environment }, session) =>
          queue.run({ fleet, rollout: stored.name, environment }, session),
        );
      };
      try {
        await withRolloutLease(fleet, context, async (lease) => {
          const stored = await begunRollout(fleet, context.stack.rollouts);
          if (stored !== undefined && isForWorkers(stored)) await coordinateBy(stored, () => lease.check());
        });
      } catch (error) {
        if (!(error instanceof DexsyncError) || error.code !== 'LOCKED') throw error;
      }
    }),
  );

/** Works on an environment, if the record still says that it is due. */
async function workOnJob({ fleet, rollout, environment }: TargetJob, options: WorkerOptions, host: Host): Promise<void> {
  if (host.signal.aborted) return;
  await withFleets(options, host, (opened) =>
    withRolloutContext(fleet, options, opened, async (context) => {
      const stored = await namedRollout(rollout, context.stack.rollouts);
      const record = openRecord(stored, context);
      const { targets } = rolloutState(stored.rollout, stored.notes);
      const target = targets.find((one) => one.environment === environment);
      if (target === undefined || !['waiting', 'deferred', 'begun'].includes(target.is)) return;
      const open = { ...context, stored, record, mayGoOn: async () => undefined };
      await workHere(open, options)(target, '').catch(async (error: unknown) => {
        if (error instanceof DexsyncError) throw error;
        const end = { is: 'unknown', message: `The apply ended with an error: ${reasonOf(error)}` } as const;
        await recordEnd(environment, end, { note: record.note, emit: (event) => host.emit({ type: 'fleet', event }) });
      });
    }),
  );
}

function reportTrouble(message: string, host: Host): void {
  const { secrets, emit } = host;
  const diagnostic = { severity: 'warning', code: 'fleet-worker', message: secrets.redact(message) } as const;
  emit({ type: 'diagnostic', diagnostic });
}
