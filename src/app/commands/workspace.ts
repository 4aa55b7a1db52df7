import { type Command, createOption, type Option } from 'commander';
import type { Output } from '../library/internal.js';
import { type ServeOptions, serve } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { collectTexts } from './option-values.js';

/** `dexsync workspace serve`: the embedded workspace as a service. `ready` gets the line with its password. */
export const workspaceCommand = (cli: Cli, ready: Output = cli.out): Command =>
  defineCommand(cli, {
    name: 'workspace',
    summary: 'run the embedded workspace as a service',
    description: 'Runs the embedded workspace as a service, for other programs and for tests.',
    subcommands: [serveCommand(cli, ready)],
  });

const serveCommand = (cli: Cli, ready: Output): Command =>
  defineCommand(cli, {
    name: 'serve',
    summary: 'run the embedded workspace as a service',
    description:
      'Serves the published API on this machine until it is stopped. Prints one line of JSON when it is ready: its ' +
      'URL, dialect, workspace id, and the e-mail address and password of its administrator. With several workspaces ' +
      'it lists them; the `workspaceId` of a login chooses one.',
    options: serveOptions(),
    examples: [
      'dexsync workspace serve --port 4000 --db workspace.db',
      'dexsync workspace serve --from fixture.db --password local',
      'dexsync workspace serve --db workspace.db --workspace staging',
      'dexsync workspace serve --workspaces 200',
      'dexsync workspace serve --dialect arena --quota 1000',
      'dexsync workspace serve --port 4000 --faults faults.yaml',
    ],
    run: async ({ flags, host }: CommandRun<GlobalOptions & ServeOptions & { readonly logRequests?: true }>) => {
      const { port, db, from, workspace, workspaces, dialect, quota, password, faults, logRequests } = flags;
      const options = {
        port,
        db,
        from,
        workspace,
        workspaces,
        dialect,
        quota,
        password,
        faults,
        'log-requests': logRequests,
      };
      return serve(options, host.signal, ready);
    },
  });

const serveOptions = (): Option[] => [
  createOption('--port <n>', 'port to listen on; by default any free one'),
  createOption('--db <file>', 'database file, created if missing; without it, the data is lost at the end'),
  createOption('--from <file>', 'workspace file that a new workspace is a copy of; POST /embedded/reset returns to it'),
  createOption('--workspace <name>', 'further workspace of this process and file; can be repeated').argParser(
    collectTexts,
  ),
  createOption('--workspaces <n>', 'number of workspaces; the further ones, w2 and so on, have users of their own'),
  createOption('--dialect <name>', 'API dialect: reference or arena'),
  createOption('--quota <n>', 'daily quota of requests (default 25000)'),
  createOption('--password <text>', 'password of its users; by default a random one, printed when it is ready'),
  createOption('--faults <file>', 'what happens to requests, to test clients: failures, delays, false answers'),
  createOption('--log-requests', 'write each request, its answer and what answered it to standard error'),
];
