import { Command } from 'commander';
import { describe, EXIT } from '../index.js';
import type { Cli } from './cli-context.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync describe`: one object, live, last applied and in the manifests. Sends no write. */
export const describeCommand = (cli: Cli): Command =>
  new Command('describe')
    .summary('tell everything about one object')
    .description(
      'Shows one object as it is in the workspace, what dexsync last did to it, and where its manifest stands.',
    )
    .argument('<address>', 'Kind/name, such as UserGroup/Quality')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  dexsync describe "ImportDefinition/ERP item specs" --env prod')
    .action(async (address: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await describe({ ...project, address }, host);
        await printDocument(cli, options, found, (texts) => texts.description);
        return EXIT.done;
      });
    });
