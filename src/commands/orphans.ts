import { Command } from 'commander';
import { EXIT, orphans } from '../index.js';
import type { Cli } from './cli-context.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { type DocumentFlags, printDocument } from './print-document.js';
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
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync orphans', 'dexsync orphans UserGroup Policy --env prod --json'))
    .action(async (kinds: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await orphans({ ...project, kinds }, host);
        await printDocument(cli, options, found, (texts) => texts.orphans);
        return EXIT.done;
      });
    });
