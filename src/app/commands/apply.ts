import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, createArgument, createOption, type Option } from 'commander';
import { omitUndefined } from '#base/omit-undefined.js';
import {
  type ApplyOptions,
  type Ask,
  apply,
  applyReviewed,
  applySaved,
  DexsyncError,
  type ManualSteps,
  type Plan,
  projectNames,
  type Summary,
} from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type ConfirmFlags, planConfirmation, yesOption } from './confirm.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { chooseEnvironment, environmentWord } from './environment-word.js';
import { eventsOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { manualOption } from './manual-option.js';
import { collectTexts, pickGiven, wholeNumber } from './option-values.js';
import { addPlanningOptions, type PlanningFlags, toPlanningOptions } from './planning-flags.js';
import { summaryOption } from './quiet-option.js';
import { reasonOption } from './reason-option.js';
import { refuseOptions } from './refuse-options.js';
import { type ReportFlags, reportOption } from './report-option.js';

interface ApplyFlags extends ReportFlags, ConfirmFlags, PlanningFlags {
  readonly manual: ManualSteps;
  readonly detailedExitcode?: boolean;
  readonly parallelism?: number;
  readonly approvals?: number;
  readonly asReviewed?: readonly string[];
  readonly outsideChain?: boolean;
  /** The first argument, unless it names an environment. */
  readonly savedPlan?: string;
}

/** `dexsync apply`: plans and applies, or applies a saved plan as it is. Ends with the exit code of the summary. */
export const applyCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'apply',
    summary: 'make the workspace match the manifests',
    description:
      'Makes a plan, shows it, asks for confirmation, and applies exactly that plan. If a step fails, only the steps that ' +
      'depend on it are skipped.',
    arguments: [
      createArgument(
        '[file]',
        'plan saved by `dexsync plan --out`, a file or ledger:NAME: applied exactly as saved, or refused; no manifest is read. The name of an environment chooses that',
      ),
      environmentWord(),
    ],
    shared: [addManifestOptions, addPlanningOptions],
    options: applyOptions(),
    examples: [
      'dexsync apply',
      'dexsync apply prod --yes --json',
      'dexsync apply --yes --summary --detailed-exitcode',
      'dexsync apply --yes --output md=apply.md',
      'dexsync plan --out plan.json && dexsync apply plan.json',
      'dexsync apply ledger:release-12 --env prod --yes --approvals 1',
      'dexsync apply --as-reviewed plan.json --env prod --yes',
      'kustomize build overlay | dexsync apply -f - --var site=Vienna --yes',
    ],
    flags: async (command) => {
      const savedPlan = await savedPlanIn(cli, command);
      return { ...command.optsWithGlobals<ApplyFlags>(), ...omitUndefined({ savedPlan }) };
    },
    run: async (run: CommandRun<ApplyFlags>) => {
      const { savedPlan } = run.flags;
      const summary = savedPlan === undefined ? applyManifests(run) : applySavedPlan(run, savedPlan);
      return run.finish(await summary, 'Nothing was applied.');
    },
  });

const applyOptions = (): Option[] => [
  yesOption(),
  createOption(
    '--detailed-exitcode',
    'exit with 2 if something was changed; 0 then means that there was nothing to do',
  ),
  manualOption(),
  summaryOption(),
  reasonOption(),
  eventsOption(),
  reportOption(),
  createOption(
    '--parallelism <n>',
    'largest number of steps that run at the same time, 1 to 64; by default 8 at first, then up to 32 while answers stay fast',
  ).argParser(wholeNumber(1, 64)),
  createOption(
    '--as-reviewed <plan>',
    'plan again, and apply only if this saved plan changes the same; a file or ledger:NAME. Repeatable: of others that were ' +
      'reviewed, what the manifests ask for is applied first',
  ).argParser(collectTexts),
  createOption(
    '--outside-chain',
    'apply to an environment that releases are promoted to (`promotion`), such as a hotfix; needs --reason',
  ),
  createOption(
    '--approvals <n>',
    'apply a plan of the ledger only if this many people other than its author approved it',
  ).argParser(wholeNumber(1, 99)),
];

/** The saved plan in the first argument. If it names an environment, chooses that; a file of that name is an error. */
async function savedPlanIn({ host }: Cli, command: Command): Promise<string | undefined> {
  const [word] = command.args;
  const project = pickGiven(command.optsWithGlobals<ApplyFlags>(), 'config');
  const names =
    word === undefined ? [] : await projectNames('environments', project, { ...host, emit: () => undefined });
  if (word === undefined || !names.includes(word)) return word;
  const found = await stat(resolve(host.cwd, word)).catch(() => undefined);
  if (found?.isFile() === true) {
    command.error(`error: "${word}" is a file and an environment; write \`./${word}\` or \`--env ${word}\`.`);
  }
  chooseEnvironment(command, word);
  return undefined;
}

async function applyManifests(run: CommandRun<ApplyFlags>): Promise<Summary | undefined> {
  const { flags, host } = run;
  const { approvals, asReviewed: reviewed } = flags;
  if (approvals !== undefined && reviewed === undefined) {
    throw new DexsyncError('USAGE', '`--approvals` counts the reviews of a saved plan, and no saved plan was given.', {
      hint: 'Give the plan as `ledger:NAME`; `dexsync plan list` lists the names.',
    });
  }
  const confirmation = () => planConfirmation(run, { command: 'apply', ask: 'Apply to' });
  const confirm = reviewed === undefined ? confirmation() : confirmLater(confirmation);
  const options = { ...run.project, ...toPlanningOptions(flags), ...applyOptionsOf(flags), approvals, confirm };
  if (reviewed === undefined) return apply(options, host);
  return applyReviewed({ ...options, reviewed, requireAnswer: confirmation }, host);
}

/** Reports that nobody can be asked only after errors about the saved plan itself. */
const confirmLater =
  (confirmation: () => Ask<Plan>): Ask<Plan> =>
  (plan, place) =>
    confirmation()(plan, place);

/** Options that apply to a saved plan, too. */
const SAVED_PLAN_OPTIONS = [
  'yes',
  'json',
  'quiet',
  'summary',
  'manual',
  'detailedExitcode',
  'output',
  'parallelism',
  'reason',
  'approvals',
  'outsideChain',
];

async function applySavedPlan(run: CommandRun<ApplyFlags>, file: string): Promise<Summary | undefined> {
  const { flags, project, host } = run;
  refuseOptions(run.command, file, SAVED_PLAN_OPTIONS);
  const confirmation = () => planConfirmation(run, { command: `apply ${file}`, ask: 'Apply to' });
  const consent = { confirm: confirmLater(confirmation), requireAnswer: confirmation, approvals: flags.approvals };
  return applySaved({ ...project, ...applyOptionsOf(flags), ...consent, file }, host);
}

const applyOptionsOf = ({
  yes,
  manual,
  detailedExitcode,
  parallelism,
  outsideChain,
}: ApplyFlags): Pick<ApplyOptions, 'attended' | 'manual' | 'doneIs' | 'parallelism' | 'outsideChain'> => ({
  attended: yes !== true,
  manual,
  ...(detailedExitcode === true ? { doneIs: 'different' } : {}),
  ...omitUndefined({ parallelism, outsideChain }),
});
