import { Command } from 'commander';
import {
  type ContinueOptions,
  commitImportRun,
  EXIT,
  importErrors,
  listImports,
  NOTHING_DONE,
  resumeImport,
  retryImport,
  type Summary,
  showImport,
  undoImport,
} from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type ConfirmFlags, planConfirmation, productionConfirmation, sendingQuestion } from './confirm.js';
import { environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { type ListFlags, printList, shortFormatOption, withFormat } from './format-option.js';
import { addGuardOptions, consentOf, type GuardFlags } from './guard-flags.js';
import { documentOption, eventsOption } from './json-option.js';
import { addVariableOptions } from './manifest-options.js';
import { type DocumentFlags, printDocument } from './print-document.js';
import { reasonOption } from './reason-option.js';
import { run } from './run.js';

const RUN_ARGUMENT = 'number of a run, or name of an import';

/** `dexsync import list`: from the journals alone; no request is sent. */
export const importListCommand = (cli: Cli): Command =>
  new Command('list')
    .summary('list imports that were sent to the workspace')
    .description(
      'Lists the imports of this project, newest first. Reads only the journals of dexsync and sends no request.',
    )
    .addArgument(environmentWord())
    .addOption(shortFormatOption())
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync import list --env prod'))
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = withFormat(command.optsWithGlobals<ListFlags>());
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await listImports(project, host);
        await printList(
          cli,
          options,
          found,
          (texts) => texts.imports,
          ({ imports }) => [...new Set(imports.map(({ address }) => address))],
        );
        return EXIT.done;
      });
    });

/** `dexsync import show`: what is recorded, and a request for each run. */
export const importShowCommand = (cli: Cli): Command =>
  new Command('show')
    .summary('show one import and its runs in the workspace')
    .description(
      'Shows what is recorded about an import, and the state of its runs in the service: one request for each run.',
    )
    .argument('<run>', RUN_ARGUMENT)
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync import show 12', 'dexsync import show "Lamp parts" --json | jq .live'))
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
      'Commits an import that was only validated (`commit: never`), or that its commit rule rejected. Failed rows are ' +
        'not committed.',
    )
    .addHelpText('after', examples('dexsync import commit 12', 'dexsync import commit "Lamp parts" --yes'));

/** `dexsync import resume`: settles an import whose command ended early; posts nothing twice. */
export const importResumeCommand = (cli: Cli): Command =>
  continueCommand(cli, 'resume', resumeImport)
    .summary('resume an import whose command ended early')
    .description('Waits for the runs of an import and commits them if its commit rule allows. Nothing is sent twice.')
    .addHelpText('after', examples('dexsync import resume "Lamp parts" --yes'));

/** `dexsync import errors`: every row that failed, at its place in the source; commits nothing. */
export const importErrorsCommand = (cli: Cli): Command =>
  new Command('errors')
    .summary('show the failed rows of an import')
    .description(
      'Reads the error reports of an import again, groups failed rows by cause, and writes the result of every ' +
        'row to success.csv, failed.csv, unprocessed.csv, report.json and report.html.',
    )
    .argument('<run>', RUN_ARGUMENT)
    .addOption(eventsOption())
    .addHelpText('after', examples('dexsync import errors 12'))
    .action(async (named: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project }) => {
        const { errors, failed } = await importErrors({ ...project, run: named }, host);
        if (options.json === true) host.emit({ ...NOTHING_DONE, rows: { committed: 0, failed }, exitCode: EXIT.done });
        else if (errors.count === 0 && options.quiet !== true) cli.out.write('No row failed.\n');
        return EXIT.done;
      });
    });

/** `dexsync import retry`: sends the failed rows once more. */
export const importRetryCommand = (cli: Cli): Command =>
  addGuardOptions(addVariableOptions(new Command('retry')))
    .summary('send the failed rows of an import again, corrected')
    .description("Sends the failed rows again: from the run's failed.csv after you corrected it, or from another FILE.")
    .argument('<run>', RUN_ARGUMENT)
    .argument('[file]', 'file with the corrected rows and the columns of the source')
    .option('-y, --yes', 'do not ask for confirmation in a production environment')
    .addOption(reasonOption())
    .addOption(eventsOption())
    .addHelpText('after', examples('dexsync import retry 12', 'dexsync import retry 12 corrected.csv --env prod'))
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

/** `dexsync import undo`: puts back what an import changed, from its before image. */
export const importUndoCommand = (cli: Cli): Command =>
  addGuardOptions(addVariableOptions(new Command('undo')))
    .summary('undo a committed import')
    .description(
      'Puts back the cells that an import changed, removes the records that it created, and restores what it ' +
        'replaced or removed, from its before image (`beforeImage: true`, `--before-image`). What was changed since stays as it is, ' +
        'and is listed. Exits with 0 if all was undone, with 8 if rows failed, and with 4 if something cannot be undone.',
    )
    .argument('<run>', RUN_ARGUMENT)
    .option('--image <folder>', 'folder with before.csv and absent.csv, if another machine ran the import')
    .option('-y, --yes', 'do not ask for confirmation')
    .addOption(reasonOption())
    .addOption(eventsOption())
    .addHelpText('after', examples('dexsync import undo 12', 'dexsync import undo "Lamp parts" --env prod --yes'))
    .action(async (named: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<
        DocumentFlags & GuardFlags & ConfirmFlags & { readonly image?: string }
      >();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project, view }) => {
        const confirm = planConfirmation(cli, { command: `import undo ${named}`, ask: 'Send this to' }, options);
        const image = options.image === undefined ? {} : { image: options.image };
        const attended = options.yes === true ? ('no' as const) : ('yes' as const);
        const asked = { ...project, ...consentOf(options), ...image, attended, run: named };
        const summary = await undoImport({ ...asked, confirm: confirm(view) }, host);
        if (summary !== undefined) return summary.exitCode;
        cli.out.write('Nothing was undone.\n');
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
    .option('-y, --yes', 'do not ask for confirmation')
    .addOption(reasonOption())
    .addOption(eventsOption())
    .action(async (named: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags & GuardFlags & ConfirmFlags>();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project, view }) => {
        const confirm = planConfirmation(cli, { command: `import ${name} ${named}`, ask: 'Commit to' }, options);
        const asked = { ...project, ...consentOf(options), run: named };
        const summary = await goOn({ ...asked, confirm: confirm(view) }, host);
        if (summary !== undefined) return summary.exitCode;
        cli.out.write('Nothing was committed.\n');
        return EXIT.incomplete;
      });
    });
