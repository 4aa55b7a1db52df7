import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, type HistoryOptions, history, historyCsv, showApply } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { wholeNumber } from './option-values.js';
import { pointInTime } from './point-in-time.js';
import { printDocument } from './print-document.js';
import { run } from './run.js';

interface HistoryFlags extends GlobalOptions {
  readonly address?: string;
  readonly since?: Date;
  readonly limit?: number;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** As many as people read; programs get all. */
const MOST_LINES = 30;

/** `dexsync history`: what was applied, from the journals alone; no request is sent. */
export const historyCommand = (cli: Cli): Command =>
  new Command('history')
    .summary('what was applied: who, when, from what, why')
    .description('Lists what was applied to the workspace, the newest first. Reads the journals of dexsync alone.')
    .option('--address <address>', 'only what named this object, Kind/name')
    .option('--since <date>', 'only from then on: 2026-11-21, 2026-11-21T08:00, 7d, 12h', pointInTime(cli.host.clock))
    .option('--limit <n>', `no more than so many, the newest (a table: ${MOST_LINES}; otherwise all)`, wholeNumber(1))
    .option('--json', 'print one JSON document')
    .addOption(new Option('--csv', 'print a line of CSV for each apply').conflicts('json'))
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  dexsync history --env prod --since 7d\n' +
        '  dexsync history --address UserGroup/Quality\n' +
        '  dexsync history --csv > applies.csv\n' +
        '  dexsync history show 12',
    )
    .addCommand(showApplyCommand(cli))
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<HistoryFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await history({ ...project, ...historyOptionsOf(options) }, host);
        if (options.csv === true) cli.out.write(await historyCsv(found));
        else await printDocument(cli, options, found, (texts) => texts.history);
        return EXIT.done;
      });
    });

function historyOptionsOf({
  address,
  since,
  limit,
  json,
  csv,
}: HistoryFlags): Omit<HistoryOptions, 'config' | 'environment'> {
  const most = limit ?? (json === true || csv === true ? undefined : MOST_LINES);
  return {
    ...(address === undefined ? {} : { address }),
    ...(since === undefined ? {} : { since }),
    ...(most === undefined ? {} : { limit: most }),
  };
}

const showApplyCommand = (cli: Cli): Command =>
  new Command('show')
    .summary('everything that is recorded of one apply')
    .description('Shows who applied what and why, the plan as it was, and what became of each step.')
    .argument('<n>', 'its number, as `dexsync history` prints it', applyNumber)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  dexsync history show 12\n  dexsync history show 12 --json | jq .apply')
    .action(async (number: number, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<HistoryFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await showApply({ ...project, number }, host);
        await printDocument(cli, options, found, (texts) => texts.applied);
        return EXIT.done;
      });
    });

function applyNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Applies are numbered from 1.');
}
