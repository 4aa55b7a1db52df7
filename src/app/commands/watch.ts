import { Command, Option } from 'commander';
import { WATCH_POLICIES, type WatchPolicy, watch } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { logOption } from './json-option.js';
import { addVariableOptions } from './manifest-options.js';
import { parseDuration, wholeNumber } from './option-values.js';
import { addSelectionOptions, type SelectionFlags, selectionOf } from './planning-flags.js';
import { reasonOption } from './reason-option.js';
import { run } from './run.js';

interface WatchFlags extends GlobalOptions, SelectionFlags {
  readonly policy: WatchPolicy;
  readonly interval?: number;
  readonly ref?: string;
  readonly every?: number;
  readonly port?: number;
  readonly prune?: boolean;
  readonly yes?: boolean;
  readonly maxRequests?: number;
}

/** `dexsync watch`: plans after each change and each interval, and applies what the policy allows. */
export const watchCommand = (cli: Cli): Command =>
  addSelectionOptions(addVariableOptions(new Command('watch')))
    .summary('keep an environment in line with the manifests')
    .description(
      'Plans again after each change of the manifests and each interval, applies what the policy allows, and reports ' +
        'drift, until it is stopped. A round that fails is reported, and the next one follows. Imports with ' +
        '`when: always` are left to `dexsync apply`.',
    )
    .addArgument(environmentWord())
    .addOption(policyOption())
    .option(
      '--interval <time>',
      'time between rounds, such as 90s, 10m or 6h (default: a quarter of the daily quota is spent on looking)',
      parseDuration,
    )
    .option('--ref <ref>', 'follow a git ref instead of the folder, such as origin/main, which is fetched')
    .option('--every <time>', 'time between two looks at the ref (default 30s)', parseDuration)
    .option('--port <n>', 'serve /metrics, /healthz and /readyz at 127.0.0.1; 0: any free port', wholeNumber(0, 65_535))
    .option('--prune', 'plan deletes too, of what this stack owns and no manifest describes')
    .option('-y, --yes', 'change a production workspace without asking')
    .option('--max-requests <n>', 'block a plan if applying it takes more requests than this', wholeNumber(0))
    .addOption(reasonOption())
    .addOption(logOption())
    .addHelpText('after', POLICIES)
    .addHelpText(
      'after',
      examples(
        'dexsync watch --env dev --policy all',
        'dexsync watch --env prod --policy safe --yes --ref origin/main --port 9464',
        'dexsync watch --env prod --policy none --interval 1h --json',
      ),
    )
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<WatchFlags>();
      const { signal } = cli.host;
      // A signal is how a watch ends, not what interrupts it.
      const lasting = { ...cli, host: { ...cli.host, signal: new AbortController().signal } };
      await run(lasting, options.json === true ? 'log' : 'watch', options, ({ host, project }) =>
        watch({ ...project, ...watchOptionsOf(options) }, { ...host, signal }),
      );
    });

const POLICIES = `
Policies:
  none  apply nothing; report pending changes and drift
  safe  apply what adds and changes as the manifests ask; leave to a person what
        deletes, recreates or adopts an object, overwrites a change made outside
        dexsync, or removes rows, with the steps that need it
  all   apply every plan; guards, protection and ownership hold as always`;

const policyOption = (): Option =>
  new Option('--policy <policy>', 'what is applied').choices(WATCH_POLICIES).default('none');

const watchOptionsOf = (options: WatchFlags): Omit<Parameters<typeof watch>[0], keyof GlobalOptions> => {
  const { policy, interval, ref, every, port, prune, yes, maxRequests } = options;
  return {
    ...{ policy, consent: yes === true ? 'given' : 'none', attended: 'no', ...selectionOf(options) },
    ...(interval === undefined ? {} : { interval }),
    ...(ref === undefined ? {} : { ref }),
    ...(every === undefined ? {} : { every }),
    ...(port === undefined ? {} : { port }),
    ...(prune === undefined ? {} : { prune: 'yes' }),
    ...(maxRequests === undefined ? {} : { maxRequests }),
  };
};
