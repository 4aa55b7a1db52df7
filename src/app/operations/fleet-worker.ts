import { setTimeout as sleep } from 'node:timers/promises';
import { DexsyncError, EXIT, type ExitCode, reasonOf } from '#base/errors.js';
import { decideRollout } from '#delivery/fleet/decide-rollout.js';
import { begunRollout } from '#delivery/fleet/find-rollout.js';
import { rolloutState } from '#delivery/fleet/rollout-state.js';
import type { WorkQueue } from '#delivery/fleet/work-queue.js';
import { isForWorkers, runningWorkers, takeWorkerName, type WorkerName } from '#delivery/fleet/workers.js';
import { withNotifier } from '#delivery/notify/notifier.js';
import type { Lease } from '#ledger/lease.js';
import { rolloutKeys } from '#ledger/stored-rollout.js';
import type { Host } from '#project/host.js';
import { fleetForWorkers, withFleets, withFreshFleets } from './open-fleets.js';
import { emitFleet, openRecord, type RolloutContext, withRolloutContext, withRolloutLease } from './rollout-record.js';
import { reportStatus, workOnRollout } from './work-on-rollout.js';
import { doJob, driftJobs, MISSING, schedulesOf, type WorkerOptions } from './worker-jobs.js';

const AT_ONCE = 8;

/** Milliseconds between two looks at the rollouts. */
const LOOK_EVERY = 2000;

/**
 * Works on the rollouts of fleets with `workers: true`, together with other workers, until the signal of the host. Reports
 * trouble that passes. Throws if it cannot begin, and LEASE_LOST if it was taken for dead.
 */
export const fleetWorker = (options: WorkerOptions, outer: Host): Promise<ExitCode> =>
  withFleets(options, outer, async (opened) => {
    const { host } = opened;
    const { fleet, url } = await fleetForWorkers(opened);
    const openQueue = await queueEngine();
    // Opened here, so that no rollout waits for what is being said.
    await withNotifier(opened.config, host, () => undefined);
    return withRolloutContext(fleet, options, opened, async (context) => {
      const { config, stack } = context;
      const worker = await takeWorkerName(config.stack, stack.leases, host.command ?? 'dexsync');
      const running = { stack, host, options };
      const report = troubleReport(host);
      try {
        const queue = await openQueue(url, {
          ...{ stack: config.stack, name: worker.name, atOnce: options.concurrency ?? AT_ONCE },
          work: (job) => doJob(job, running),
          schedules: schedulesOf(config),
          dueJobs: (name) => driftJobs(name, running),
          ...{ signal: host.signal, report },
        });
        emitFleet(host)({ is: 'worker', name: worker.name, stack: config.stack });
        try {
          await shareWork({ context, worker, queue, options, report });
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
  readonly report: (message: string) => void;
}

/** Looks after what ended workers left and after each rollout that nobody coordinates, until the signal. */
async function shareWork({ context, worker, queue, options, report }: Working): Promise<void> {
  const { host } = context;
  const coordinated = new Map<string, Promise<void>>();
  const { leases, rollouts } = context.stack;
  const look = async (): Promise<void> => {
    await worker.check();
    await queue.takeOver(await runningWorkers(context.config.stack, leases));
    for (const fleet of new Set((await rolloutKeys(rollouts)).map((key) => key.fleet))) {
      if (coordinated.has(fleet) || !(await isDue(fleet, context))) continue;
      const work = coordinate(fleet, queue, options, host)
        .catch((error: unknown) => report(reasonOf(error)))
        .finally(() => coordinated.delete(fleet));
      coordinated.set(fleet, work);
    }
  };
  try {
    while (!host.signal.aborted) {
      await look().catch((error: unknown) => {
        if (error instanceof DexsyncError && error.code === 'LEASE_LOST') throw error;
        report(reasonOf(error));
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
  const { is } = decideRollout(rolloutState(rollout, notes), rollout.settings, {
    now: host.clock().getTime(),
    since: 0,
  });
  return is === 'work' || is === 'check';
}

/** Lets workers work on a rollout as far as it may go, unless another worker does. */
const coordinate = (fleet: string, queue: WorkQueue, options: WorkerOptions, host: Host): Promise<void> =>
  withFreshFleets(options, host, (opened) =>
    withRolloutContext(fleet, options, opened, (context) =>
      withRolloutLease(fleet, context, (lease) => coordinateUnder(lease, fleet, queue, context)).catch(unlessLocked),
    ),
  );

async function coordinateUnder(
  lease: Pick<Lease, 'check'>,
  fleet: string,
  queue: WorkQueue,
  context: RolloutContext,
): Promise<void> {
  const stored = await begunRollout(fleet, context.stack.rollouts);
  if (stored === undefined || !isForWorkers(stored)) return;
  const open = { ...context, stored, record: openRecord(stored, context), mayGoOn: () => lease.check() };
  const running = { wait: false, since: 0, missing: MISSING };
  const decision = await workOnRollout(open, running, ({ environment }, session) =>
    queue.run({ job: { is: 'rollout', rollout: stored.name, environment }, session }),
  );
  await reportStatus(open, decision);
}

function unlessLocked(error: unknown): void {
  if (!(error instanceof DexsyncError) || error.code !== 'LOCKED') throw error;
}

/** Milliseconds in which the same trouble is reported once. */
const ONCE_IN = 60_000;

function troubleReport({ secrets, emit, clock }: Host): (message: string) => void {
  const known = new Map<string, number>();
  return (message) => {
    const now = clock().getTime();
    if (now - (known.get(message) ?? 0) < ONCE_IN) return;
    known.set(message, now);
    const diagnostic = { severity: 'warning', code: 'fleet-worker', message: secrets.redact(message) } as const;
    emit({ type: 'diagnostic', diagnostic });
  };
}

/** The engine of the queue is loaded only here. Throws USAGE if it is not installed. */
async function queueEngine() {
  const { dbosQueue } = await import('#delivery/fleet/dbos-queue.js').catch((error: { code?: string }) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND' ? notInstalled() : error;
  });
  return dbosQueue;
}

const notInstalled = (): DexsyncError =>
  new DexsyncError('USAGE', 'Workers need the package @dbos-inc/dbos-sdk, and it is not installed.', {
    hint: 'Install it beside dexsync: `npm install --global @dbos-inc/dbos-sdk@5.3`.',
  });
