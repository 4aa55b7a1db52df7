import { Command } from 'commander';
import { type Output, type ServeOptions, serve } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { examples } from './examples.js';
import { run } from './run.js';

/** `dexsync workspace serve`: the embedded workspace as a service, until it is stopped. `ready` gets the line with its password. */
export const workspaceCommand = (cli: Cli, ready: Output = cli.out): Command =>
  new Command('workspace')
    .summary('run the embedded workspace as a service')
    .description('Runs the embedded workspace as a service, for other programs and for tests.')
    .addCommand(serveCommand(cli, ready));

const serveCommand = (cli: Cli, ready: Output): Command =>
  new Command('serve')
    .summary('run the embedded workspace as a service')
    .description(
      'Serves the published API on this machine until it is stopped. Prints one line of JSON when it is ready: its ' +
        'URL, dialect, workspace id, and the e-mail address and password of its administrator.',
    )
    .option('--port <n>', 'port to listen on; by default any free one')
    .option('--db <file>', 'database file, created if missing; without it, the data is lost at the end')
    .option('--dialect <name>', 'API dialect: reference or arena')
    .option('--quota <n>', 'daily quota of requests (default 25000)')
    .option('--password <text>', 'password of its users; by default a random one, printed when it is ready')
    .option('--faults <file>', 'what happens to requests, to test clients: failures, delays, false answers')
    .addHelpText(
      'after',
      examples(
        'dexsync workspace serve --port 4000 --db workspace.db',
        'dexsync workspace serve --dialect arena --quota 1000',
        'dexsync workspace serve --port 4000 --faults faults.yaml',
      ),
    )
    .action(async (options: ServeOptions, command: Command) => {
      await run(cli, 'findings', command.optsWithGlobals<GlobalOptions>(), async ({ host }) => {
        const { port, db, dialect, quota, password, faults } = options;
        return serve({ port, db, dialect, quota, password, faults }, host.signal, ready);
      });
    });
