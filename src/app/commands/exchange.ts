import { Command } from 'commander';
import { DexsyncError, EXIT, type FetchOptions, fetchRun } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { productionConfirmation } from './confirm.js';
import { examples } from './examples.js';
import { eventsOption } from './json-option.js';
import { wholeNumber } from './option-values.js';
import { run } from './run.js';

interface FetchFlags extends GlobalOptions {
  readonly out: string;
  readonly number?: number;
  readonly keepArchive?: boolean;
  readonly unpack: boolean;
  readonly force?: boolean;
  readonly latest?: boolean;
  readonly criteria?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const TEN_MINUTES = 600_000;
const A_DAY = 86_400_000;

/** For another export to end, or an archive to be there: `--wait` counts for that too. */
const patienceOf = ({ wait = TEN_MINUTES }: FetchFlags): number => (wait === true ? A_DAY : wait);

/** `dexsync exports run`: runs an export and puts its files into a folder. */
export const exportsCommand = (cli: Cli): Command =>
  new Command('exports')
    .summary('run an export definition and download its files')
    .description('Runs export definitions and downloads their files.')
    .addCommand(
      runDefinitionCommand(cli, 'export')
        .description(
          'Starts an export, waits until it is complete, downloads its archive and unpacks it. If it is interrupted, the ' +
            'same command resumes the run that it started. If another export is in progress, it waits 600 s, or as long ' +
            'as --wait says.',
        )
        .option(
          '--criteria <json>',
          "search criteria for the items, in the service's JSON format; for a definition without criteria",
        )
        .addHelpText(
          'after',
          examples(
            'dexsync exports run "Item specs" --out export',
            'dexsync exports run "Any items" --out export --criteria \\\n' +
              `  '[[{"attribute": "number", "operator": "IS_EQUAL_TO", "value": "P-1"}]]'`,
          ),
        ),
    );

/** `dexsync extracts run`: the same for a DataExtract. */
export const extractsCommand = (cli: Cli): Command =>
  new Command('extracts')
    .summary('run an extract definition and download its files')
    .description('Runs extract definitions and downloads their files.')
    .addCommand(
      runDefinitionCommand(cli, 'extract')
        .description(
          'Starts an extract, waits until it is complete, downloads its archive and unpacks it. Only its owner may read ' +
            'the files. If it is interrupted, the same command resumes the run that it started.',
        )
        .addHelpText(
          'after',
          examples(
            'dexsync extracts run "Nightly extract" --out extract --keep-archive',
            'dexsync extracts run "Nightly extract" --out extract --latest --force',
          ),
        ),
    );

const runDefinitionCommand = (cli: Cli, what: FetchOptions['what']): Command =>
  new Command('run')
    .summary(`run ${runNoun(what)} and download its files`)
    .argument('<name>', `name of the definition; \`dexsync get ${what}definitions\` lists them`)
    .requiredOption('--out <folder>', 'folder for the files; it is created if missing')
    .option('--number <n>', 'number of the definition, if several have this name', wholeNumber(1))
    .option('--latest', 'download the newest completed run instead of starting one')
    .option('--keep-archive', 'keep the ZIP archive as well')
    .option('--no-unpack', 'only download the ZIP archive')
    .option('--force', 'accept a folder that is not empty, and replace files with the same names')
    .option('-y, --yes', 'do not ask for confirmation in a production environment')
    .addOption(eventsOption())
    .action(async (name: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<FetchFlags>();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project, view }) => {
        const confirm = productionConfirmation(cli, options, view, () => `Start ${runNoun(what)} in`);
        const summary = await fetchRun({ ...project, what, name, ...fetchOptionsOf(options), confirm }, host);
        if (summary === undefined) {
          cli.out.write('Nothing was started.\n');
          return EXIT.incomplete;
        }
        host.emit(summary);
        return summary.exitCode;
      });
    });

const runNoun = (what: FetchOptions['what']): string => (what === 'export' ? 'an export' : 'an extract');

const fetchOptionsOf = (options: FetchFlags): Omit<FetchOptions, 'what' | 'name' | 'confirm'> => ({
  folder: folderOf(options),
  archives: options.unpack ? (options.keepArchive === true ? 'kept' : 'unpacked') : 'only',
  existing: options.force === true ? 'replaced' : 'refused',
  source: options.latest === true ? 'latest' : 'new run',
  patience: patienceOf(options),
  ...(options.number === undefined ? {} : { number: options.number }),
  ...(options.criteria === undefined ? {} : { criteria: options.criteria }),
});

function folderOf({ out }: FetchFlags): string {
  if (out !== '') return out;
  throw new DexsyncError('USAGE', '`--out` needs a folder.', { hint: 'Use `--out FOLDER`.' });
}
