// Serves embedded workspaces to one worker of the tests: a process of its own, so that SQLite blocks no client, and one for
// all tests of the worker, since starting Node takes ten times as long as opening a database.
import { readArguments } from '../../dist/workspace/arguments.js';
import { serve } from '../../dist/workspace/serve.js';

/** By the number that the client gave. */
const serving = new Map();

process.on('message', async ({ id, open, close }) => {
  try {
    if (open !== undefined) {
      const log = (text) => process.send({ id, log: text });
      const one = await serve(readArguments(open), log);
      serving.set(id, one);
      process.send({ id, ready: one.ready });
    } else if (close) {
      await serving.get(id).close();
      serving.delete(id);
      process.send({ id, closed: true });
    }
  } catch (error) {
    process.send({ id, error: error.message });
  }
});

process.on('disconnect', async () => {
  await Promise.allSettled([...serving.values()].map(({ close }) => close()));
  process.exit(0);
});
