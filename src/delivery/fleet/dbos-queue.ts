import { setTimeout as sleep } from 'node:timers/promises';
import { DBOS } from '@dbos-inc/dbos-sdk';
import type { Pool, PoolClient } from 'pg';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { openPool } from '#ledger/postgres/database.js';
import type { QueuedJob, QueueWorker, TargetJob, WorkQueue } from './work-queue.js';

const QUEUE = 'targets';
/** Workers of all versions that know the same jobs share their work. */
const JOBS = 'dexsync-targets/1';
/** Connections of a worker to its queue, beside those to its ledger; one of them listens. */
const CONNECTIONS = 4;
/** Milliseconds between two looks into the queue, and at whether another worker has ended. */
const LOOK_EVERY = 250;
/** In milliseconds: how long a worker that ends may wait for what it has begun, and how long the engine knows what has ended. */
const A_DAY = 86_400_000;
/** Milliseconds after a failure of the queue. */
const PAUSE = 5000;

/**
 * A queue by DBOS, which keeps a workflow of one step for each job. A step runs at least once, so it is nothing but work that
 * may be repeated; the record of the rollout, not the workflow, says what became of it.
 */
export async function dbosQueue(url: string, worker: QueueWorker): Promise<WorkQueue> {
  const pool = await openPool(url, { max: CONNECTIONS });
  const { signal, report } = worker;
  const workflows = registerWorkflows(worker);
  const close = async (): Promise<void> => {
    await DBOS.shutdown({ workflowCompletionTimeoutMS: A_DAY });
    await pool.end();
  };
  try {
    await oneByOne(pool, () => launch(pool, worker, workflows));
  } catch (error) {
    await close().catch(ignore);
    throw error instanceof DexsyncError ? error : unusable(error);
  }
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  return {
    async run(queued) {
      try {
        const id = await workflows.enqueue(queued);
        await Promise.race([DBOS.getResult(id, { pollingIntervalMs: LOOK_EVERY }), ended]);
        if (!signal.aborted) await DBOS.deleteWorkflow(id);
      } catch (error) {
        report(reasonOf(error));
        await sleep(PAUSE, undefined, { signal }).catch(ignore);
      }
    },
    async takeOver(running) {
      const begun = await DBOS.listWorkflows({ status: 'PENDING', queueName: QUEUE, loadInput: false });
      const left = begun.filter(({ executorId }) => executorId !== undefined && !running.has(executorId));
      const ids = left.map(({ workflowID }) => workflowID);
      if (ids.length > 0) await DBOS.resumeWorkflows(ids, { queueName: QUEUE });
    },
    close,
  };
}

type Workflows = ReturnType<typeof registerWorkflows>;

/** Tells the engine what it runs: a job, and a schedule that queues jobs. */
function registerWorkflows({ work, dueJobs, report }: QueueWorker) {
  const done = (job: TargetJob): Promise<void> =>
    work(job).catch((error: unknown) => {
      report(reasonOf(error));
      throw error;
    });
  const target = DBOS.registerWorkflow((job: TargetJob) => DBOS.runStep(() => done(job), { name: 'work' }), {
    name: 'target',
  });
  const enqueue = async ({ job, session, delay = 0 }: QueuedJob): Promise<string> => {
    const id = job.is === 'rollout' ? `${job.rollout} ${job.environment}` : `drift ${job.environment}`;
    const enqueueOptions = { queuePartitionKey: session, deduplicationID: id, delaySeconds: delay };
    const options = { queueName: QUEUE, enqueueOptions, duplicationPolicy: 'return-existing' as const };
    return (await DBOS.startWorkflow(target, options)(job)).workflowID;
  };
  const schedule = DBOS.registerWorkflow(
    async (_: Date, fleet: unknown): Promise<void> => {
      await DBOS.runStep(forgetOld, { name: 'forget' });
      for (const queued of await DBOS.runStep(() => dueJobs(String(fleet)), { name: 'due' })) await enqueue(queued);
    },
    { name: 'schedule' },
  );
  return { enqueue, schedule };
}

/** Removes what is known of jobs that ended long ago: nobody asks for it. */
async function forgetOld(): Promise<void> {
  const completedBefore = new Date(Date.now() - A_DAY).toISOString();
  const old = await DBOS.listWorkflows({ completedBefore, limit: 10_000, loadInput: false, loadOutput: false });
  await DBOS.deleteWorkflows(old.map(({ workflowID }) => workflowID));
}

/** Begins to look for work, also for what a worker of that name left. */
async function launch(pool: Pool, worker: QueueWorker, { schedule: workflowFn }: Workflows): Promise<void> {
  const { stack, name, atOnce, report } = worker;
  DBOS.setConfig({
    name: `dexsync ${stack}`,
    // Only for messages: the pool knows the way, also through a socket.
    systemDatabaseUrl: 'postgresql://pool:none@localhost/dexsync',
    systemDatabasePool: pool,
    systemDatabaseSchemaName: 'dexsync_workers',
    executorID: name,
    applicationVersion: JOBS,
    listenQueues: [QUEUE],
    logger: { info: ignore, debug: ignore, warn: ignore, error: (error) => report(reasonOf(error)) },
  });
  await DBOS.launch();
  await DBOS.registerQueue(QUEUE, {
    partitionConcurrency: 1,
    workerConcurrency: atOnce,
    minPollingIntervalMs: LOOK_EVERY,
    onConflict: 'always_update',
  });
  const schedules = worker.schedules.map(({ fleet, schedule, timeZone }) => ({
    ...{ scheduleName: `drift ${fleet}`, workflowFn, schedule, context: fleet },
    ...(timeZone === undefined ? {} : { cronTimezone: timeZone }),
  }));
  const names = schedules.map(({ scheduleName }) => scheduleName);
  for (const { scheduleName } of await DBOS.listSchedules())
    if (!names.includes(scheduleName)) await DBOS.deleteSchedule(scheduleName);
  await DBOS.applySchedules(schedules).catch((error: unknown) => {
    throw wrongSchedule(error);
  });
}

/** An arbitrary number, for the lock under which one worker at a time opens the queue: the engine creates its tables then. */
const LOCK = 7_246_532;

async function oneByOne(pool: Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    // A statement that waits for the lock would hold up those of the engine that wait for all statements.
    while (!(await lock(client))) await sleep(LOOK_EVERY);
    await work();
  } finally {
    // Closing the connection releases its lock.
    client.release(true);
  }
}

const lock = async (client: PoolClient): Promise<boolean> =>
  (await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK])).rows[0]?.locked ===
  true;

const unusable = (cause: unknown): DexsyncError =>
  new DexsyncError('LEDGER_UNREACHABLE', `The queue of the workers cannot be opened: ${reasonOf(cause)}.`, {
    hint: 'It is in the database of the ledger, in the schema dexsync_workers. The role of the first worker has to be allowed to create it.',
    cause,
  });

const wrongSchedule = (cause: unknown): DexsyncError =>
  new DexsyncError('CONFIG_INVALID', `A fleet's \`drift\` has a wrong schedule: ${reasonOf(cause)}.`, {
    hint: 'Write the schedule as in cron, such as `0 6 * * 1-5`, and the time zone by its name, such as Europe/Vienna.',
    cause,
  });

const ignore = (): void => undefined;
