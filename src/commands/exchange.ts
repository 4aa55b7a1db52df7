import { Command } from 'commander';
import { DexsyncError, EXIT, type FetchOptions, fetchRun } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { productionConfirmation } from './confirm.js';
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
  new Command('exports').summary('run export definitions and fetch their files').addCommand(
    runDefinitionCommand(cli, 'export')
      .description(
        'Starts an export, waits until it is complete, downloads its archive and unpacks it. Repeated after an ' +
          'interruption, it goes on with the run that it started. Another export in progress is waited for: 600 s, or ' +
          'as long as --wait says.',
      )
      .option('--criteria <json>', "which items, in the service's own words; for definitions without criteria")
      .addHelpText(
        'after',
        '\nExamples:\n' +
          '  dexsync exports run "Item specs" --out export\n' +
          '  dexsync exports run "Any items" --out export \\\n' +
          `    --criteria '[[{"attribute": "number", "operator": "IS_EQUAL_TO", "value": "P-100"}]]'`,
      ),
  );

/** `dexsync extracts run`: the same for a DataExtract. */
export const extractsCommand = (cli: Cli): Command =>
  new Command('extracts').summary('run DataExtract definitions and fetch their files').addCommand(
    runDefinitionCommand(cli, 'extract')
      .description(
        'Starts an extract, waits until it is complete, downloads its archive and unpacks it. Only its owner may read ' +
          'the files. Repeated after an interruption, it goes on with the run that it started.',
      )
      .addHelpText(
        'after',
        '\nExamples:\n' +
          '  dexsync extracts run "Nightly extract" --out extract --keep-archive\n' +
          '  dexsync extracts run "Nightly extract" --out extract --latest --force',
      ),
  );

const runDefinitionCommand = (cli: Cli, what: FetchOptions['what']): Command =>
  new Command('run')
    .summary(`run ${runNoun(what)} and fetch its files`)
    .argument('<name>', `the definition; \`dexsync get ${what}definitions\` lists them`)
    .requiredOption('--out <folder>', 'where the files go; it is made if it is not there')
    .option('--number <n>', 'which definition, where several have the name', wholeNumber(1))
    .option('--latest', 'start no run: fetch the newest completed one')
    .option('--keep-archive', 'keep the ZIP archive too')
    .option('--no-unpack', 'keep the ZIP archive alone')
    .option('--force', 'let the folder hold files, and replace those of the same name')
    .option('-y, --yes', 'do not ask; only a production environment is asked for')
    .option('--json', 'print one JSON event a line, the last one a summary')
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
  throw new DexsyncError('USAGE', '--out names no folder.', { hint: 'Write --out FOLDER.' });
}
