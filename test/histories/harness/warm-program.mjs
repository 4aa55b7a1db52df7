// The commands of a built program in a process that has loaded them: it runs one command line after the other, and can be killed.
import { setMaxListeners } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import timers from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

// The service answers at once, so each wait for it takes a tenth of the time.
const { setTimeout: wait } = timers;
timers.setTimeout = (milliseconds, ...rest) => wait(milliseconds / 10, ...rest);
syncBuiltinESMExports();

const [, , program] = process.argv;
const built = ['bundle/commands.js', 'dist/app/commands/program.js']
  .map((file) => join(program, file))
  .find(existsSync);
const { execute } = await import(pathToFileURL(built));
const { version } = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8'));

process.on('message', async ({ args, folder, variables, nonces, ahead }) => {
  const [out, err] = [[], []];
  let code = 0;
  let count = 0;
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const into = (texts) => ({ write: (text) => void texts.push(String(text)) });
  await execute(
    {
      out: into(out),
      err: into(err),
      color: 'plain',
      input: 'none',
      progress: 'lines',
      host: {
        cwd: folder,
        variables,
        version,
        arguments: args,
        clock: () => new Date(Date.now() + ahead),
        nonce: () => {
          count += 1;
          return `${nonces}-${String(count).padStart(12, '0')}`;
        },
        signal,
        input: () => Readable.from([]),
      },
      ask: async () => '',
      choose: async () => undefined,
      exit: (given) => {
        code = given;
      },
    },
    args,
  );
  process.send({ code, out: out.join(''), err: err.join('') });
});
process.on('disconnect', () => process.exit(0));
process.send('ready');
