import { basename, resolve } from 'node:path';
import { Command } from 'commander';
import { EXIT, init } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { examples } from './examples.js';
import { run } from './run.js';

/** `dexsync init`: a configuration and a manifest to start from; overwrites nothing. */
export const initCommand = (cli: Cli): Command =>
  new Command('init')
    .summary('create a project')
    .description('Writes sync.config.yaml and one manifest. Existing files are not overwritten.')
    .argument('[folder]', 'folder to create the project in', '.')
    .addHelpText('after', examples('dexsync init', 'dexsync init my-workspace'))
    .action(async (folder: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await run(cli, 'human', options, async () => {
        const path = resolve(cli.host.cwd, folder);
        const made = await init(path, basename(path));
        const next = path === cli.host.cwd ? 'dexsync plan' : `cd ${shellArgument(folder)} && dexsync plan`;
        if (options.quiet !== true) cli.out.write(`${[...made, `Next: ${next}`].join('\n')}\n`);
        return EXIT.done;
      });
    });

/** As a shell takes it. */
const shellArgument = (folder: string): string =>
  /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
