import { DexsyncError } from '#base/errors.js';

/** An environment of a rollout that waits for a worker. */
export interface TargetJob {
  readonly fleet: string;
  /** The name of the rollout in the ledger. */
  readonly rollout: string;
  readonly environment: string;
}

/** What a worker is to a queue. */
export interface QueueWorker {
  /** The stack whose environments wait in the queue. */
  readonly stack: string;
  /** Two workers that run have two names; what a worker leaves behind is found by its name. */
  readonly name: string;
  /** How many environments it works on at once. */
  readonly atOnce: number;
  /** Works on an environment, perhaps for the second time: nothing may depend on how often it is called. */
  readonly work: (job: TargetJob) => Promise<void>;
  /** Ends the worker: no call waits for other workers any more. */
  readonly signal: AbortSignal;
  /** Reports trouble with the queue that passes by itself. */
  readonly report: (message: string) => void;
}

/** A queue of environments that several workers share, also over machines. */
export interface WorkQueue {
  /**
   * Lets some worker work on an environment, and returns once it has. At most one with the same `session` is worked on at
   * once; one that waits or is worked on already is not queued again.
   */
  run(job: TargetJob, session: string): Promise<void>;
  /** Gives what workers left behind to others, except to those that run. */
  takeOver(running: ReadonlySet<string>): Promise<void>;
  /** Takes nothing more, waits for what this worker works on, and closes. */
  close(): Promise<void>;
}

/** Opens the queue in a database of PostgreSQL, whose engine is loaded only here. Throws USAGE if it is not installed. */
export async function openWorkQueue(url: string, worker: QueueWorker): Promise<WorkQueue> {
  const { dbosQueue } = await import('./dbos-queue.js').catch((error: { code?: string }) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND' ? notInstalled() : error;
  });
  return dbosQueue(url, worker);
}

const notInstalled = (): DexsyncError =>
  new DexsyncError('USAGE', 'Workers need the package @dbos-inc/dbos-sdk, and it is not installed.', {
    hint: 'Install it beside dexsync: `npm install --global @dbos-inc/dbos-sdk@5.3`.',
  });
