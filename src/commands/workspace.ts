import { Command, InvalidArgumentError } from 'commander';
import { type ExitCode, serve } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { run } from './run.js';

export const workspaceCommand = (cli: Cli): Command =>
  new Command('workspace').summary('work with the embedded workspace').addCommand(serveCommand(cli));

const serveCommand = (cli: Cli): Command =>
  new Command('serve')
    .summary('run the embedded workspace as a service')
    .description(
      'Serves the published interface on this machine until it is stopped. Prints one line of JSON when it is ready.',
    )
    .option('--port <n>', 'port; any free one by default', portNumber)
    .option('--db <file>', 'database file; made where it is missing. Without it, all is gone at the end')
    .addHelpText('after', '\nExample:\n  dexsync workspace serve --port 4000 --db workspace.db')
    .action(async (options: { port?: string; db?: string }, command: Command) => {
      await run(cli, 'findings', command.optsWithGlobals<GlobalOptions>(), async ({ host }) => {
        const { port, db } = options;
        const code = await serve(
          { ...(port === undefined ? {} : { port }), ...(db === undefined ? {} : { database: db }) },
          host.signal,
        );
        return code as ExitCode;
      });
    });

function portNumber(text: string): string {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('Ports are whole numbers from 0 to 65535.');
  return text;
}
