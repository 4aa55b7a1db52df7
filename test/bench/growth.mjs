import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, timed } from './processes.mjs';

const MOST = 100_000;
const FEWEST = 1_000;

const NOTE = `the same, ${MOST / FEWEST} times ${FEWEST} objects in one process. CPU time of the engine alone: link, bind and plan, without reading files or the service. 1 is linear.`;

/** @type {import('./compare.mjs').Measurement} */
export const growth = {
  name: 'growth',
  title: `CPU of planning ${MOST} objects, 1 % changed, at once`,
  runs: 3,
  aim: 1.2,
  async prepare(folder) {
    const planning = (objects, times) => async () => {
      const command = [process.execPath, join(root, 'test/bench/planning.mjs'), String(objects), String(times)];
      await timed(command, { cwd: folder, expected: 'CPU' });
      return Number(/CPU (\d+) ms/.exec(await readFile(join(folder, 'output.txt'), 'utf8'))?.[1]);
    };
    return {
      subject: planning(MOST, 1),
      floors: [{ against: `${FEWEST} objects at a time`, note: NOTE, run: planning(FEWEST, MOST / FEWEST) }],
      close: async () => undefined,
    };
  },
};
