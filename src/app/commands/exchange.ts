import { type Command, createArgument, createOption } from 'commander';
import { DexsyncError, type FetchOptions, fetchRun } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type ConfirmFlags, productionConfirmation, productionYesOption } from './confirm.js';
import { type CommandDefinition, type CommandRun, defineCommand } from './define-command.js';
import { eventsOption } from './json-option.js';
import { pickGiven, wholeNumber } from './option-values.js';

interface FetchFlags extends ConfirmFlags {
  readonly out: string;
  readonly number?: number;
  readonly keepArchive?: boolean;
  readonly unpack: boolean;
  readonly force?: boolean;
  readonly latest?: boolean;
  readonly criteria?: string;
}

const TEN_MINUTES = 600_000;
const A_DAY = 86_400_000;

/** How long to wait until another export ends, or an archive is there: `--wait` applies to that too. */
const patienceOf = ({ wait = TEN_MINUTES }: FetchFlags): number => (wait === true ? A_DAY : wait);

/** `dexsync exports run`: runs an export and puts its files into a folder. */
export const exportsCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'exports',
    summary: 'run an export definition and download its files',
    description: 'Runs export definitions and downloads their files.',
    subcommands: [
      runDefinitionCommand(cli, 'export', {
        description:
          'Starts an export, waits until it is complete, downloads its archive and unpacks it. If it is interrupted, the ' +
          'same command resumes the run that it started. If another export is in progress, it waits 600 s, or as long ' +
          'as --wait says.',
        options: [
          createOption(
            '--criteria <json>',
            "search criteria for the items, in the service's JSON format; for a definition without criteria",
          ),
        ],
        examples: [
          'dexsync exports run "Item specs" --out export',
          'dexsync exports run "Any items" --out export --criteria \\\n' +
            `  '[[{"attribute": "number", "operator": "IS_EQUAL_TO", "value": "P-1"}]]'`,
        ],
      }),
    ],
  });

/** `dexsync extracts run`: runs an extract and puts its files into a folder. */
export const extractsCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'extracts',
    summary: 'run an extract definition and download its files',
    description: 'Runs extract definitions and downloads their files.',
    subcommands: [
      runDefinitionCommand(cli, 'extract', {
        description:
          'Starts an extract, waits until it is complete, downloads its archive and unpacks it. Only its owner may read ' +
          'the files. If it is interrupted, the same command resumes the run that it started.',
        examples: [
          'dexsync extracts run "Nightly extract" --out extract --keep-archive',
          'dexsync extracts run "Nightly extract" --out extract --latest --force',
        ],
      }),
    ],
  });

/** What differs between exports and extracts. */
type RunDefinition = Pick<CommandDefinition, 'description' | 'options' | 'examples'>;

const runDefinitionCommand = (
  cli: Cli,
  what: FetchOptions['what'],
  { options = [], ...help }: RunDefinition,
): Command =>
  defineCommand(cli, {
    name: 'run',
    summary: `run ${runNoun(what)} and download its files`,
    ...help,
    arguments: [createArgument('<name>', `name of the definition; \`dexsync get ${what}definitions\` lists them`)],
    options: [
      createOption('--out <folder>', 'folder for the files; it is created if missing').makeOptionMandatory(),
      createOption('--number <n>', 'number of the definition, if several have this name').argParser(wholeNumber(1)),
      createOption('--latest', 'download the newest completed run instead of starting one'),
      createOption('--keep-archive', 'keep the ZIP archive as well'),
      createOption('--no-unpack', 'only download the ZIP archive'),
      createOption('--force', 'accept a folder that is not empty, and replace files with the same names'),
      productionYesOption(),
      eventsOption(),
      ...options,
    ],
    run: async (run: CommandRun<FetchFlags>, name: string) => {
      const { flags, host, project } = run;
      const confirm = productionConfirmation(run, () => `Start ${runNoun(what)} in`);
      const summary = await fetchRun({ ...project, what, name, ...fetchOptionsOf(flags), confirm }, host);
      if (summary !== undefined) host.emit(summary);
      return run.finish(summary, 'Nothing was started.');
    },
  });

const runNoun = (what: FetchOptions['what']): string => (what === 'export' ? 'an export' : 'an extract');

const fetchOptionsOf = (flags: FetchFlags): Omit<FetchOptions, 'what' | 'name' | 'confirm'> => ({
  folder: folderOf(flags),
  archives: flags.unpack ? (flags.keepArchive === true ? 'kept' : 'unpacked') : 'only',
  existing: flags.force === true ? 'replaced' : 'refused',
  source: flags.latest === true ? 'latest' : 'new run',
  patience: patienceOf(flags),
  ...pickGiven(flags, 'number', 'criteria'),
});

function folderOf({ out }: FetchFlags): string {
  if (out !== '') return out;
  throw new DexsyncError('USAGE', '`--out` needs a folder.', { hint: 'Use `--out FOLDER`.' });
}
