import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import {
  type ApplyOptions,
  apply,
  applyReviewed,
  applySaved,
  DexsyncError,
  EXIT,
  type ManualSteps,
  projectNames,
  type Summary,
} from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type ConfirmFlags, planConfirmation } from './confirm.js';
import { chooseEnvironment, environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { eventsOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { manualOption } from './manual-option.js';
import { collectTexts, wholeNumber } from './option-values.js';
import { addPlanningOptions, type PlanningFlags, planningOf } from './planning-flags.js';
import { summaryOption } from './quiet-option.js';
import { reasonOption } from './reason-option.js';
import { refuseOptions } from './refuse-options.js';
import { type ReportFlags, reportOption, textBesideReport } from './report-option.js';
import { type Running, run } from './run.js';

interface ApplyFlags extends ReportFlags, ConfirmFlags, PlanningFlags {
  readonly manual: ManualSteps;
  readonly detailedExitcode?: boolean;
  readonly parallelism?: number;
  readonly approvals?: number;
  readonly asReviewed?: readonly string[];
}

/** `dexsync apply`: plans and applies, or applies a saved plan as it is. Ends with the exit code of the summary. */
export const applyCommand = (cli: Cli): Command =>
  addPlanningOptions(addManifestOptions(new Command('apply')))
    .summary('make the workspace match the manifests')
    .description(
      'Makes a plan, shows it, asks for confirmation, and applies exactly that plan. If a step fails, only the steps that ' +
        'depend on it are skipped.',
    )
    .argument(
      '[file]',
      'plan saved by `dexsync plan --out`, a file or ledger:NAME: applied exactly as saved, or refused; no manifest is read. The name of an environment chooses that',
    )
    .addArgument(environmentWord())
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--detailed-exitcode', 'exit with 2 if something was changed; 0 then means that there was nothing to do')
    .addOption(manualOption())
    .addOption(summaryOption())
    .addOption(reasonOption())
    .addOption(eventsOption())
    .addOption(reportOption())
    .addOption(parallelismOption())
    .addOption(asReviewedOption())
    .addOption(approvalsOption())
    .addHelpText(
      'after',
      examples(
        'dexsync apply',
        'dexsync apply prod --yes --json',
        'dexsync apply --yes --summary --detailed-exitcode',
        'dexsync apply --yes --output md=apply.md',
        'dexsync plan --out plan.json && dexsync apply plan.json',
        'dexsync apply ledger:release-12 --env prod --yes --approvals 1',
        'dexsync apply --as-reviewed plan.json --env prod --yes',
        'kustomize build overlay | dexsync apply -f - --var site=Vienna --yes',
      ),
    )
    .action(async (word: string | undefined, _: unknown, __: unknown, command: Command) => {
      const file = await planNamed(cli, word, command);
      const options = command.optsWithGlobals<ApplyFlags>();
      const shown = textBesideReport(cli, options);
      const applying = async (running: Running) => {
        const work = file === undefined ? applyManifests(shown, options) : applyFile(shown, file, command);
        const summary = await work(running);
        if (summary !== undefined) return summary.exitCode;
        shown.out.write('Nothing was applied.\n');
        return EXIT.incomplete;
      };
      await run(shown, options.json === true ? 'json' : 'human', options, applying, {
        targets: options.output,
        json: 'events',
      });
    });

/** The saved plan that the first word names. The name of an environment is taken for that; a file of that name is a mistake. */
async function planNamed({ host }: Cli, word: string | undefined, command: Command): Promise<string | undefined> {
  const { config } = command.optsWithGlobals<ApplyFlags>();
  const project = config === undefined ? {} : { config };
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

const parallelismOption = (): Option =>
  new Option(
    '--parallelism <n>',
    'largest number of steps that run at the same time, 1 to 64; by default 8 at first, then up to 32 while answers stay fast',
  ).argParser(wholeNumber(1, 64));

const asReviewedOption = (): Option =>
  new Option(
    '--as-reviewed <plan>',
    'plan again, and apply only if this saved plan changes the same; a file or ledger:NAME. Repeatable: of others that were ' +
      'reviewed, what the manifests ask for is applied first',
  ).argParser(collectTexts);

const approvalsOption = (): Option =>
  new Option(
    '--approvals <n>',
    'apply a plan of the ledger only if this many people other than its author approved it',
  ).argParser(wholeNumber(1, 99));

type Applying = (running: Running) => Promise<Summary | undefined>;

/** Plans and carries that out. */
function applyManifests(cli: Cli, options: ApplyFlags): Applying {
  const { approvals, asReviewed: reviewed } = options;
  if (approvals !== undefined && reviewed === undefined) {
    throw new DexsyncError('USAGE', '`--approvals` counts the reviews of a saved plan, and no saved plan was given.', {
      hint: 'Give the plan as `ledger:NAME`; `dexsync plan list` lists the names.',
    });
  }
  const confirming = () => planConfirmation(cli, { command: 'apply', ask: 'Apply to' }, options);
  const confirm = reviewed === undefined ? confirming() : later(confirming);
  return ({ host, project, view }) => {
    const how = { ...project, ...planningOf(options), ...applyOptionsOf(options), approvals, confirm: confirm(view) };
    return reviewed === undefined
      ? apply(how, host)
      : applyReviewed({ ...how, reviewed, requireAnswer: confirming }, host);
  };
}

/** That nobody can be asked is said after what stands against the saved plan itself. */
const later =
  (confirming: () => ReturnType<typeof planConfirmation>): ReturnType<typeof planConfirmation> =>
  (view) =>
  (plan, place) =>
    confirming()(view)(plan, place);

/** Carries out what was planned before. */
function applyFile(cli: Cli, file: string, command: Command): Applying {
  const options = command.optsWithGlobals<ApplyFlags>();
  refuseOptions(command, file, [
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
  ]);
  const confirming = () => planConfirmation(cli, { command: `apply ${file}`, ask: 'Apply to' }, options);
  const { approvals } = options;
  return ({ host, project, view }) => {
    const asking = { confirm: later(confirming)(view), requireAnswer: confirming };
    return applySaved({ ...project, ...applyOptionsOf(options), approvals, file, ...asking }, host);
  };
}

const applyOptionsOf = ({
  yes,
  manual,
  detailedExitcode,
  parallelism,
}: ApplyFlags): Pick<ApplyOptions, 'attended' | 'manual' | 'doneIs' | 'parallelism'> => ({
  attended: yes === true ? 'no' : 'yes',
  manual,
  ...(detailedExitcode === true ? { doneIs: 'different' } : {}),
  ...(parallelism === undefined ? {} : { parallelism }),
});
