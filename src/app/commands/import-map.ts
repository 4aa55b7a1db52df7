import { Command } from 'commander';
import { DexsyncError, EXIT, mapFile } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { addVariableOptions } from './manifest-options.js';
import { printDocument } from './print-document.js';
import { run } from './run.js';
import { addSourceOptions, type SourceFlags, sourceOf } from './source-flags.js';

interface MapFlags extends GlobalOptions, SourceFlags {
  readonly definition?: string;
  readonly manifest?: string;
  readonly json?: boolean;
}

/** `dexsync import map`: sends no write; exit 3 where the mapping does not fit. */
export const importMapCommand = (cli: Cli): Command =>
  addVariableOptions(addSourceOptions(new Command('map')))
    .summary('check a mapping against a file and the workspace')
    .description(
      'Shows for each mapped column whether the file has it, whether its field exists in the workspace and is ' +
        'required, and the type of the field; also columns that are not mapped and required fields without a ' +
        'column. Read-only. ' +
        'Exits with 3 if the mapping does not fit.',
    )
    .argument('<file>', 'file whose headers are checked')
    .option('--definition <name>', 'import definition, from the manifests or the workspace')
    .option('--manifest <name>', 'Import manifest whose definition and source options are used')
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync import map parts.csv --definition "ERP item specs"'))
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<MapFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const map = await mapFile({ ...project, source: sourceOf(file, options), by: mappingOf(options) }, host);
        await printDocument(cli, options, map, (texts) => texts.map);
        return map.problems === 0 ? EXIT.done : EXIT.invalid;
      });
    });

function mappingOf({ definition, manifest }: MapFlags): { definition: string } | { manifest: string } {
  if (definition !== undefined && manifest === undefined) return { definition };
  if (manifest !== undefined && definition === undefined) return { manifest };
  throw new DexsyncError('USAGE', 'Either `--definition` or `--manifest` is required, but not both.', {
    hint: 'Give the import definition to check, or the Import manifest that uses it.',
  });
}
