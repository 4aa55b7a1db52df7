import { Command } from 'commander';
import { EXIT, orphans, texts } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { jsonDocument } from './json-document.js';
import { run } from './run.js';

interface Options extends GlobalOptions {
  readonly json?: boolean;
}

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
      const options = command.optsWithGlobals<Options>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await orphans({ ...project, kinds }, host);
        const text = await texts(cli.color, cli.width);
        cli.out.write(options.json === true ? jsonDocument(found) : text.orphans(found));
        return EXIT.done;
      });
    });
