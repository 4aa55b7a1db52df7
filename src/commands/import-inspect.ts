import { Command } from 'commander';
import { EXIT, inspectFile, texts } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { jsonDocument } from './json-document.js';
import { run } from './run.js';
import { type SourceFlags, sourceOf, sourceOptions } from './source-options.js';

interface Options extends GlobalOptions, SourceFlags {
  readonly json?: boolean;
  readonly manifest?: boolean;
}

export const importInspectCommand = (cli: Cli): Command =>
  sourceOptions(new Command('inspect'))
    .summary('tell what a file holds, and propose manifests for it')
    .description(
      'Shows worksheets, encoding, delimiter, header row and columns of a CSV, TSV or XLSX file: how many cells are ' +
        'filled and different, samples, types and likely keys. Proposes an ImportDefinition and an Import. Needs no ' +
        'configuration and no workspace.',
    )
    .argument('<file>', 'the file to look at')
    .option('--manifest', 'print the proposed manifests alone')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  dexsync import inspect parts.xlsx --manifest > manifests/parts.yaml')
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      await run(cli, 'findings', options, async ({ host }) => {
        const found = await inspectFile({ source: sourceOf(file, options) }, host);
        const text = await texts(cli.color, cli.width);
        if (options.json === true) cli.out.write(jsonDocument(found));
        else cli.out.write(options.manifest === true ? text.proposal(found) : text.inspection(found));
        return found.problem === undefined ? EXIT.done : EXIT.invalid;
      });
    });
