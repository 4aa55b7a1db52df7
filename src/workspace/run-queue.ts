import { Worker } from 'node:worker_threads';

/** What the thread that processes runs needs to know. */
export interface RunWorkerData {
  readonly file: string;
  readonly runFolder: string;
  readonly dialect: string;
}

/** Processes the runs of imports, exports and extracts, one after another, in a thread of its own, so that requests are answered meanwhile. */
export class RunQueue {
  readonly #worker: Worker;
  #closing = false;

  /** The thread first takes up the runs that an earlier process left CREATED or RUNNING. */
  constructor(workerData: RunWorkerData, log: (text: string) => void) {
    this.#worker = new Worker(new URL('./run-worker.js', import.meta.url), { workerData, stdout: true });
    this.#worker.on('error', (error) => log(`Runs are not processed any more: ${error.stack ?? error.message}`));
    this.#worker.on('exit', () => {
      if (!this.#closing) process.exit(1);
    });
  }

  /** Says that there may be a run to process. */
  wake(): void {
    this.#worker.postMessage('wake');
  }

  /** Stops where it is: a commit that is under way is undone, and taken up again at the next start. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#worker.terminate();
  }
}
