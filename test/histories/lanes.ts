import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { stopLedgers } from './harness/ledgers.js';
import { olderProgram, warmProgram } from './harness/program.js';
import { type HistorySettings, type Outcome, runHistory } from './history.js';

/** Runs one history after the other in a thread of its own, which has service and program to itself. */
export interface Lane {
  run(history: HistorySettings): Promise<Outcome>;
  close(): Promise<void>;
}

/** `file`: what the thread loads, this module in it; `program`: the folder of a built program. */
export function openLane(file: string, program: string): Lane {
  const worker = new Worker(file, { workerData: { program } });
  return {
    async run(history) {
      worker.postMessage(history);
      const [outcome] = await once(worker, 'message');
      return outcome;
    },
    async close() {
      worker.postMessage('close');
      await once(worker, 'exit');
    },
  };
}

if (!isMainThread) {
  const program = olderProgram(warmProgram(workerData.program));
  parentPort?.on('message', async (message: HistorySettings | 'close') => {
    if (message !== 'close') return parentPort?.postMessage(await runHistory(message, program));
    program.close();
    await stopLedgers();
    process.exit();
  });
}
