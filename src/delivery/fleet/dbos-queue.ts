import { setTimeout as sleep } from 'node:timers/promises';
import { DBOS } from '@dbos-inc/dbos-sdk';
import type { Pool, PoolClient } from 'pg';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { openPool } from '#ledger/postgres/database.js';
import type { QueuedJob, QueueWorker, TargetJob, WorkQueue } from './work-queue.js';

const applicationOf = (stack: string): string => `dexsync ${stack}`;
/** The queue of a stack. Workers of all versions that know the same jobs share their work. */
const queueOf = (stack: string): string => `dexsync-targets/1 ${stack}`;
/** Connections of a worker to its queue, beside those to its ledger; one of them listens. */
const CONNECTIONS = 4;
/** Milliseconds between two looks into the queue, and at whether another worker has ended. */
const LOOK_EVERY = 250;
/** In milliseconds: how long a worker that ends may wait for what it has begun, and how long the engine knows what has ended. */
const A_DAY = 86_400_000;
/** Milliseconds after which a job that was taken must run. */
const BEGINNING = 30_000;
/** Milliseconds after a failure of the queue. */
const PAUSE = 5000;

/**
 * A queue by DBOS, which keeps a workflow of one step for each job. A step runs at least once, so it is nothing but work that
 * may be repeated; the record of the rollout, not the workflow, says what became of it.
 */
export async function dbosQueue(url: string, worker: QueueWorker): Promise<WorkQueue> {
  const pool = await openPool(url, { max: CONNECTIONS });
  const { signal, report } = worker;
  const engine = registerWorkflows(worker);
  const close = async (): Promise<void> => {
    await DBOS.shutdown({ workflowCompletionTimeoutMS: A_DAY });
    await pool.end();
  };
  try {
    await oneByOne(pool, () => launch(pool, worker, engine));
  } catch (error) {
    await close().catch(ignore);
    throw unusable(error);
  }
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  return {
    async run(queued) {
      try {
        const id = await engine.enqueue(queued);
        const result = DBOS.getResult(id, { pollingIntervalMs: LOOK_EVERY }).catch(() => sleep(PAUSE));
        await Promise.race([result, ended]);
        if (!signal.aborted) await DBOS.deleteWorkflow(id);
      } catch (error) {
        report(reasonOf(error));
        await sleep(PAUSE, undefined, { signal }).catch(ignore);
      }
    },
    takeOver: (running) => takeOver(running, worker, engine),
    close,
  };
}

type Engine = ReturnType<typeof registerWorkflows>;

/** Tells the engine what it runs: a job, and a schedule that queues jobs. */
function registerWorkflows({ stack, work, dueJobs, report }: QueueWorker) {
  /** The workflows that this process runs. */
  const running = new Set<string>();
  const done = (job: TargetJob): Promise<void> =>
    work(job).catch((error: unknown) => {
      report(`${job.environment}: ${reasonOf(error)}`);
      throw error;
    });
  const runJob = async (job: TargetJob): Promise<void> => {
    const id = DBOS.workflowID ?? '';
    running.add(id);
    await DBOS.runStep(() => done(job), { name: 'work' }).finally(() => running.delete(id));
  };
  const target = DBOS.registerWorkflow(runJob, { name: 'target' });
  const enqueue = async ({ job, session, delay = 0 }: QueuedJob): Promise<string> => {
    const id = job.is === 'rollout' ? `${job.rollout} ${job.environment}` : `drift ${job.environment}`;
    const enqueueOptions = { queuePartitionKey: session, deduplicationID: id, delaySeconds: delay };
    const options = { queueName: queueOf(stack), enqueueOptions, duplicationPolicy: 'return-existing' as const };
    return (await DBOS.startWorkflow(target, options)(job)).workflowID;
  };
  const schedule = DBOS.registerWorkflow(
    async (_: Date, fleet: unknown): Promise<void> => {
      await DBOS.runStep(() => forgetOld(stack), { name: 'forget' });
      for (const queued of await DBOS.runStep(() => dueJobs(String(fleet)), { name: 'due' })) await enqueue(queued);
    },
    { name: 'schedule' },
  );
  return { enqueue, schedule, running };
}

/** Removes what is known of jobs that ended long ago: nobody asks for it. */
async function forgetOld(stack: string): Promise<void> {
  const completedBefore = new Date(Date.now() - A_DAY).toISOString();
  const which = { applicationName: applicationOf(stack), completedBefore, limit: 10_000 };
  const old = await DBOS.listWorkflows({ ...which, loadInput: false, loadOutput: false });
  await DBOS.deleteWorkflows(old.map(({ workflowID }) => workflowID));
}

/** Queues again what ended workers had begun, and what this one ended while the database was away. */
async function takeOver(
  workers: ReadonlySet<string>,
  { stack, name }: QueueWorker,
  { running }: Engine,
): Promise<void> {
  const queueName = queueOf(stack);
  const begun = await DBOS.listWorkflows({ status: 'PENDING', queueName, loadInput: false });
  const left = begun.filter(({ workflowID, executorId = '', updatedAt = 0 }) =>
    executorId === name ? !running.has(workflowID) && updatedAt < Date.now() - BEGINNING : !workers.has(executorId),
  );
  if (left.length > 0)
    await DBOS.resumeWorkflows(
      left.map(({ workflowID }) => workflowID),
      { queueName },
    );
}

/** Begins to look for work, also for what a worker of that name left. */
async function launch(pool: Pool, worker: QueueWorker, { schedule: workflowFn }: Engine): Promise<void> {
  const { stack, name, atOnce } = worker;
  let report: QueueWorker['report'] = ignore;
  DBOS.setConfig({
    name: applicationOf(stack),
    // Only for messages: the pool knows the way, also through a socket.
    systemDatabaseUrl: 'postgresql://pool:none@localhost/dexsync',
    systemDatabasePool: pool,
    systemDatabaseSchemaName: 'dexsync_workers',
    executorID: name,
    applicationVersion: queueOf(stack),
    listenQueues: [queueOf(stack)],
    logger: { info: ignore, debug: ignore, warn: ignore, error: (error) => report(reasonOf(error)) },
  });
  await DBOS.launch();
  report = worker.report;
  await DBOS.registerQueue(queueOf(stack), {
    partitionConcurrency: 1,
    workerConcurrency: atOnce,
    minPollingIntervalMs: LOOK_EVERY,
    onConflict: 'always_update',
  });
  // A schedule that left the configuration stays, and queues nothing: another worker may still have an older one.
  for (const { fleet, schedule, timeZone } of worker.schedules) {
    const zone = timeZone === undefined ? {} : { cronTimezone: timeZone };
    const own = { scheduleName: `drift ${stack} ${fleet}`, workflowFn, schedule, context: fleet, ...zone };
    await DBOS.applySchedules([own]).catch((error: unknown) => report(wrongSchedule(fleet, error)));
  }
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
    hint: "It is in the schema dexsync_workers of the ledger's database. The role of the first worker needs the privilege to create schemas there: `grant create on database DATABASE to ROLE`.",
    cause,
  });

const wrongSchedule = (fleet: string, error: unknown): string =>
  `Nobody looks for drift in the fleet ${fleet}, since its schedule is wrong: ${reasonOf(error)}. Write it as in cron, such as 0 6 * * 1-5, and the time zone by its name, such as Europe/Vienna.`;

const ignore = (): void => undefined;
