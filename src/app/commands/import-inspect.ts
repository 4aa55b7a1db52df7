import { Command } from 'commander';
import { EXIT, inspectFile } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { printDocument } from './print-document.js';
import { run } from './run.js';
import { addSourceOptions, type SourceFlags, sourceOf } from './source-flags.js';

interface InspectFlags extends GlobalOptions, SourceFlags {
  readonly json?: boolean;
  readonly manifest?: boolean;
  readonly out?: string;
}

/**
 * `dexsync import inspect`: needs neither configuration nor workspace; exit 3 where the file cannot be read to its end.
 */
export const importInspectCommand = (cli: Cli): Command =>
  addSourceOptions(new Command('inspect'))
    .summary('show the contents of a file and propose manifests')
    .description(
      'Shows the worksheets, encoding, delimiter, header row and columns of a CSV, TSV or XLSX file: how many cells are ' +
        'filled and how many values differ, samples, types and likely keys. Takes the fullest table of all worksheets, and ' +
        'proposes manifests for its items, its BOM and its manufacturers and suppliers. ' +
        'Needs no configuration and no workspace.',
    )
    .argument('<file>', 'file to inspect')
    .option('--manifest', 'print only the proposed manifests')
    .option('--out <folder>', 'write a project with the proposed manifests; existing files are not overwritten')
    .addOption(documentOption())
    .addHelpText(
      'after',
      examples(
        'dexsync import inspect parts.xlsx --out parts',
        'dexsync import inspect parts.xlsx --manifest > manifests/parts.yaml',
      ),
    )
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<InspectFlags>();
      await run(cli, 'findings', options, async ({ host }) => {
        const { out } = options;
        const found = await inspectFile(
          { source: sourceOf(file, options), ...(out === undefined ? {} : { out }) },
          host,
        );
        await printDocument(cli, options, found, ({ proposal, inspection, writtenProject }) => {
          if (options.manifest === true) return proposal;
          return found.written === undefined ? inspection : writtenProject(out ?? '');
        });
        return found.problem === undefined ? EXIT.done : EXIT.invalid;
      });
    });
