import { Command } from 'commander';
import { EXIT, orphans } from '../index.js';
import type { Cli } from './cli-context.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync orphans`: live objects that no stack owns. Sends no write. */
export const orphansCommand = (cli: Cli): Command =>
  new Command('orphans')
    .summary('what is in the workspace and belongs to no stack')
    .description(
      'Lists the live objects that no stack made or adopted, and apart from them what replacements left behind. ' +
        'Reads the list of each kind; sends no write.',
    )
    .argument('[kind...]', 'only these kinds')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  dexsync orphans\n  dexsync orphans UserGroup Policy --env prod --json')
    .action(async (kinds: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await orphans({ ...project, kinds }, host);
        await printDocument(cli, options, found, (texts) => texts.orphans);
        return EXIT.done;
      });
    });
