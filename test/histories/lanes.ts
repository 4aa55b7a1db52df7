import { fork } from 'node:child_process';
import { once } from 'node:events';
import { stopLedgers } from './harness/ledgers.js';
import { olderProgram, openPrograms } from './harness/program.js';
import { type HistorySettings, type Outcome, runHistory } from './history.js';

/** Runs one history after the other in a process of its own, which has service and program to itself. */
export interface Lane {
  run(history: HistorySettings): Promise<Outcome>;
  close(): Promise<void>;
}

/** The first argument of such a process. */
const LANE = 'lane';

/** `file`: what the process loads, this module in it; `program`: the folder of a built program. */
export function openLane(file: string, program: string): Lane {
  // A group of its own: an interrupt at the terminal reaches only who starts it, and the lane still stops its ledgers.
  const child = fork(file, [LANE, program], { detached: true });
  const ended = once(child, 'exit');
  const fail = async (): Promise<never> => {
    await ended;
    throw new Error('The process of a lane ended before its history did.');
  };
  return {
    async run(history) {
      child.send(history);
      const [outcome] = await Promise.race([once(child, 'message'), fail()]);
      return outcome;
    },
    async close() {
      child.disconnect();
      await ended;
    },
  };
}

const [, , role, folder = ''] = process.argv;
if (role === LANE) {
  const programs = openPrograms(folder, olderProgram);
  process.on('message', async (history: HistorySettings) => process.send?.(await runHistory(history, programs)));
  const stop = async (): Promise<void> => {
    programs.close();
    await stopLedgers();
    process.exit();
  };
  // The parent may have closed the lane while this module was still loading.
  if (process.connected) process.on('disconnect', stop);
  else await stop();
}
