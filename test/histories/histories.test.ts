import { afterAll, test } from 'vitest';
import { IS_WHOLE, SEED } from '../harness/sample.js';
import { stopLedgers } from './harness/ledgers.js';
import { openPrograms } from './harness/program.js';
import { drawHistory, runHistory } from './history.js';

/** Histories of each lane; `npm run histories` goes on as long as it is asked to. */
const COUNT = IS_WHOLE ? 200 : 3;
/** Milliseconds that one may take on a busy machine. */
const LONGEST = 180_000;
const LENGTH = 20;

afterAll(stopLedgers);

test.concurrent.for([0, 1])(
  'generated histories break no law, part %i',
  { timeout: COUNT * LONGEST },
  async (lane, { expect, onTestFinished }) => {
    const programs = openPrograms(process.cwd());
    onTestFinished(() => programs.close());
    for (let index = 0; index < COUNT; index += 1) {
      const history = drawHistory(SEED + 2 * index + lane, LENGTH);
      const { violation, script } = await runHistory(history, programs);
      const text = `seed ${history.seed}: law ${violation?.law}: ${violation?.message}\n${script.join('\n')}`;
      expect(violation, text).toBeUndefined();
    }
  },
);
