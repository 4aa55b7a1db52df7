import { basename, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { EXIT, type Forge, init, initPipeline } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { examples } from './examples.js';
import { run } from './run.js';

interface InitFlags extends GlobalOptions {
  readonly pipeline?: Forge;
}

/** `dexsync init`: a configuration and a manifest to start from; overwrites nothing. */
export const initCommand = (cli: Cli): Command =>
  new Command('init')
    .summary('create a project')
    .description('Writes sync.config.yaml and one manifest. Existing files are not overwritten.')
    .argument('[folder]', 'folder to create the project in', '.')
    .addOption(
      new Option(
        '--pipeline <forge>',
        'write all that a repository needs there, too: the pipeline, its scripts, and dexsync itself to install from',
      ).choices(['github', 'gitlab']),
    )
    .addHelpText('after', examples('dexsync init', 'dexsync init my-workspace', 'dexsync init --pipeline github'))
    .action(async (folder: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<InitFlags>();
      await run(cli, 'human', options, async () => {
        const path = resolve(cli.host.cwd, folder);
        const { pipeline } = options;
        const name = basename(path);
        const made =
          pipeline === undefined ? await init(path, name) : await initPipeline(path, name, pipeline, cli.host);
        const go = path === cli.host.cwd ? '' : `cd ${shellArgument(folder)} && `;
        const next = go + (pipeline === undefined ? 'dexsync plan' : AFTER_PIPELINE);
        if (options.quiet !== true) cli.out.write(`${[...made, `Next: ${next}`].join('\n')}\n`);
        return EXIT.done;
      });
    });

const AFTER_PIPELINE =
  'npm install, then commit all of it, package-lock.json too. Users, passwords and tokens: node_modules/dexsync/examples/pipelines/README.md';

/** As a shell takes it. */
const shellArgument = (folder: string): string =>
  /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
