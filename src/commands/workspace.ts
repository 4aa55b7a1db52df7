import { Command } from 'commander';
import { type ServeOptions, serve } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { run } from './run.js';

/** `dexsync workspace serve`: the embedded workspace as a service, until it is stopped. */
export const workspaceCommand = (cli: Cli): Command =>
  new Command('workspace').summary('work with the embedded workspace').addCommand(serveCommand(cli));

const serveCommand = (cli: Cli): Command =>
  new Command('serve')
    .summary('run the embedded workspace as a service')
    .description(
      'Serves the published interface on this machine until it is stopped. Prints one line of JSON when it is ready.',
    )
    .option('--port <n>', 'port; any free one by default')
    .option('--db <file>', 'database file; made where it is missing. Without it, all is gone at the end')
    .option('--dialect <name>', 'wording of the interface: reference or arena')
    .option('--quota <n>', 'requests a day')
    .option('--password <text>', 'password of its users; by default a random one, told when it is ready')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  dexsync workspace serve --port 4000 --db workspace.db\n' +
        '  dexsync workspace serve --dialect arena --quota 1000',
    )
    .action(async (options: ServeOptions, command: Command) => {
      await run(cli, 'findings', command.optsWithGlobals<GlobalOptions>(), async ({ host }) => {
        const { port, db, dialect, quota, password } = options;
        return serve({ port, db, dialect, quota, password }, host.signal, cli.out);
      });
    });
