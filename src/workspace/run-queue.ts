import { Worker } from 'node:worker_threads';

/** What the thread that processes runs needs to know. */
export interface RunWorkerData {
  readonly file: string;
  readonly runFolder: string;
  readonly dialect: string;
  /** One 32-bit integer; anything but 0 says that the thread is to stop. */
  readonly stop: SharedArrayBuffer;
}

/** Processes the runs of imports, exports and extracts, one after another, in a thread of its own, so that requests are answered meanwhile. */
export class RunQueue {
  readonly #worker: Worker;
  readonly #ended: Promise<unknown>;
  readonly #stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

  /** The thread first takes up the runs that an earlier process left CREATED or RUNNING. */
  constructor(settings: Omit<RunWorkerData, 'stop'>, log: (text: string) => void) {
    const workerData: RunWorkerData = { ...settings, stop: this.#stop };
    this.#worker = new Worker(new URL('./run-worker.js', import.meta.url), { workerData, stdout: true });
    this.#worker.on('error', (error) => log(`Runs are not processed any more: ${error.stack ?? error.message}`));
    this.#worker.on('exit', () => {
      if (!isStopped(this.#stop)) process.exit(1);
    });
    this.#ended = new Promise((ended) => this.#worker.once('exit', ended));
  }

  /** Says that there may be a run to process. */
  wake(): void {
    this.#worker.postMessage('wake');
  }

  /**
   * Stops at the next statement: a commit that is under way is undone, and taken up again at the next start. The thread
   * ends by itself, since ending it from outside in the middle of a statement aborts the process.
   */
  async close(): Promise<void> {
    Atomics.store(new Int32Array(this.#stop), 0, 1);
    this.wake();
    await this.#ended;
  }
}

/** Whether the thread was told to stop. */
export const isStopped = (stop: SharedArrayBuffer): boolean => Atomics.load(new Int32Array(stop), 0) !== 0;
