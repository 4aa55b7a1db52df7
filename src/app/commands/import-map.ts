import { type Command, createArgument, createOption } from 'commander';
import { DexsyncError, EXIT, mapFile } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { documentOption } from './json-option.js';
import { addVariableOptions } from './manifest-options.js';
import { addSourceOptions, type SourceFlags, toImportSource } from './source-flags.js';

interface MapFlags extends GlobalOptions, SourceFlags {
  readonly definition?: string;
  readonly manifest?: string;
}

/** `dexsync import map`: sends no write; exit 3 if the mapping does not fit. */
export const importMapCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'map',
    summary: 'check a mapping against a file and the workspace',
    description:
      'Shows for each mapped column whether the file has it, whether its field exists in the workspace and is ' +
      'required, and the type of the field; also columns that are not mapped and required fields without a ' +
      'column. Read-only. ' +
      'Exits with 3 if the mapping does not fit.',
    arguments: [createArgument('<file>', 'file whose headers are checked')],
    shared: [addSourceOptions, addVariableOptions],
    options: [
      createOption('--definition <name>', 'import definition, from the manifests or the workspace'),
      createOption('--manifest <name>', 'Import manifest whose definition and source options are used'),
      documentOption(),
    ],
    examples: ['dexsync import map parts.csv --definition "ERP item specs"'],
    run: async ({ flags, host, project, print }: CommandRun<MapFlags>, file: string) => {
      const map = await mapFile({ ...project, source: toImportSource(file, flags), by: mappingOf(flags) }, host);
      return print(map, (texts) => texts.map, map.problems === 0 ? EXIT.done : EXIT.invalid);
    },
  });

function mappingOf({ definition, manifest }: MapFlags): { definition: string } | { manifest: string } {
  if (definition !== undefined && manifest === undefined) return { definition };
  if (manifest !== undefined && definition === undefined) return { manifest };
  throw new DexsyncError('USAGE', 'Either `--definition` or `--manifest` is required, but not both.', {
    hint: 'Give the import definition to check, or the Import manifest that uses it.',
  });
}
