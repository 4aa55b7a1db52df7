import { Command } from 'commander';
import { drift, EXIT } from '../index.js';
import type { Cli } from './cli-context.js';
import { addManifestOptions } from './manifest-options.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync drift`: what was changed outside. Sends no write; exit 2 where something was. */
export const driftCommand = (cli: Cli): Command =>
  addManifestOptions(new Command('drift'))
    .summary('what was changed outside since the last apply')
    .description(
      'Tells changes that were made in the workspace from changes that the manifests ask for, field by field, with who and ' +
        'when as the service tells it. Sends no write; exits with 2 where something drifted.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  dexsync drift --env prod\n  dexsync drift --json | jq .objects')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await drift(project, host);
        await printDocument(cli, options, found, (texts) => texts.drift);
        return found.objects.length > 0 ? EXIT.differences : EXIT.done;
      });
    });
