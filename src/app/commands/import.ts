import { Command, InvalidArgumentError, Option } from 'commander';
import { DexsyncError, EXIT, type ImportFileOptions, importFile, type ViewKind } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { productionConfirmation, sendingQuestion } from './confirm.js';
import { examples } from './examples.js';
import { addGuardOptions, consentOf, type GuardFlags } from './guard-flags.js';
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
import { wholeNumber } from './option-values.js';
import { reasonOption } from './reason-option.js';
import { type ReportFlags, reportOption, textBesideReport } from './report-option.js';
import { run } from './run.js';
import { addSourceOptions, type SourceFlags, sourceOf } from './source-flags.js';

interface ImportFlags extends ReportFlags, GuardFlags, SourceFlags {
  readonly definition?: string;
  readonly files?: string;
  readonly commit: 'never' | 'clean' | 'always';
  readonly maxErrors?: number | string;
  readonly force?: boolean;
  readonly async?: boolean;
  readonly failOn: 'error' | 'warning';
  readonly repeated?: 'error' | 'sum';
  readonly rowsPerRun?: number;
  readonly verify?: 'none' | 'sample' | 'all';
  readonly beforeImage?: boolean;
  readonly upload?: 'normalised' | 'original';
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `dexsync import`: one file through an import definition, without an Import manifest; exit 8 where rows failed. */
export const importCommand = (cli: Cli): Command =>
  runOptions(commitOptions(addGuardOptions(addVariableOptions(addSourceOptions(new Command('import'))))))
    .summary('send a file through an import definition')
    .description(
      'Checks a CSV, TSV or XLSX file, has the service validate its rows, shows every row that failed, and commits. Exits ' +
        'with 0 if all rows were committed, with 8 if rows failed, and with 4 if a finding in the file blocks the import.',
    )
    .argument('<file>', 'file to import; write ./list for a file that has the name of a subcommand')
    .addCommand(importInspectCommand(cli))
    .addCommand(importMapCommand(cli))
    .addCommand(importListCommand(cli))
    .addCommand(importShowCommand(cli))
    .addCommand(importCommitCommand(cli))
    .addCommand(importResumeCommand(cli))
    .addCommand(importErrorsCommand(cli))
    .addCommand(importRetryCommand(cli))
    .addCommand(importAcknowledgeCommand(cli))
    .addCommand(importUndoCommand(cli))
    .addHelpText(
      'after',
      examples(
        'dexsync import parts.csv --definition "ERP item specs"',
        'dexsync import bom.xlsx --definition "ERP item BOM" --worksheet BOM \\\n' +
          '  --set "Assembly=100-0001" --commit never',
        'dexsync import parts.csv --definition "ERP item specs" --output junit=rows.xml',
        'dexsync import errors 12',
      ),
    )
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ImportFlags>();
      const kind: ViewKind = options.json === true ? 'json' : 'human';
      const shown = textBesideReport(cli, options);
      await run(
        shown,
        kind,
        options,
        async ({ host, project, view }) => {
          const confirm = productionConfirmation(shown, options, view, sendingQuestion);
          const summary = await importFile({ ...project, ...importOptionsOf(file, options), confirm }, host);
          if (summary !== undefined) return summary.exitCode;
          shown.out.write('Nothing was imported.\n');
          return EXIT.incomplete;
        },
        { targets: options.output, json: 'events' },
      );
    });

/** What is imported through which definition, and when it is committed. */
const commitOptions = (command: Command): Command =>
  command
    .option('--files <path>', 'folder or pattern of the physical files that the rows refer to')
    .option('--definition <name>', 'import definition, from the manifests or the workspace')
    .addOption(
      new Option('--commit <rule>', 'when the rows are committed')
        .choices(['never', 'clean', 'always'])
        .default('clean'),
    )
    .addOption(
      new Option('--max-errors <n>', 'commit if at most this number or share of rows failed: 20, 1%')
        .argParser(parseMaxErrors)
        .conflicts('commit'),
    );

/** How it is checked and sent. */
const runOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--fail-on <severity>', 'lowest severity of findings that blocks the import')
        .choices(['error', 'warning'])
        .default('error'),
    )
    .addOption(
      new Option(
        '--repeated <what>',
        'repeated lines of a BOM: findings, or one line with the sum of the quantities',
      ).choices(['error', 'sum']),
    )
    .option('--rows-per-run <n>', 'send the rows in runs of this size; by default all in one run', wholeNumber(1))
    .addOption(
      new Option('--upload <what>', 'what is sent: the mapped columns as CSV, or the file itself').choices([
        'normalised',
        'original',
      ]),
    )
    .addOption(
      new Option('--verify <rows>', 'read committed rows back and compare them').choices(['none', 'sample', 'all']),
    )
    .option('--before-image', 'save the affected records just before the commit, for `dexsync import undo`')
    .option('--async', 'send the rows and exit; `dexsync import resume RUN` continues')
    .option('--force', 'import even if the same content was committed before')
    .option('-y, --yes', 'do not ask for confirmation in a production environment')
    .addOption(reasonOption())
    .addOption(eventsOption())
    .addOption(reportOption());

const importOptionsOf = (
  file: string,
  options: ImportFlags,
): Omit<ImportFileOptions, 'config' | 'environment' | 'confirm'> => ({
  source: { ...sourceOf(file, options), ...(options.files === undefined ? {} : { files: options.files }) },
  definition: definitionIn(file, options),
  commit: options.maxErrors === undefined ? options.commit : { maxErrors: options.maxErrors },
  again: options.force === true ? 'forced' : 'refused',
  wait: options.async === true ? 'no' : 'yes',
  how: {
    failOn: options.failOn,
    ...(options.repeated === undefined ? {} : { repeated: options.repeated }),
    ...(options.rowsPerRun === undefined ? {} : { rowsPerRun: options.rowsPerRun }),
    ...(options.verify === undefined ? {} : { verify: options.verify }),
    ...(options.beforeImage === undefined ? {} : { beforeImage: options.beforeImage }),
    ...(options.upload === undefined ? {} : { upload: options.upload }),
  },
  ...consentOf(options),
});

function parseMaxErrors(text: string): number | string {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (/^\d+(\.\d+)?%$/.test(text)) return text;
  throw new InvalidArgumentError('Give a number of rows, or a percentage such as 1%.');
}

/** A required option of this command would be required of its subcommands too. */
function definitionIn(file: string, { definition }: ImportFlags): string {
  if (definition !== undefined) return definition;
  throw new DexsyncError('USAGE', 'No import definition was given.', {
    hint: /^[A-Z]\w*\/[^.]+$/.test(file)
      ? '`dexsync import` loads the rows of a file. `dexsync adopt KIND/NAME` adopts an existing object.'
      : 'Use `dexsync import FILE --definition NAME`; `dexsync get ImportDefinition` lists them.',
  });
}
