import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, timed } from './processes.mjs';

const MOST = 100_000;
const NOTE =
  'as many objects in one process, so many at a time. CPU time of the engine alone: link, bind and plan, without reading files or the service. 1 is linear; 1,000 objects stay in the caches of a processor.';

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
      floors: [1_000, 10_000].map((objects) => ({
        against: `${objects} objects at a time`,
        note: NOTE,
        run: planning(objects, MOST / objects),
      })),
      close: async () => undefined,
    };
  },
};
