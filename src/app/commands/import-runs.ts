import { type Command, createArgument, createOption } from 'commander';
import { NOTHING_DONE } from '../library/internal.js';
import {
  type ContinueOptions,
  commitImportRun,
  EXIT,
  type Host,
  importErrors,
  listImports,
  resumeImport,
  retryImport,
  type Summary,
  showImport,
  undoImport,
} from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type ConfirmFlags, planConfirmation, sendingConfirmation, yesOption } from './confirm.js';
import { type CommandDefinition, type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { shortFormatOption } from './format-option.js';
import { addGuardOptions, type GuardFlags, toConsentOptions } from './guard-flags.js';
import { documentOption, eventsOption } from './json-option.js';
import { addVariableOptions } from './manifest-options.js';
import { pickGiven } from './option-values.js';
import { reasonOption } from './reason-option.js';

const runArgument = () => createArgument('<run>', 'number of a run, or name of an import');

/** `dexsync import list`: from the journals alone; no request is sent. */
export const importListCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'list',
    summary: 'list imports that were sent to the workspace',
    description:
      'Lists the imports of this project, newest first. Reads only the journals of dexsync and sends no request.',
    arguments: [environmentWord()],
    options: [shortFormatOption(), documentOption()],
    examples: ['dexsync import list --env prod'],
    run: async ({ host, project, printList }) =>
      printList(
        await listImports(project, host),
        (texts) => texts.imports,
        ({ imports }) => [...new Set(imports.map(({ address }) => address))],
      ),
  });

/** `dexsync import show`: the record of an import, and a request for each run. */
export const importShowCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'show',
    summary: 'show one import and its runs in the workspace',
    description:
      'Shows what is recorded about an import, and the state of its runs in the service: one request for each run.',
    arguments: [runArgument()],
    options: [documentOption()],
    examples: ['dexsync import show 12', 'dexsync import show "Lamp parts" --json | jq .live'],
    run: async ({ host, project, print }, named: string) =>
      print(await showImport({ ...project, run: named }, host), (texts) => texts.importRun),
  });

type SendFlags = ConfirmFlags & GuardFlags;

/** What differs between the commands that continue an import. */
interface Continuation extends Pick<CommandDefinition, 'name' | 'summary' | 'description' | 'examples'> {
  readonly operation: (options: ContinueOptions, host: Host) => Promise<Summary | undefined>;
}

const continueCommand = (cli: Cli, { operation, ...help }: Continuation): Command =>
  defineCommand(cli, {
    ...help,
    arguments: [runArgument()],
    shared: [addVariableOptions, addGuardOptions],
    options: [yesOption(), reasonOption(), eventsOption()],
    run: async (run: CommandRun<SendFlags>, named: string) => {
      const confirm = planConfirmation(run, { command: `import ${help.name} ${named}`, ask: 'Commit to' });
      const asked = { ...run.project, ...toConsentOptions(run.flags), run: named, confirm };
      return run.finish(await operation(asked, run.host), 'Nothing was committed.');
    },
  });

/** `dexsync import commit`: commits on request what a commit rule left or refused. */
export const importCommitCommand = (cli: Cli): Command =>
  continueCommand(cli, {
    name: 'commit',
    summary: 'commit a validated import',
    description:
      'Commits an import that was only validated (`commit: never`), or that its commit rule rejected. Failed rows are ' +
      'not committed.',
    examples: ['dexsync import commit 12', 'dexsync import commit "Lamp parts" --yes'],
    operation: commitImportRun,
  });

/** `dexsync import resume`: settles an import whose command ended early; posts nothing twice. */
export const importResumeCommand = (cli: Cli): Command =>
  continueCommand(cli, {
    name: 'resume',
    summary: 'resume an import whose command ended early',
    description: 'Waits for the runs of an import and commits them if its commit rule allows. Nothing is sent twice.',
    examples: ['dexsync import resume "Lamp parts" --yes'],
    operation: resumeImport,
  });

/** `dexsync import errors`: every row that failed, at its place in the source; commits nothing. */
export const importErrorsCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'errors',
    summary: 'show the failed rows of an import',
    description:
      'Reads the error reports of an import again, groups failed rows by cause, and writes the result of every ' +
      'row to success.csv, failed.csv, unprocessed.csv, failed.xlsx, report.json and report.html.',
    arguments: [runArgument()],
    options: [eventsOption()],
    examples: ['dexsync import errors 12'],
    run: async ({ flags, host, project }, named: string) => {
      const { errors, failed } = await importErrors({ ...project, run: named }, host);
      if (flags.json === true) host.emit({ ...NOTHING_DONE, rows: { committed: 0, failed }, exitCode: EXIT.done });
      else if (errors.count === 0 && flags.quiet !== true) cli.out.write('No row failed.\n');
      return EXIT.done;
    },
  });

/** `dexsync import retry`: sends the failed rows once more. */
export const importRetryCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'retry',
    summary: 'send the failed rows of an import again, corrected',
    description: "Sends the failed rows again: from the run's failed.csv after you corrected it, or from another FILE.",
    arguments: [runArgument(), createArgument('[file]', 'file with the corrected rows and the columns of the source')],
    shared: [addVariableOptions, addGuardOptions],
    options: [yesOption(), reasonOption(), eventsOption()],
    examples: ['dexsync import retry 12', 'dexsync import retry 12 corrected.csv --env prod'],
    run: async (run: CommandRun<SendFlags>, named: string, file: string | undefined) => {
      const confirm = sendingConfirmation(run);
      const corrected = file === undefined ? {} : { file };
      const asked = { ...run.project, ...toConsentOptions(run.flags), ...corrected, run: named, confirm };
      return run.finish(await retryImport(asked, run.host), 'Nothing was imported.');
    },
  });

/** `dexsync import undo`: restores what an import changed, from its before image. */
export const importUndoCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'undo',
    summary: 'undo a committed import',
    description:
      'Puts back the cells that an import changed, removes the records that it created, and restores what it ' +
      'replaced or removed, from its before image (`beforeImage: true`, `--before-image`). What was changed since stays as it is, ' +
      'and is listed. Exits with 0 if all was undone, with 8 if rows failed, and with 4 if something cannot be undone.',
    arguments: [runArgument()],
    shared: [addVariableOptions, addGuardOptions],
    options: [
      createOption('--image <folder>', 'folder with before.csv and absent.csv, if another machine ran the import'),
      yesOption(),
      reasonOption(),
      eventsOption(),
    ],
    examples: ['dexsync import undo 12', 'dexsync import undo "Lamp parts" --env prod --yes'],
    run: async (run: CommandRun<SendFlags & { readonly image?: string }>, named: string) => {
      const confirm = planConfirmation(run, { command: `import undo ${named}`, ask: 'Send this to' });
      const attended = run.flags.yes !== true;
      const asked = { ...run.project, ...toConsentOptions(run.flags), ...pickGiven(run.flags, 'image'), run: named };
      return run.finish(await undoImport({ ...asked, attended, confirm }, run.host), 'Nothing was undone.');
    },
  });
