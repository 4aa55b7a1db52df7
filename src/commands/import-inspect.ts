import { Command } from 'commander';
import { EXIT, inspectFile } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { printDocument } from './print-document.js';
import { run } from './run.js';
import { addSourceOptions, type SourceFlags, sourceOf } from './source-flags.js';

interface InspectFlags extends GlobalOptions, SourceFlags {
  readonly json?: boolean;
  readonly manifest?: boolean;
}

/**
 * `dexsync import inspect`: needs neither configuration nor workspace; exit 3 where the file cannot be read to its end.
 */
export const importInspectCommand = (cli: Cli): Command =>
  addSourceOptions(new Command('inspect'))
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
      const options = command.optsWithGlobals<InspectFlags>();
      await run(cli, 'findings', options, async ({ host }) => {
        const found = await inspectFile({ source: sourceOf(file, options) }, host);
        await printDocument(cli, options, found, ({ proposal, inspection }) =>
          options.manifest === true ? proposal : inspection,
        );
        return found.problem === undefined ? EXIT.done : EXIT.invalid;
      });
    });
