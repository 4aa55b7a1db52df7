import { Command } from 'commander';
import {
  type ContinueOptions,
  commitImportRun,
  EXIT,
  importErrors,
  listImports,
  resumeImport,
  retryImport,
  type Summary,
  showImport,
} from '../index.js';
import type { Cli } from './cli-context.js';
import { type ConfirmFlags, planConfirmation, productionConfirmation, sendingQuestion } from './confirm.js';
import { addGuardOptions, consentOf, type GuardFlags } from './guard-flags.js';
import { addVariableOptions } from './manifest-options.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { reasonOption } from './reason-option.js';
import { run } from './run.js';

const RUN_ARGUMENT = 'a run by its number, or an import by its name';

/** `dexsync import list`: from the journals alone; no request is sent. */
export const importListCommand = (cli: Cli): Command =>
  new Command('list')
    .summary('imports that were sent to the workspace')
    .description('Lists the imports of this project, the newest first. Reads the journals of dexsync alone.')
    .option('--json', 'print one JSON document')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await listImports(project, host);
        await printDocument(cli, options, found, (texts) => texts.imports);
        return EXIT.done;
      });
    });

/** `dexsync import show`: what is recorded, and a request for each run. */
export const importShowCommand = (cli: Cli): Command =>
  new Command('show')
    .summary('one import, and its runs as they are in the workspace now')
    .description('Shows what is recorded of an import and asks the service for its runs: one request for each.')
    .argument('<run>', RUN_ARGUMENT)
    .option('--json', 'print one JSON document')
    .action(async (named: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await showImport({ ...project, run: named }, host);
        await printDocument(cli, options, found, (texts) => texts.importRun);
        return EXIT.done;
      });
    });

/** `dexsync import commit`: commits by name what a rule left or refused. */
export const importCommitCommand = (cli: Cli): Command =>
  continueCommand(cli, 'commit', commitImportRun)
    .summary('commit a validated import')
    .description(
      'Commits an import that was validated and left for a person (`commit: never`), or that its commit rule rejected: ' +
        'rows that failed stay out.',
    );

/** `dexsync import resume`: settles an import whose command ended early; posts nothing twice. */
export const importResumeCommand = (cli: Cli): Command =>
  continueCommand(cli, 'resume', resumeImport)
    .summary('go on with an import whose command ended early')
    .description('Waits for the runs of an import, decides by its commit rule and commits. Posts nothing twice.');

/** `dexsync import errors`: every row that failed, at its place in the source; commits nothing. */
export const importErrorsCommand = (cli: Cli): Command =>
  new Command('errors')
    .summary('the rows of an import that failed, at their places in the file')
    .description(
      'Reads the error reports of an import again, groups them by cause, and accounts for every row in files: ' +
        'success.csv, failed.csv, unprocessed.csv, report.json and report.html.',
    )
    .argument('<run>', RUN_ARGUMENT)
    .option('--json', 'print one JSON event a line')
    .action(async (named: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project }) => {
        const { errors } = await importErrors({ ...project, run: named }, host);
        if (errors.count === 0 && options.json !== true) cli.out.write('No row failed.\n');
        return EXIT.done;
      });
    });

/** `dexsync import retry`: sends the failed rows once more. */
export const importRetryCommand = (cli: Cli): Command =>
  addGuardOptions(addVariableOptions(new Command('retry')))
    .summary('send the failed rows of an import once more, corrected')
    .description(
      'Sends the rows that failed once more, from the failed.csv that was written for the run or from FILE, in which they ' +
        'were corrected.',
    )
    .argument('<run>', RUN_ARGUMENT)
    .argument('[file]', 'the corrected rows, in the columns of the source')
    .option('-y, --yes', 'do not ask; only a production environment is asked for')
    .addOption(reasonOption())
    .option('--json', 'print one JSON event a line, the last one a summary')
    .action(async (named: string, file: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags & GuardFlags & ConfirmFlags>();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project, view }) => {
        const confirm = productionConfirmation(cli, options, view, sendingQuestion);
        const asked = {
          ...project,
          ...consentOf(options),
          run: named,
          confirm,
          ...(file === undefined ? {} : { file }),
        };
        const summary = await retryImport(asked, host);
        if (summary !== undefined) return summary.exitCode;
        cli.out.write('Nothing was imported.\n');
        return EXIT.incomplete;
      });
    });

type ContinueOperation = (
  options: ContinueOptions,
  host: Parameters<typeof resumeImport>[1],
) => Promise<Summary | undefined>;

const continueCommand = (cli: Cli, name: string, goOn: ContinueOperation): Command =>
  addGuardOptions(addVariableOptions(new Command(name)))
    .argument('<run>', RUN_ARGUMENT)
    .option('-y, --yes', 'do not ask')
    .addOption(reasonOption())
    .option('--json', 'print one JSON event a line, the last one a summary')
    .action(async (named: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags & GuardFlags & ConfirmFlags>();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project, view }) => {
        const confirm = planConfirmation(cli, { command: `import ${name}`, ask: 'Commit to' }, options);
        const asked = { ...project, ...consentOf(options), run: named };
        const summary = await goOn({ ...asked, confirm: confirm(view) }, host);
        if (summary !== undefined) return summary.exitCode;
        cli.out.write('Nothing was committed.\n');
        return EXIT.incomplete;
      });
    });
