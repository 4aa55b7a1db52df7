import { Command, InvalidArgumentError, Option } from 'commander';
import { DexsyncError, type ImportFileOptions, importFile } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { consentOf, type GuardFlags, guardOptions } from './guard-options.js';
import { importCommitCommand, importListCommand, importResumeCommand, importShowCommand } from './import-runs.js';
import { variableOptions } from './manifest-options.js';
import { assignment } from './option-values.js';
import { reasonOption } from './reason-option.js';
import { run, type ViewKind } from './run.js';

interface Options extends GlobalOptions, GuardFlags {
  readonly definition?: string;
  readonly worksheet?: string;
  readonly headerRow?: number;
  readonly delimiter?: string;
  readonly set: Readonly<Record<string, string>>;
  readonly commit: 'never' | 'clean' | 'always';
  readonly force?: boolean;
  readonly json?: boolean;
}

export const importCommand = (cli: Cli): Command =>
  guardOptions(variableOptions(new Command('import')))
    .summary('send a file through an import definition')
    .description(
      'Checks a CSV, TSV or XLSX file, has the service validate its rows, shows every row that failed, and commits.',
    )
    .argument('<file>', 'the file to import; one that is called like a command is reached as ./list')
    .option('--definition <name>', 'the import definition, of the manifests or of the workspace')
    .option('--worksheet <name>', 'worksheet of a workbook; the first by default')
    .option('--header-row <n>', 'row that holds the headers', rowNumber)
    .option(
      '--delimiter <character>',
      'of a text file, \\t for a tab; a comma, or a tab for .tsv, by default',
      oneCharacter,
    )
    .option(
      '--set <column=value>',
      'add a column that has the same value in all rows; can be repeated',
      assignment('COLUMN'),
      {},
    )
    .addOption(
      new Option('--commit <rule>', 'when the rows are committed')
        .choices(['never', 'clean', 'always'])
        .default('clean'),
    )
    .option('--force', 'import although this very content was committed before')
    .addOption(reasonOption())
    .option('--json', 'print one JSON event a line, the last one a summary')
    .addCommand(importListCommand(cli))
    .addCommand(importShowCommand(cli))
    .addCommand(importCommitCommand(cli))
    .addCommand(importResumeCommand(cli))
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  dexsync import parts.csv --definition "ERP item specs"\n' +
        '  dexsync import bom.xlsx --definition "ERP item BOM" --worksheet BOM --set "Assembly=100-0001" --commit never\n\n' +
        'Exits with 8 where rows failed, with 0 where all were committed.',
    )
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const kind: ViewKind = options.json === true ? 'json' : 'human';
      await run(cli, kind, options, async ({ host, project }) => {
        const summary = await importFile({ ...project, ...toImport(file, options) }, host);
        return summary.exitCode;
      });
    });

const toImport = (file: string, options: Options): Omit<ImportFileOptions, 'config' | 'environment'> => ({
  source: {
    file,
    ...(options.worksheet === undefined ? {} : { worksheet: options.worksheet }),
    ...(options.headerRow === undefined ? {} : { headerRow: options.headerRow }),
    ...(options.delimiter === undefined ? {} : { delimiter: options.delimiter }),
    ...(Object.keys(options.set).length === 0 ? {} : { constants: options.set }),
  },
  definition: definitionIn(options),
  commit: options.commit,
  again: options.force === true ? 'forced' : 'refused',
  ...consentOf(options),
});

/** A required option of this command would be asked of those below it too. */
function definitionIn({ definition }: Options): string {
  if (definition !== undefined) return definition;
  throw new DexsyncError('USAGE', 'It is not said through which import definition the file goes.', {
    hint: 'Name it: `dexsync import FILE --definition NAME`. `dexsync get ImportDefinition` lists them.',
  });
}

function rowNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('Rows count from 1.');
  return Number(text);
}

/** Shells pass `\t` on as two characters. */
function oneCharacter(text: string): string {
  const character = text === '\\t' ? '\t' : text;
  if (character.length !== 1) throw new InvalidArgumentError('One character is expected, or \\t for a tab.');
  return character;
}
