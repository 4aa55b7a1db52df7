import { Worker } from 'node:worker_threads';
import type { Store } from './store/open.js';
import { hasOpenRuns } from './store/open-runs.js';

/** The data about a workspace that the thread for runs needs. */
export interface RunWorkerData {
  readonly file: string;
  readonly runFolder: string;
  readonly isTemporary: boolean;
  readonly dialect: string;
  /** One 32-bit integer; any value but 0 makes the thread stop. */
  readonly stop: SharedArrayBuffer;
}

/** `wake`: there may be a run to process. `close`: the thread closes the workspace and answers `closed`. */
export type RunMessage = RunWorkerData | 'wake' | 'close';

/** The program of the thread; the relative URL fits both `dist/emulator` and `bundle`. */
const RUN_WORKER = new URL('../../bundle/emulator/run-worker.js', import.meta.url);

/** Idle threads without a workspace. Loading one takes longer than processing a small run. */
const idle: Worker[] = [];

/**
 * Processes the runs of imports, exports and extracts, one after another, in its own thread, so that requests are
 * answered meanwhile. The thread starts with the first run, since most workspaces never have one.
 */
export class RunQueue {
  readonly #data: RunWorkerData;
  readonly #log: (text: string) => void;
  #thread: Worker | undefined;

  /** Processes the runs that an earlier process left CREATED, RUNNING or IN_PROCESS. */
  constructor({ file, isTemporary, runFolder, settings }: Store, dialect: string, log: (text: string) => void) {
    this.#data = { file, isTemporary, runFolder, dialect, stop: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) };
    this.#log = log;
    if (hasOpenRuns(settings)) this.wake();
  }

  /** Signals that there may be a run to process. */
  wake(): void {
    if (this.#thread === undefined) {
      this.#thread = idle.pop() ?? startThread();
      this.#thread.ref();
      this.#thread.on('error', this.#complain);
      post(this.#thread, this.#data);
    }
    post(this.#thread, 'wake');
  }

  readonly #complain = (error: Error): void =>
    this.#log(`Runs are no longer processed: ${error.stack ?? error.message}`);

  /**
   * Stops the thread at its next statement. A commit in progress is rolled back, and repeated at the next start. The
   * thread is never terminated, since that aborts the process if a statement is running.
   */
  async close(): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined) return;
    Atomics.store(new Int32Array(this.#data.stop), 0, 1);
    const closed = new Promise((done) => thread.once('message', done));
    post(thread, 'close');
    await closed;
    thread.off('error', this.#complain);
    thread.unref();
    idle.push(thread);
  }
}

function startThread(): Worker {
  const thread = new Worker(RUN_WORKER, { stdout: true });
  // Without the thread, runs would stay open forever.
  thread.on('exit', () => process.exit(1));
  return thread;
}

const post = (thread: Worker, message: RunMessage): void => thread.postMessage(message);

/** Whether the thread must stop. */
export const isStopped = (stop: SharedArrayBuffer): boolean => Atomics.load(new Int32Array(stop), 0) !== 0;
