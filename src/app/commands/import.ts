import { type Command, createArgument, createOption, InvalidArgumentError, type Option } from 'commander';
import { DexsyncError, type ImportFileOptions, importFile } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type ConfirmFlags, sendingConfirmation, yesOption } from './confirm.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { addGuardOptions, type GuardFlags, toConsentOptions } from './guard-flags.js';
import { importAcknowledgeCommand } from './import-acknowledge.js';
import { importInspectCommand } from './import-inspect.js';
import { importMapCommand } from './import-map.js';
import {
  importCommitCommand,
  importErrorsCommand,
  importListCommand,
  importResumeCommand,
  importRetryCommand,
  importShowCommand,
  importUndoCommand,
} from './import-runs.js';
import { eventsOption } from './json-option.js';
import { addVariableOptions } from './manifest-options.js';
import { pickGiven, wholeNumber } from './option-values.js';
import { reasonOption } from './reason-option.js';
import { type ReportFlags, reportOption } from './report-option.js';
import { addSourceOptions, type SourceFlags, toImportSource } from './source-flags.js';

interface ImportFlags extends ReportFlags, ConfirmFlags, GuardFlags, SourceFlags {
  readonly definition?: string;
  readonly files?: string;
  readonly commit: 'never' | 'clean' | 'always';
  readonly maxErrors?: number | string;
  readonly force?: boolean;
  readonly async?: boolean;
  readonly failOn: 'error' | 'warning';
  readonly repeated?: 'error' | 'sum' | 'once';
  readonly rowsPerRun?: number;
  readonly verify?: 'none' | 'sample' | 'all';
  readonly beforeImage?: boolean;
  readonly upload?: 'normalised' | 'original';
}

/** `dexsync import`: one file through an import definition, without an Import manifest; exit 8 if rows failed. */
export const importCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'import',
    summary: 'send a file through an import definition',
    description:
      'Checks a CSV, TSV, XLSX, XLS or ODS file, asks at a terminal, has the service validate its rows, shows every row that failed, and commits. Exits ' +
      'with 0 if all rows were committed, with 8 if rows failed, and with 4 if a finding in the file blocks the import.',
    arguments: [createArgument('<file>', 'file to import; write ./list for a file that has the name of a subcommand')],
    shared: [addSourceOptions, addVariableOptions, addGuardOptions],
    options: [...commitOptions(), ...runOptions()],
    subcommands: [
      importInspectCommand(cli),
      importMapCommand(cli),
      importListCommand(cli),
      importShowCommand(cli),
      importCommitCommand(cli),
      importResumeCommand(cli),
      importErrorsCommand(cli),
      importRetryCommand(cli),
      importAcknowledgeCommand(cli),
      importUndoCommand(cli),
    ],
    examples: [
      'dexsync import parts.csv --definition "ERP item specs"',
      'dexsync import bom.xlsx --definition "ERP item BOM" --worksheet BOM \\\n' +
        '  --set "Assembly=100-0001" --commit never',
      'dexsync import parts.csv --definition "ERP item specs" --output junit=rows.xml',
      'dexsync import errors 12',
    ],
    run: async (run: CommandRun<ImportFlags>, file: string) => {
      const confirm = sendingConfirmation(run);
      const summary = await importFile({ ...run.project, ...importOptionsOf(file, run.flags), confirm }, run.host);
      return run.finish(summary, 'Nothing was imported.');
    },
  });

/** Options for what is imported through which definition, and when it is committed. */
const commitOptions = (): Option[] => [
  createOption('--files <path>', 'folder or pattern of the physical files that the rows refer to'),
  createOption('--definition <name>', 'import definition, from the manifests or the workspace'),
  createOption('--commit <rule>', 'when the rows are committed').choices(['never', 'clean', 'always']).default('clean'),
  createOption('--max-errors <n>', 'commit if at most this number or share of rows failed: 20, 1%')
    .argParser(parseMaxErrors)
    .conflicts('commit'),
];

/** Options for how the file is checked and sent. */
const runOptions = (): Option[] => [
  createOption('--fail-on <severity>', 'lowest severity of findings that blocks the import')
    .choices(['error', 'warning'])
    .default('error'),
  createOption(
    '--repeated <what>',
    'repeated lines of a BOM: findings, one line with the sum of the quantities, or that with equal rows counted once',
  ).choices(['error', 'sum', 'once']),
  createOption('--rows-per-run <n>', 'send the rows in runs of this size; by default all in one run').argParser(
    wholeNumber(1),
  ),
  createOption('--upload <what>', 'what is sent: the mapped columns as CSV, or the file itself').choices([
    'normalised',
    'original',
  ]),
  createOption('--verify <rows>', 'read committed rows back and compare them').choices(['none', 'sample', 'all']),
  createOption('--before-image', 'save the affected records just before the commit, for `dexsync import undo`'),
  createOption('--async', 'send the rows and exit; `dexsync import resume RUN` continues'),
  createOption('--force', 'import even if the same content was committed before'),
  yesOption(),
  reasonOption(),
  eventsOption(),
  reportOption(),
];

const importOptionsOf = (
  file: string,
  options: ImportFlags,
): Omit<ImportFileOptions, 'config' | 'environment' | 'confirm'> => ({
  source: { ...toImportSource(file, options), ...pickGiven(options, 'files') },
  definition: definitionIn(file, options),
  commit: options.maxErrors === undefined ? options.commit : { maxErrors: options.maxErrors },
  again: options.force === true ? 'forced' : 'refused',
  wait: options.async !== true,
  how: pickGiven(options, 'failOn', 'repeated', 'rowsPerRun', 'verify', 'beforeImage', 'upload'),
  ...toConsentOptions(options),
});

function parseMaxErrors(text: string): number | string {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (/^\d+(\.\d+)?%$/.test(text)) return text;
  throw new InvalidArgumentError('Give a number of rows, or a percentage such as 1%.');
}

/** Checked here, since an option that the parser requires would be required of the subcommands too. */
function definitionIn(file: string, { definition }: ImportFlags): string {
  if (definition !== undefined) return definition;
  throw new DexsyncError('USAGE', 'No import definition was given.', {
    hint: /^[A-Z]\w*\/[^.]+$/.test(file)
      ? '`dexsync import` loads the rows of a file. `dexsync adopt KIND/NAME` adopts an existing object.'
      : 'Use `dexsync import FILE --definition NAME`; `dexsync get ImportDefinition` lists them.',
  });
}
