import { basename, resolve } from 'node:path';
import { Command } from 'commander';
import { EXIT, init } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { run } from './run.js';

/** `dexsync init`: a configuration and a manifest to start from; overwrites nothing. */
export const initCommand = (cli: Cli): Command =>
  new Command('init')
    .summary('make a configuration to start from')
    .description('Writes sync.config.yaml and one manifest. Nothing that is there already is overwritten.')
    .argument('[folder]', 'where to write', '.')
    .addHelpText('after', '\nExamples:\n  dexsync init\n  dexsync init my-workspace')
    .action(async (folder: string, _: unknown, command: Command) => {
      await run(cli, 'human', command.optsWithGlobals<GlobalOptions>(), async () => {
        const path = resolve(cli.host.cwd, folder);
        const made = await init(path, basename(path));
        const next = path === cli.host.cwd ? 'dexsync plan' : `cd ${shellArgument(folder)} && dexsync plan`;
        cli.out.write(`${[...made, `Next: ${next}`].join('\n')}\n`);
        return EXIT.done;
      });
    });

/** As a shell takes it. */
const shellArgument = (folder: string): string =>
  /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
