import { type Command, createArgument, createOption, InvalidArgumentError } from 'commander';
import { historyCsv } from '../library/internal.js';
import { EXIT, type HistoryOptions, history, showApply } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { documentOption } from './json-option.js';
import { pickGiven, wholeNumber } from './option-values.js';
import { logText } from './pipeline-log.js';
import { pointInTime } from './point-in-time.js';

interface HistoryFlags extends GlobalOptions {
  readonly address?: string;
  readonly since?: Date;
  readonly limit?: number;
  readonly csv?: boolean;
}

/** Default limit for people; programs get all applies. */
const MOST_LINES = 30;

/** `dexsync history`: past applies, from the journals alone; no request is sent. */
export const historyCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'history',
    summary: 'list applies: who, when, from what and why',
    description:
      'Lists what was applied to the workspace, newest first. Reads only the journals of dexsync and sends no request.',
    arguments: [environmentWord()],
    options: [
      createOption('--address <address>', 'show only applies that changed this object, KIND/NAME'),
      createOption(
        '--since <date>',
        'show only applies since this time: 2026-11-21, 2026-11-21T08:00, 7d, 12h',
      ).argParser(pointInTime(cli.host.clock)),
      createOption(
        '--limit <n>',
        `show only the newest N applies (default ${MOST_LINES} in a table, otherwise all)`,
      ).argParser(wholeNumber(1)),
      documentOption(),
      createOption('--csv', 'print one line of CSV for each apply').conflicts('json'),
    ],
    subcommands: [showApplyCommand(cli)],
    examples: [
      'dexsync history --env prod --since 7d',
      'dexsync history --address UserGroup/Quality',
      'dexsync history --csv > applies.csv',
      'dexsync history show 12',
    ],
    run: async ({ flags, host, project, print }: CommandRun<HistoryFlags>) => {
      const found = await history({ ...project, ...historyOptionsOf(flags) }, host);
      if (flags.csv !== true) return print(found, (texts) => texts.history);
      cli.out.write(logText(cli, await historyCsv(found)));
      return EXIT.done;
    },
  });

function historyOptionsOf(flags: HistoryFlags): Omit<HistoryOptions, 'config' | 'environment'> {
  const most = flags.json === true || flags.csv === true ? {} : { limit: MOST_LINES };
  return { ...most, ...pickGiven(flags, 'address', 'since', 'limit') };
}

const showApplyCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'show',
    summary: 'show everything recorded about one apply',
    description: 'Shows who applied what and why, the plan as it was, and the result of each step.',
    arguments: [
      createArgument('<n>', 'number of the apply, as `dexsync history` prints it').argParser(parseApplyNumber),
    ],
    options: [documentOption()],
    examples: ['dexsync history show 12', 'dexsync history show 12 --json | jq .apply'],
    run: async ({ host, project, print }, number: number) =>
      print(await showApply({ ...project, number }, host), (texts) => texts.applied),
  });

function parseApplyNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Applies are numbered from 1.');
}
