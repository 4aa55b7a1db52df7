import { setTimeout as sleep } from 'node:timers/promises';
import { DBOS } from '@dbos-inc/dbos-sdk';
import type { Pool, PoolClient } from 'pg';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { openPool } from '#ledger/postgres/database.js';
import type { QueueWorker, TargetJob, WorkQueue } from './work-queue.js';

const QUEUE = 'targets';
/** Workers of all versions that know the same jobs share their work. */
const JOBS = 'dexsync-targets/1';
/** Connections of a worker to its queue, beside those to its ledger; one of them listens. */
const CONNECTIONS = 4;
/** Milliseconds between two looks into the queue, and at whether another worker has ended. */
const LOOK_EVERY = 250;
/** The longest time in milliseconds that a worker which ends may wait for what it has begun. */
const A_DAY = 86_400_000;
/** Milliseconds after a failure of the queue. */
const PAUSE = 5000;

/**
 * A queue by DBOS, which keeps a workflow of one step for each environment. A step runs at least once, so it is nothing but
 * work that may be repeated; the record of the rollout, not the workflow, says what became of it.
 */
export async function dbosQueue(url: string, { stack, name, atOnce, work, signal, report }: QueueWorker): Promise<WorkQueue> {
  const pool = await openPool(url, { max: CONNECTIONS });
  const close = async (): Promise<void> => {
    await DBOS.shutdown({ workflowCompletionTimeoutMS: A_DAY });
    await pool.end();
  };
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
  const target = DBOS.registerWorkflow((job: TargetJob) => DBOS.runStep(() => work(job), { name: 'work' }), {
    name: 'target',
  });
  try {
    await oneByOne(pool, async () => {
      await DBOS.launch();
      await DBOS.registerQueue(QUEUE, {
        partitionConcurrency: 1,
        workerConcurrency: atOnce,
        minPollingIntervalMs: LOOK_EVERY,
        onConflict: 'always_update',
      });
    });
  } catch (error) {
    await close().catch(ignore);
    throw unusable(error);
  }
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  return {
    async run(job, session) {
      try {
        const enqueueOptions = { queuePartitionKey: session, deduplicationID: keyOf(job) };
        const options = { queueName: QUEUE, enqueueOptions, duplicationPolicy: 'return-existing' as const };
        const { workflowID } = await DBOS.startWorkflow(target, options)(job);
        const result = DBOS.getResult(workflowID, { pollingIntervalMs: LOOK_EVERY });
        await Promise.race([result, ended]);
        if (!signal.aborted) await DBOS.deleteWorkflow(workflowID);
      } catch (error) {
        report(reasonOf(error));
        await sleep(PAUSE, undefined, { signal }).catch(ignore);
      }
    },
    async takeOver(running) {
      const begun = await DBOS.listWorkflows({ status: 'PENDING', queueName: QUEUE, loadInput: false });
      const left = begun.filter(({ executorId }) => executorId !== undefined && !running.has(executorId));
      if (left.length > 0) await DBOS.resumeWorkflows(left.map(({ workflowID }) => workflowID), { queueName: QUEUE });
    },
    close,
  };
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
  (await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK])).rows[0]?.locked === true;

const unusable = (cause: unknown): DexsyncError =>
  new DexsyncError('LEDGER_UNREACHABLE', `The queue of the workers cannot be opened: ${reasonOf(cause)}.`, {
    hint: 'It is in the database of the ledger, in the schema dexsync_workers. The role of the first worker has to be allowed to create it.',
    cause,
  });

const ignore = (): void => undefined;

const keyOf = ({ rollout, environment }: TargetJob): string => `${rollout} ${environment}`;
