import { Command } from 'commander';
import { EXIT, explain, listKinds } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { examples } from './examples.js';
import { formatOption, type ListFlags, printList, withFormat } from './format-option.js';
import { documentOption } from './json-option.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { run } from './run.js';

/** `dexsync kinds`: what manifests can describe and refer to. */
export const kindsCommand = (cli: Cli): Command =>
  new Command('kinds')
    .summary('list what manifests can describe and refer to')
    .description('Lists the kinds and jobs that manifests can describe, and the lookups that they can refer to.')
    .addOption(formatOption())
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync kinds'))
    .action(async (_: unknown, command: Command) => {
      const options = withFormat(command.optsWithGlobals<ListFlags>());
      await run(cli, 'findings', options, async ({ host, project }) => {
        const rows = await listKinds(project, host);
        await printList(
          cli,
          options,
          rows,
          (texts) => texts.kinds,
          (all) => all.map(({ name }) => name),
        );
        return EXIT.done;
      });
    });

/** `dexsync explain`: a kind or a field, from its schema. */
export const explainCommand = (cli: Cli): Command =>
  new Command('explain')
    .summary('explain a kind or a field')
    .description('Explains a kind or one of its fields: type, values, default, and what it does.')
    .argument('<kind[.field]>', 'kind, or kind and field, such as ImportDefinition.options.mapping')
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync explain UserGroup', 'dexsync explain Import.source'))
    .action(async (topic: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await explain({ ...project, topic }, host);
        await printDocument(cli, options, found, (texts) => texts.explanation);
        return EXIT.done;
      });
    });
