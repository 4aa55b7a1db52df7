import { Worker } from 'node:worker_threads';
import type { Store } from './store/open.js';
import { hasOpenRuns } from './store/open-runs.js';

/** What the thread that processes runs needs to know of a workspace. */
export interface RunWorkerData {
  readonly file: string;
  readonly runFolder: string;
  readonly lasts: Store['lasts'];
  readonly dialect: string;
  /** One 32-bit integer; anything but 0 says that the thread is to stop. */
  readonly stop: SharedArrayBuffer;
}

/** `wake`: there may be a run to process. `close`: the workspace is left; the thread answers `closed`. */
export type RunMessage = RunWorkerData | 'wake' | 'close';

/** The program of the thread; the same from `dist/emulator` and from `bundle`. */
const RUN_WORKER = new URL('../../bundle/emulator/run-worker.js', import.meta.url);

/** Threads that have no workspace. To load one takes longer than to process a small run. */
const idle: Worker[] = [];

/**
 * Processes the runs of imports, exports and extracts, one after another, in a thread of its own, so that requests are
 * answered meanwhile. The thread begins with the first run, since most who open a workspace start none.
 */
export class RunQueue {
  readonly #data: RunWorkerData;
  readonly #log: (text: string) => void;
  #thread: Worker | undefined;

  /** Takes up the runs that an earlier process left CREATED or RUNNING. */
  constructor({ file, lasts, runFolder, settings }: Store, dialect: string, log: (text: string) => void) {
    this.#data = { file, lasts, runFolder, dialect, stop: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) };
    this.#log = log;
    if (hasOpenRuns(settings)) this.wake();
  }

  /** Says that there may be a run to process. */
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
   * Stops at the next statement: a commit that is under way is undone, and taken up again at the next start. The thread is
   * never ended from outside, which in the middle of a statement aborts the process.
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
  // Without it runs would stay open for ever.
  thread.on('exit', () => process.exit(1));
  return thread;
}

const post = (thread: Worker, message: RunMessage): void => thread.postMessage(message);

/** Whether the thread was told to stop. */
export const isStopped = (stop: SharedArrayBuffer): boolean => Atomics.load(new Int32Array(stop), 0) !== 0;
