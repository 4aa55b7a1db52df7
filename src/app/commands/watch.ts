import { type Command, createOption, type Option } from 'commander';
import { WATCH_POLICIES, type WatchPolicy, watch } from '../library/library.js';
import { type Cli, type GlobalOptions, withoutSignal } from './cli-context.js';
import { type ConfirmFlags, yesOption } from './confirm.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { logOption } from './json-option.js';
import { addVariableOptions } from './manifest-options.js';
import { parseDuration, pickGiven, wholeNumber } from './option-values.js';
import { addSelectionOptions, pickSelection, type SelectionFlags } from './planning-flags.js';
import { reasonOption } from './reason-option.js';

interface WatchFlags extends ConfirmFlags, SelectionFlags {
  readonly policy: WatchPolicy;
  readonly interval?: number;
  readonly ref?: string;
  readonly every?: number;
  readonly port?: number;
  readonly prune?: boolean;
  readonly maxRequests?: number;
}

/** `dexsync watch`: plans after each change and each interval, and applies what the policy allows. */
export const watchCommand = (cli: Cli): Command =>
  defineCommand(withoutSignal(cli), {
    name: 'watch',
    summary: 'keep an environment in line with the manifests',
    description:
      'Plans again after each change of the manifests and each interval, applies what the policy allows, and reports ' +
      'drift, until it is stopped. A round that fails is reported, and the next one follows. Imports with ' +
      '`when: always` are left to `dexsync apply`.',
    arguments: [environmentWord()],
    shared: [addVariableOptions, addSelectionOptions],
    options: watchOptions(),
    notes: POLICIES,
    examples: [
      'dexsync watch --env dev --policy all',
      'dexsync watch --env prod --policy safe --yes --ref origin/main --port 9464',
      'dexsync watch --env prod --policy none --interval 1h --json',
    ],
    view: ({ json }) => (json === true ? 'log' : 'watch'),
    run: async ({ flags, host, project }: CommandRun<WatchFlags>) =>
      watch({ ...project, ...watchOptionsOf(flags) }, { ...host, signal: cli.host.signal }),
  });

const watchOptions = (): Option[] => [
  createOption('--policy <policy>', 'what is applied').choices(WATCH_POLICIES).default('none'),
  createOption(
    '--interval <time>',
    'time between rounds, such as 90s, 10m or 6h (default: a quarter of the daily quota is spent on looking)',
  ).argParser(parseDuration),
  createOption('--ref <ref>', 'follow a git ref instead of the folder, such as origin/main, which is fetched'),
  createOption('--every <time>', 'time between two looks at the ref (default 30s)').argParser(parseDuration),
  createOption('--port <n>', 'serve /metrics, /healthz and /readyz at 127.0.0.1; 0: any free port').argParser(
    wholeNumber(0, 65_535),
  ),
  createOption('--prune', 'plan deletes too, of what this stack owns and no manifest describes'),
  yesOption('change a production workspace without asking'),
  createOption('--max-requests <n>', 'block a plan if applying it takes more requests than this').argParser(
    wholeNumber(0),
  ),
  reasonOption(),
  logOption(),
];

const POLICIES = `
Policies:
  none  apply nothing; report pending changes and drift
  safe  apply what adds and changes as the manifests ask; leave to a person what
        deletes, recreates or adopts an object, overwrites a change made outside
        dexsync, or removes rows, with the steps that need it
  all   apply every plan; guards, protection and ownership hold as always`;

const watchOptionsOf = (flags: WatchFlags): Omit<Parameters<typeof watch>[0], keyof GlobalOptions> => {
  const { policy, prune, yes } = flags;
  return {
    ...{ policy, consent: yes === true ? 'given' : 'none', attended: false, ...pickSelection(flags) },
    ...pickGiven(flags, 'interval', 'ref', 'every', 'port', 'maxRequests'),
    ...(prune === undefined ? {} : { prune: 'yes' }),
  };
};
