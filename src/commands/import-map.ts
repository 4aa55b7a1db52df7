import { Command } from 'commander';
import { DexsyncError, EXIT, mapFile } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
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
    .summary('check a mapping against a file and the fields of the workspace')
    .description(
      'Shows for each mapped column whether the file has it and whether the field exists in the workspace, is required, ' +
        'and of which type; columns that are not mapped; required fields that nothing fills. Sends no write.',
    )
    .argument('<file>', 'the file whose headers are checked')
    .option('--definition <name>', 'the import definition, of the manifests or of the workspace')
    .option('--manifest <name>', 'the Import manifest whose definition and source options are used')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  dexsync import map parts.csv --definition "ERP item specs"\n\nExits with 3 where the mapping does not fit.',
    )
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
  throw new DexsyncError('USAGE', 'Either --definition or --manifest is expected.', {
    hint: 'Name the import definition to check, or the Import manifest that uses it.',
  });
}
