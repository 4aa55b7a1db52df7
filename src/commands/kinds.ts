import { Command } from 'commander';
import { EXIT, explain, listKinds, texts } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { jsonDocument } from './json-document.js';
import { run } from './run.js';

export const kindsCommand = (cli: Cli): Command =>
  new Command('kinds')
    .summary('list what manifests can describe and refer to')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  dexsync kinds')
    .action(async (options: { json?: boolean }, command: Command) => {
      await run(cli, 'findings', command.optsWithGlobals<GlobalOptions>(), async () => {
        const rows = await listKinds();
        const { kinds } = await texts(cli.color);
        cli.out.write(options.json === true ? jsonDocument(rows) : kinds(rows));
        return EXIT.done;
      });
    });

export const explainCommand = (cli: Cli): Command =>
  new Command('explain')
    .summary('tell what a kind or a field is')
    .argument('<kind[.field]>', 'such as UserGroup or ImportDefinition.options.mapping')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  dexsync explain UserGroup\n  dexsync explain Import.source')
    .action(async (topic: string, options: { json?: boolean }, command: Command) => {
      await run(cli, 'findings', command.optsWithGlobals<GlobalOptions>(), async () => {
        const found = await explain(topic);
        const { explanation } = await texts(cli.color);
        cli.out.write(options.json === true ? jsonDocument(found) : explanation(found));
        return EXIT.done;
      });
    });
