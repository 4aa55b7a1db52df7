import { type Command, createOption } from 'commander';
import { omitUndefined } from '#base/omit-undefined.js';
import { DexsyncError, servePage } from '../library/library.js';
import { type Cli, type GlobalOptions, withoutSignal } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { documentOption } from './json-option.js';
import { parseDuration, pickGiven, singleValue, wholeNumber } from './option-values.js';

interface ServeFlags extends GlobalOptions {
  readonly port: number;
  readonly host?: string;
  readonly interval?: number;
}

/** `dexsync serve`: the page on which a team sees its workspaces. */
export const serveCommand = (cli: Cli): Command =>
  defineCommand(withoutSignal(cli), {
    name: 'serve',
    summary: 'serve a page on which a team sees its workspaces',
    description:
      'Serves a page with all environments, what waits for a person, saved plans, rollouts, releases and the history, until ' +
      'it is stopped. It reads the ledger, and calls a service only where a person asks for that. Without `page` in ' +
      'sync.config.yaml it is for this machine only, and prints a link that logs in once; with it, people log in by OpenID ' +
      'Connect. Logins and actions are written to standard error.',
    options: [
      createOption('--port <n>', 'port to listen on; 0: any free one').argParser(wholeNumber(0, 65_535)).default(8420),
      createOption('--host <address>', 'address to listen at (default 127.0.0.1)').argParser(singleValue),
      createOption('--interval <time>', 'time between two readings of the ledger (default 15s)').argParser(
        parseDuration,
      ),
      documentOption(),
    ],
    examples: ['dexsync serve', 'dexsync serve --port 0 --json', 'dexsync serve --host 0.0.0.0 --interval 1m'],
    view: ({ json }) => (json === true ? 'audit-log' : 'audit'),
    run: async ({ flags, host, project: { config }, out }: CommandRun<ServeFlags>) => {
      const { port, json, env } = flags;
      if (env !== undefined) throw refusedEnvironment();
      const options = { port, ...omitUndefined({ config, address: flags.host }), ...pickGiven(flags, 'interval') };
      return servePage(options, { ...host, signal: cli.host.signal }, ({ url }) =>
        out.write(json === true ? `${JSON.stringify({ url })}\n` : `The page is at ${url}\n`),
      );
    },
  });

/** USAGE */
const refusedEnvironment = (): DexsyncError =>
  new DexsyncError('USAGE', '`--env` is for one environment, and the page shows all of them.', {
    hint: 'Remove it, or open the page of that environment.',
  });
