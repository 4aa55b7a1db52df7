import { Command } from 'commander';
import { drift, EXIT, texts } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { jsonDocument } from './json-document.js';
import { manifestOptions } from './manifest-options.js';
import { run } from './run.js';

interface Options extends GlobalOptions {
  readonly json?: boolean;
}

export const driftCommand = (cli: Cli): Command =>
  manifestOptions(new Command('drift'))
    .summary('what was changed outside since the last apply')
    .description(
      'Tells changes that were made in the workspace from changes that the manifests ask for, field by field, with who and ' +
        'when as the service tells it. Sends no write; exits with 2 where something drifted.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  dexsync drift --env prod\n  dexsync drift --json | jq .objects')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await drift(project, host);
        const text = await texts(cli.color, cli.width);
        cli.out.write(options.json === true ? jsonDocument(found) : text.drift(found));
        return found.objects.length > 0 ? EXIT.differences : EXIT.done;
      });
    });
