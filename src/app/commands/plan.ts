import { type Command, createOption, type Option } from 'commander';
import { omitUndefined } from '#base/omit-undefined.js';
import { explainPlan, plan, planInto } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { documentOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { manualOption } from './manual-option.js';
import { inEnvironment } from './many-environments.js';
import { planCheckCommand } from './plan-check.js';
import { addPlanningOptions, type PlanningFlags, toPlanningOptions } from './planning-flags.js';
import {
  detailedExitcodeOption,
  type NewPlanFlags,
  planReasonOption,
  printNewPlan,
  savePlanOption,
} from './print-plan.js';
import { summaryOption } from './quiet-option.js';
import { type ReportFlags, reportOption } from './report-option.js';
import { planVerifyCommand } from './reviews.js';
import { planListCommand, planRemoveCommand, planReviewCommand } from './saved-plans.js';

interface PlanFlags extends ReportFlags, PlanningFlags, NewPlanFlags {
  readonly explain?: string;
  readonly validateImports?: boolean;
}

/** `dexsync plan`: what an apply would do. Sends no write; exit 4 if something is blocked or left to a person. */
export const planCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'plan',
    summary: 'show what apply would do',
    description: 'Compares the manifests with the workspace and shows every difference. Read-only.',
    arguments: [environmentWord()],
    many: { flags: inEnvironment },
    shared: [addManifestOptions, addPlanningOptions],
    options: planOptions(),
    subcommands: [
      planCheckCommand(cli),
      planListCommand(cli),
      planReviewCommand(cli),
      planVerifyCommand(cli),
      planRemoveCommand(cli),
    ],
    examples: [
      'dexsync plan',
      'dexsync plan prod --detailed-exitcode',
      'dexsync plan --summary',
      "dexsync plan 'site-*' --summary",
      'dexsync plan --json | jq .summary',
      'dexsync plan --preview-pages rows',
      'dexsync plan --output md=plan.md --output junit=report.xml',
      'dexsync plan --out plan.json && dexsync apply plan.json',
      'dexsync plan --env prod --out ledger:release-12',
      'dexsync plan -f manifests/groups.yaml --var site=Vienna',
    ],
    view: ({ json, explain }) => (json === true || explain !== undefined ? 'findings' : 'human'),
    run: async (run: CommandRun<PlanFlags>) => {
      const { explain: address, validateImports } = run.flags;
      const options = { ...run.project, ...toPlanningOptions(run.flags) };
      if (address !== undefined)
        return run.print(await explainPlan({ ...options, address }, run.host), (texts) => texts.objectExplanation);
      return printNewPlan(run, { ...options, ...omitUndefined({ validateImports }) }, { make: plan, save: planInto });
    },
  });

const planOptions = (): Option[] => [
  documentOption(),
  reportOption().conflicts('explain'),
  savePlanOption().conflicts('explain'),
  createOption(
    '--validate-imports',
    'have the service validate the rows of imports now; applying the plan commits the same runs',
  ),
  createOption('--explain <address>', 'show which rule decided each field of this object'),
  detailedExitcodeOption(),
  summaryOption().conflicts('explain'),
  manualOption(),
  planReasonOption(),
];
