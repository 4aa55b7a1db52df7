import { type Command, createArgument, createOption, type Option } from 'commander';
import { omitUndefined } from '#base/omit-undefined.js';
import {
  applyFleet,
  type CarryOnOptions,
  DexsyncError,
  fleetWorker,
  type ManualSteps,
  type RolloutStatus,
  resumeFleet,
  retryFleet,
} from '../library/library.js';
import { type Cli, withoutSignal } from './cli-context.js';
import { type ConfirmFlags, yesConfirmation, yesOption } from './confirm.js';
import type { CommandRun } from './define-command.js';
import { defineFleetCommand, fleetWord } from './define-fleet-command.js';
import { eventsOption, logOption } from './json-option.js';
import { manualOption } from './manual-option.js';
import { wholeNumber } from './option-values.js';
import { reasonOption } from './reason-option.js';
import { reportOption } from './report-option.js';

interface WorkFlags extends ConfirmFlags {
  readonly manual: ManualSteps;
  readonly parallelism?: number;
  readonly approvals?: number;
}

const applyOptions = (): Option[] => [
  manualOption(),
  createOption('--parallelism <n>', 'largest number of steps in each environment at the same time, 1 to 64').argParser(
    wholeNumber(1, 64),
  ),
];

const workOptions = (): Option[] => [...applyOptions(), reasonOption(), eventsOption(), reportOption()];

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
  defineFleetCommand(cli, {
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
    examples: [
      'dexsync fleet apply rollout.json --yes --output html=rollout.html',
      'dexsync fleet apply ledger:r41 --approvals 1 --yes --json',
    ],
    run: async (run: CommandRun<WorkFlags>, rollout: string) => {
      const { flags, host } = run;
      const { approvals } = flags;
      const confirm = confirmLater(run, rollout);
      const status = await applyFleet(
        { ...carryOnOptions(run), ...omitUndefined({ approvals }), rollout, confirm },
        host,
      );
      return run.finish(status, 'Nothing was applied.');
    },
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
  defineFleetCommand(cli, {
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

interface WorkerFlags extends WorkFlags {
  readonly concurrency?: number;
}

/** `dexsync fleet worker`: works on rollouts together with other workers. */
export const fleetWorkerCommand = (cli: Cli): Command =>
  defineFleetCommand(withoutSignal(cli), {
    name: 'worker',
    summary: 'work on rollouts together with other workers',
    description:
      'Waits for rollouts of the fleets with `workers: true` and works on them together with the workers on other ' +
      'machines, until it is stopped. `dexsync fleet apply` begins such a rollout and leaves it to them. What ' +
      'a worker leaves when it ends, the others do. They find it in the PostgreSQL database of the ledger, and each ' +
      'needs the configuration and the passwords.',
    options: [
      createOption(
        '--concurrency <n>',
        'how many environments each worker works on at once; the one that started last decides for all (default 8)',
      ).argParser(wholeNumber(1, 64)),
      ...applyOptions(),
      reasonOption(),
      logOption(),
    ],
    view: ({ json }) => (json === true ? 'log' : 'human'),
    examples: ['dexsync fleet worker', 'dexsync fleet worker --concurrency 16 --json'],
    run: async ({ project, flags, host }: CommandRun<WorkerFlags>) => {
      const { manual, parallelism, concurrency } = flags;
      const options = { ...project, manual, ...omitUndefined({ parallelism, concurrency }) };
      return fleetWorker(options, { ...host, signal: cli.host.signal });
    },
  });

/** `dexsync fleet retry`: tries again what failed. */
export const fleetRetryCommand = (cli: Cli): Command =>
  defineFleetCommand(cli, {
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
