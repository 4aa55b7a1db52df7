import { Command } from 'commander';
import { DexsyncError, EXIT, mapFile, texts } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { jsonDocument } from './json-document.js';
import { variableOptions } from './manifest-options.js';
import { run } from './run.js';
import { type SourceFlags, sourceOf, sourceOptions } from './source-options.js';

interface Options extends GlobalOptions, SourceFlags {
  readonly definition?: string;
  readonly manifest?: string;
  readonly json?: boolean;
}

export const importMapCommand = (cli: Cli): Command =>
  variableOptions(sourceOptions(new Command('map')))
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
      const options = command.optsWithGlobals<Options>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const map = await mapFile({ ...project, source: sourceOf(file, options), by: mappingOf(options) }, host);
        const text = await texts(cli.color, cli.width);
        cli.out.write(options.json === true ? jsonDocument(map) : text.map(map));
        return map.problems === 0 ? EXIT.done : EXIT.invalid;
      });
    });

function mappingOf({ definition, manifest }: Options): { definition: string } | { manifest: string } {
  if (definition !== undefined && manifest === undefined) return { definition };
  if (manifest !== undefined && definition === undefined) return { manifest };
  throw new DexsyncError('USAGE', 'Either --definition or --manifest is expected.', {
    hint: 'Name the import definition to check, or the Import manifest that uses it.',
  });
}
