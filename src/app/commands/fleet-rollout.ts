import { type Command, createArgument, createOption, type Option } from 'commander';
import { omitUndefined } from '#base/omit-undefined.js';
import {
  applyFleet,
  type CarryOnOptions,
  DexsyncError,
  EXIT,
  type ExitCode,
  type FleetOptions,
  fleetOrphans,
  fleetStatus,
  type Host,
  type ManualSteps,
  pauseFleet,
  type RolloutStatus,
  resumeFleet,
  retryFleet,
  reviewFleet,
  stopFleet,
} from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type ConfirmFlags, yesConfirmation, yesOption } from './confirm.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { documentOption, eventsOption } from './json-option.js';
import { manualOption } from './manual-option.js';
import { wholeNumber } from './option-values.js';
import { reasonOption } from './reason-option.js';

const fleetWord = () => createArgument('<fleet>', 'a fleet of the configuration');
const rolloutWord = () =>
  createArgument('<rollout>', 'a fleet, whose rollout that was begun last is meant, or ledger:NAME');

interface WorkFlags extends ConfirmFlags {
  readonly manual: ManualSteps;
  readonly parallelism?: number;
  readonly approvals?: number;
}

const workOptions = (): Option[] => [
  manualOption(),
  createOption('--parallelism <n>', 'largest number of steps in each environment at the same time, 1 to 64').argParser(
    wholeNumber(1, 64),
  ),
  reasonOption(),
  eventsOption(),
];

const NOTES = `
With --wait it stays during soaks and until environments are tried again that
could not be reached; without it, it ends with 4 and the time.

Exit codes: 0: all environments are done; 1: some failed or ended unknown, a
check was refused, or it was stopped; 4: something is still to come.`;

const carryOnOptions = ({ project, flags }: CommandRun<WorkFlags>): CarryOnOptions => ({
  ...project,
  ...{ wait: flags.wait !== undefined, manual: flags.manual },
  ...omitUndefined({ parallelism: flags.parallelism }),
});

/** `dexsync fleet apply`: begins a rollout. */
export const fleetApplyCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'apply',
    summary: 'apply a rollout, wave by wave',
    description:
      'Applies exactly the plans that `dexsync fleet plan --out` saved: the canary first, then wave after wave. An ' +
      'environment that cannot be reached, is locked or out of quota is tried again later and holds up none of the ' +
      'others. Once more environments fail than the budget allows, no other is begun. A rollout that was begun is resumed.',
    arguments: [createArgument('<rollout>', 'rollout saved by `dexsync fleet plan --out`: a file or ledger:NAME')],
    options: [
      yesOption(),
      createOption(
        '--approvals <n>',
        'apply a rollout of the ledger only if this many people other than its author approved each group',
      ).argParser(wholeNumber(1, 99)),
      ...workOptions(),
    ],
    notes: NOTES,
    examples: ['dexsync fleet apply rollout.json --yes', 'dexsync fleet apply ledger:r41 --approvals 1 --yes --json'],
    run: async (run: CommandRun<WorkFlags>, rollout: string) => {
      const { flags, host } = run;
      const { approvals } = flags;
      if (approvals !== undefined && !rollout.startsWith('ledger:')) throw withoutReviews(rollout);
      const confirm = confirmLater(run, rollout);
      const status = await applyFleet(
        { ...carryOnOptions(run), ...omitUndefined({ approvals }), rollout, confirm },
        host,
      );
      return run.finish(status, 'Nothing was applied.');
    },
  });

const withoutReviews = (file: string): DexsyncError =>
  new DexsyncError('USAGE', `\`--approvals\` counts the reviews of a rollout in the ledger, but ${file} is a file.`, {
    hint: 'Save the rollout with `dexsync fleet plan FLEET --out ledger:NAME`, or remove `--approvals`.',
  });

/** Asks only once the rollout is known to belong here. */
const confirmLater =
  ({ cli, flags }: CommandRun<WorkFlags>, rollout: string) =>
  async ({ fleet, targets }: RolloutStatus): Promise<boolean> => {
    if (targets.length === 0) return true;
    const waves = new Set(targets.map(({ wave }) => wave)).size;
    const how = waves === 1 ? 'at once' : `in ${waves} waves`;
    const what = targets.length === 1 ? '1 environment' : `${targets.length} environments`;
    return yesConfirmation({ cli, flags }, `fleet apply ${rollout}`)(`Apply to ${what} of the fleet ${fleet}, ${how}?`);
  };

/** `dexsync fleet resume`: resumes a rollout. */
export const fleetResumeCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'resume',
    summary: 'resume the rollout of a fleet',
    description:
      'Resumes the rollout that was begun last, after a pause, a soak, an approval or the end of its process. ' +
      'Repeats nothing that was done, and does nothing if nothing is due, so that a scheduler can run it at any time.',
    arguments: [fleetWord()],
    options: workOptions(),
    notes: NOTES,
    examples: ['dexsync fleet resume sites', 'dexsync fleet resume sites --wait --json'],
    run: async (run: CommandRun<WorkFlags>, fleet: string) =>
      (await resumeFleet({ ...carryOnOptions(run), fleet }, run.host)).exitCode,
  });

/** `dexsync fleet retry`: tries again what failed. */
export const fleetRetryCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'retry',
    summary: 'try again where a rollout failed',
    description:
      'Tries again the environments that failed or ended unknown and the check that refused a wave, and resumes the rollout. Where a part of the plan ' +
      'was done, it is planned again and continues only if that changes what is left of it.',
    arguments: [fleetWord()],
    options: [createOption('--failed', 'what failed or ended unknown; required'), ...workOptions()],
    notes: NOTES,
    examples: ['dexsync fleet retry sites --failed'],
    run: async (run: CommandRun<WorkFlags & { readonly failed?: boolean }>, fleet: string) => {
      if (run.flags.failed !== true)
        throw new DexsyncError('USAGE', '`dexsync fleet retry` needs to know what to try again.', {
          hint: 'Add `--failed`; environments that wait or are deferred need only `dexsync fleet resume`.',
        });
      return (await retryFleet({ ...carryOnOptions(run), fleet }, run.host)).exitCode;
    },
  });

/** A command that looks at a rollout or says something about it, and prints its status. */
interface SteeringCommand<Flags extends GlobalOptions> {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly options?: readonly Option[];
  readonly examples: readonly string[];
  readonly exitCode?: (status: RolloutStatus) => ExitCode;
  readonly steer: (options: FleetOptions, host: Host, flags: Flags) => Promise<RolloutStatus>;
}

const steeringCommand = <Flags extends GlobalOptions>(
  cli: Cli,
  { steer, options = [], exitCode = () => EXIT.done, ...texts }: SteeringCommand<Flags>,
): Command =>
  defineCommand(cli, {
    ...texts,
    arguments: [rolloutWord()],
    options: [...options, documentOption()],
    run: async ({ project, flags, host, print }: CommandRun<Flags>, fleet: string) => {
      const status = await steer({ ...project, fleet }, host, flags);
      return print(status, (all) => all.rollout, exitCode(status));
    },
  });

/** `dexsync fleet status`: how far a rollout is. */
export const fleetStatusCommand = (cli: Cli): Command =>
  steeringCommand(cli, {
    name: 'status',
    summary: 'show how far the rollout of a fleet is',
    description:
      'Shows the rollout that was begun last, or if none was, the one that was saved last: its waves, what failed or is ' +
      'deferred and why, and what happens next. Sends no request.',
    examples: ['dexsync fleet status sites', 'dexsync fleet status ledger:r41 --json | jq .next'],
    exitCode: ({ exitCode }) => exitCode,
    steer: fleetStatus,
  });

/** `dexsync fleet pause`: pauses a rollout. */
export const fleetPauseCommand = (cli: Cli): Command =>
  steeringCommand(cli, {
    name: 'pause',
    summary: 'begin no other environment until the rollout is resumed',
    description:
      'Pauses a rollout, also one that another process works on: what was begun ends, and no other environment is begun. ' +
      '`dexsync fleet resume` continues. Sends no request.',
    options: [reasonOption('reason for the pause')],
    examples: ['dexsync fleet pause sites --reason "complaints from Graz"'],
    steer: pauseFleet,
  });

/** `dexsync fleet stop`: ends a rollout. */
export const fleetStopCommand = (cli: Cli): Command =>
  steeringCommand(cli, {
    name: 'stop',
    summary: 'end a rollout for good',
    description:
      'Ends a rollout, also one that another process works on: what was begun ends, no other environment is begun, and ' +
      'the plans of the others are removed. What was applied stays. Sends no request.',
    options: [reasonOption('reason for the stop')],
    examples: ['dexsync fleet stop sites --reason "wrong release"'],
    steer: stopFleet,
  });

interface ReviewFlags extends GlobalOptions {
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly group?: string;
}

/** `dexsync fleet review`: a verdict on a rollout or on its wave. */
export const fleetReviewCommand = (cli: Cli): Command =>
  steeringCommand<ReviewFlags>(cli, {
    name: 'review',
    summary: 'approve or reject a rollout, or the wave that waits',
    description:
      'Records a verdict. Before a rollout is begun it is about the changes of its groups, for exactly their environments; ' +
      'afterwards about the wave that waits for approval or that the check refused. The last verdict of a person counts. ' +
      'Sends no request.',
    options: [
      createOption('--approve', 'approve it').conflicts('reject'),
      createOption('--reject', 'reject it'),
      createOption('--group <digest>', 'only the group whose digest begins so; by default all'),
      reasonOption('reason for the verdict'),
    ],
    examples: [
      'dexsync fleet review ledger:r41 --approve',
      'dexsync fleet review sites --reject --reason "canary is slow"',
    ],
    steer: (options, host, { approve, reject, group }) => {
      if (approve !== true && reject !== true)
        throw new DexsyncError('USAGE', '`dexsync fleet review` needs a verdict.', {
          hint: 'Add `--approve` or `--reject`.',
        });
      const verdict = approve === true ? 'approved' : 'rejected';
      return reviewFleet({ ...options, verdict, ...omitUndefined({ group }) }, host);
    },
  });

/** `dexsync fleet orphans`: what left a fleet. */
export const fleetOrphansCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'orphans',
    summary: 'list environments that left a fleet',
    description:
      'Lists the environments in which a rollout of the fleet was done and that it no longer selects, such as rows that ' +
      'left the table. Nothing happens to their workspaces. Sends no request.',
    arguments: [fleetWord()],
    options: [documentOption()],
    examples: ['dexsync fleet orphans sites'],
    run: async ({ project, host, print }, fleet: string) =>
      print(await fleetOrphans({ ...project, fleet }, host), (all) => all.fleetOrphans),
  });
