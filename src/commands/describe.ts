import { Command } from 'commander';
import { describe, EXIT, texts } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { jsonDocument } from './json-document.js';
import { run } from './run.js';

interface Options extends GlobalOptions {
  readonly json?: boolean;
}

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
      const options = command.optsWithGlobals<Options>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await describe({ ...project, address }, host);
        const { description } = await texts(cli.color, cli.width);
        cli.out.write(options.json === true ? jsonDocument(found) : description(found));
        return EXIT.done;
      });
    });
