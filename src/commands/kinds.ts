import { Command } from 'commander';
import { EXIT, explain, listKinds } from '../index.js';
import type { Cli } from './cli-context.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync kinds`: what manifests can describe and refer to. */
export const kindsCommand = (cli: Cli): Command =>
  new Command('kinds')
    .summary('list what manifests can describe and refer to')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  dexsync kinds')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async () => {
        const rows = await listKinds();
        await printDocument(cli, options, rows, (texts) => texts.kinds);
        return EXIT.done;
      });
    });

/** `dexsync explain`: a kind or a field, from its schema. */
export const explainCommand = (cli: Cli): Command =>
  new Command('explain')
    .summary('tell what a kind or a field is')
    .argument('<kind[.field]>', 'such as UserGroup or ImportDefinition.options.mapping')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  dexsync explain UserGroup\n  dexsync explain Import.source')
    .action(async (topic: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async () => {
        const found = await explain(topic);
        await printDocument(cli, options, found, (texts) => texts.explanation);
        return EXIT.done;
      });
    });
