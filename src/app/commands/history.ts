import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, type HistoryOptions, history, historyCsv, showApply } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { wholeNumber } from './option-values.js';
import { logText } from './pipeline-log.js';
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
    .summary('list applies: who, when, from what and why')
    .description(
      'Lists what was applied to the workspace, newest first. Reads only the journals of dexsync and sends no request.',
    )
    .addArgument(environmentWord())
    .option('--address <address>', 'show only applies that changed this object, KIND/NAME')
    .option(
      '--since <date>',
      'show only applies since this time: 2026-11-21, 2026-11-21T08:00, 7d, 12h',
      pointInTime(cli.host.clock),
    )
    .option(
      '--limit <n>',
      `show only the newest N applies (default ${MOST_LINES} in a table, otherwise all)`,
      wholeNumber(1),
    )
    .addOption(documentOption())
    .addOption(new Option('--csv', 'print one line of CSV for each apply').conflicts('json'))
    .addHelpText(
      'after',
      examples(
        'dexsync history --env prod --since 7d',
        'dexsync history --address UserGroup/Quality',
        'dexsync history --csv > applies.csv',
        'dexsync history show 12',
      ),
    )
    .addCommand(showApplyCommand(cli))
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<HistoryFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await history({ ...project, ...historyOptionsOf(options) }, host);
        if (options.csv === true) cli.out.write(logText(cli, await historyCsv(found)));
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
    .summary('show everything recorded about one apply')
    .description('Shows who applied what and why, the plan as it was, and the result of each step.')
    .argument('<n>', 'number of the apply, as `dexsync history` prints it', applyNumber)
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync history show 12', 'dexsync history show 12 --json | jq .apply'))
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
