import { Command, Option } from 'commander';
import { type ImportFileOptions, importFile } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { consentOf, type GuardFlags, guardOptions } from './guard-options.js';
import { importInspectCommand } from './import-inspect.js';
import { importMapCommand } from './import-map.js';
import { variableOptions } from './manifest-options.js';
import { reasonOption } from './reason-option.js';
import { run, type ViewKind } from './run.js';
import { type SourceFlags, sourceOf, sourceOptions } from './source-options.js';

interface Options extends GlobalOptions, GuardFlags, SourceFlags {
  readonly definition?: string;
  readonly commit: 'never' | 'clean' | 'always';
  readonly force?: boolean;
  readonly json?: boolean;
}

export const importCommand = (cli: Cli): Command =>
  guardOptions(variableOptions(sourceOptions(new Command('import'))))
    .summary('send a file through an import definition')
    .description(
      'Checks a CSV, TSV or XLSX file, has the service validate its rows, shows every row that failed, and commits.',
    )
    .argument('<file>', 'the file to import; one called inspect or map as ./inspect')
    .option('--definition <name>', 'required: the import definition, of the manifests or of the workspace')
    .addOption(
      new Option('--commit <rule>', 'when the rows are committed')
        .choices(['never', 'clean', 'always'])
        .default('clean'),
    )
    .option('--force', 'import although this very content was committed before')
    .addOption(reasonOption())
    .option('--json', 'print one JSON event a line, the last one a summary')
    .addCommand(importInspectCommand(cli))
    .addCommand(importMapCommand(cli))
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  dexsync import parts.csv --definition "ERP item specs"\n' +
        '  dexsync import bom.xlsx --definition "ERP item BOM" --worksheet BOM --set "Assembly=100-0001" --commit never\n\n' +
        'Exits with 8 where rows failed, with 0 where all were committed.',
    )
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const { definition } = options;
      if (definition === undefined) return command.error("error: required option '--definition <name>' not specified");
      const kind: ViewKind = options.json === true ? 'json' : 'human';
      await run(cli, kind, options, async ({ host, project }) => {
        const summary = await importFile({ ...project, ...toImport(file, { ...options, definition }) }, host);
        return summary.exitCode;
      });
    });

const toImport = (
  file: string,
  options: Options & { readonly definition: string },
): Omit<ImportFileOptions, 'config' | 'environment'> => ({
  source: sourceOf(file, options),
  definition: options.definition,
  commit: options.commit,
  again: options.force === true ? 'forced' : 'refused',
  ...consentOf(options),
});
