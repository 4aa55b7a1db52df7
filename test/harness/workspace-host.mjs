// Serves embedded workspaces to one worker of the tests: a process of its own, so that SQLite blocks no client, and one for
// all tests of the worker, since starting Node takes ten times as long as opening a database.
import { readArguments } from '../../dist/emulator/arguments.js';
import { serve } from '../../dist/emulator/serve.js';

/** By the number that the client gave. */
const serving = new Map();

/** Faults that wait until the test has done what it does when they strike. */
const waiting = new Map();
let strikes = 0;

const toldTo = (id) => (strike) =>
  new Promise((done) => {
    strikes += 1;
    waiting.set(strikes, done);
    process.send({ id, strike, nth: strikes });
  });

const does = {
  async open(id, flags) {
    const one = await serve(readArguments(flags), (text) => process.send({ id, log: text }));
    serving.set(id, one);
    return one.ready;
  },
  async close(id) {
    await serving.get(id).close();
    serving.delete(id);
  },
  arm: (id, { file, tells }) => serving.get(id).faults.set(file, tells ? toldTo(id) : undefined),
  report: (id) => serving.get(id).faults.report(),
};

process.on('message', async ({ id, question, asks, about, goOn }) => {
  if (goOn !== undefined) {
    waiting.get(goOn)?.();
    waiting.delete(goOn);
    return;
  }
  try {
    process.send({ id, question, answer: (await does[asks](id, about)) ?? null });
  } catch (error) {
    process.send({ id, question, error: error.message });
  }
});

process.on('disconnect', async () => {
  await Promise.allSettled([...serving.values()].map(({ close }) => close()));
  process.exit(0);
});
