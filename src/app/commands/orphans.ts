import { Command } from 'commander';
import { EXIT, orphans } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { examples } from './examples.js';
import { formatOption, type ListFlags, printList, withFormat } from './format-option.js';
import { documentOption } from './json-option.js';
import { run } from './run.js';

/** `dexsync orphans`: live objects that no stack owns. Sends no write. */
export const orphansCommand = (cli: Cli): Command =>
  new Command('orphans')
    .summary('list live objects that no stack owns')
    .description(
      'Lists the live objects that no stack created or adopted and, separately, those that replacements left behind. ' +
        'Reads the list of each kind. Read-only.',
    )
    .argument('[kind...]', 'only these kinds')
    .addOption(formatOption())
    .addOption(documentOption())
    .addHelpText(
      'after',
      examples(
        'dexsync orphans',
        'dexsync orphans groups policies --env prod --json',
        "dexsync orphans -o name | xargs -d '\\n' -n 1 dexsync adopt",
      ),
    )
    .action(async (kinds: string[], _: unknown, command: Command) => {
      const options = withFormat(command.optsWithGlobals<ListFlags>());
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await orphans({ ...project, kinds }, host);
        await printList(
          cli,
          options,
          found,
          (texts) => texts.orphans,
          ({ orphans: all }) => all.map(({ address }) => address),
        );
        return EXIT.done;
      });
    });
