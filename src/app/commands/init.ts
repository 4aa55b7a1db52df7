import { basename, resolve } from 'node:path';
import { type Command, createArgument, createOption } from 'commander';
import { EXIT, type Forge, init, initPipeline } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';

interface InitFlags extends GlobalOptions {
  readonly pipeline?: Forge;
}

/** `dexsync init`: a configuration and a manifest to start from; overwrites nothing. */
export const initCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'init',
    summary: 'create a project',
    description: 'Writes sync.config.yaml and one manifest. Existing files are not overwritten.',
    arguments: [createArgument('[folder]', 'folder to create the project in').default('.')],
    options: [
      createOption(
        '--pipeline <forge>',
        'write all that a repository needs there, too: the pipeline, its scripts, and dexsync itself to install from',
      ).choices(['github', 'gitlab']),
    ],
    examples: ['dexsync init', 'dexsync init my-workspace', 'dexsync init --pipeline github'],
    view: () => 'human',
    run: async ({ flags: { pipeline, quiet } }: CommandRun<InitFlags>, folder: string) => {
      const path = resolve(cli.host.cwd, folder);
      const name = basename(path);
      const made = pipeline === undefined ? await init(path, name) : await initPipeline(path, name, pipeline, cli.host);
      const go = path === cli.host.cwd ? '' : `cd ${shellArgument(folder)} && `;
      const next = go + (pipeline === undefined ? 'dexsync plan' : AFTER_PIPELINE);
      if (quiet !== true) cli.out.write(`${[...made, `Next: ${next}`].join('\n')}\n`);
      return EXIT.done;
    },
  });

const AFTER_PIPELINE =
  'npm install, then commit all of it, package-lock.json too. Users, passwords and tokens: node_modules/dexsync/examples/pipelines/README.md';

/** Quotes a folder for the shell if needed. */
const shellArgument = (folder: string): string =>
  /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
