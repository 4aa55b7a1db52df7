import { Command } from 'commander';
import { describe, EXIT } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync describe`: one object, live, last applied and in the manifests. Sends no write. */
export const describeCommand = (cli: Cli): Command =>
  new Command('describe')
    .summary('show everything about one object')
    .description('Shows one object as it is in the workspace, what dexsync last did to it, and where its manifest is.')
    .argument('<address>', 'KIND/NAME, such as UserGroup/Quality')
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync describe "ImportDefinition/ERP item specs" --env prod'))
    .action(async (address: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await describe({ ...project, address }, host);
        await printDocument(cli, options, found, (texts) => texts.description);
        return EXIT.done;
      });
    });
