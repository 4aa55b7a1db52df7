import { Command, Option } from 'commander';
import { EXIT, explainPlan, type ManualSteps, plan, planInto } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { manualOption } from './manual-option.js';
import { planCheckCommand } from './plan-check.js';
import { addPlanningOptions, type PlanningFlags, planningOf } from './planning-flags.js';
import { printDocument } from './print-document.js';
import { printMade, withRowChanges } from './print-plan.js';
import { summaryOption } from './quiet-option.js';
import { reasonOption } from './reason-option.js';
import { type ReportFlags, reportOption, textBesideReport } from './report-option.js';
import { type Running, run } from './run.js';
import { planListCommand, planRemoveCommand, planReviewCommand } from './saved-plans.js';

interface PlanFlags extends ReportFlags, PlanningFlags {
  readonly json?: boolean;
  readonly out?: string;
  readonly explain?: string;
  readonly validateImports?: boolean;
  readonly detailedExitcode?: boolean;
  readonly manual: ManualSteps;
}

/** `dexsync plan`: what an apply would do. Sends no write; exit 4 where something is blocked or left to a person. */
export const planCommand = (cli: Cli): Command =>
  addPlanningOptions(addManifestOptions(new Command('plan')))
    .summary('show what apply would do')
    .description('Compares the manifests with the workspace and shows every difference. Read-only.')
    .addArgument(environmentWord())
    .addOption(documentOption())
    .addOption(reportOption().conflicts('explain'))
    .addOption(outOption())
    .addOption(validateImportsOption())
    .option('--explain <address>', 'show which rule decided each field of this object')
    .option('--detailed-exitcode', 'exit with 2 if the plan has changes; a plan with blocked steps always exits with 4')
    .addOption(summaryOption().conflicts('explain'))
    .addOption(manualOption())
    .addOption(reasonOption('reason for this plan; `dexsync plan list` and `dexsync history` show it'))
    .addCommand(planCheckCommand(cli))
    .addCommand(planListCommand(cli))
    .addCommand(planReviewCommand(cli))
    .addCommand(planRemoveCommand(cli))
    .addHelpText(
      'after',
      examples(
        'dexsync plan',
        'dexsync plan prod --detailed-exitcode',
        'dexsync plan --summary',
        'dexsync plan --json | jq .summary',
        'dexsync plan --preview-pages rows',
        'dexsync plan --output md=plan.md --output junit=report.xml',
        'dexsync plan --out plan.json && dexsync apply plan.json',
        'dexsync plan --env prod --out ledger:release-12',
        'dexsync plan -f manifests/groups.yaml --var site=Vienna',
      ),
    )
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<PlanFlags>();
      if (options.explain !== undefined) return printExplanation(cli, options.explain, options);
      const shown = textBesideReport(cli, options);
      const validate = options.validateImports === true ? { validateImports: 'yes' as const } : {};
      await withRowChanges(async (changes) => {
        const work = async (running: Running) => {
          const how = { ...running.project, ...planningOf(options), ...validate, changes };
          return printMade(shown, options, running, how, { make: plan, save: planInto });
        };
        await run(shown, options.json === true ? 'findings' : 'human', options, work, {
          targets: options.output,
          json: 'document',
        });
      });
    });

const outOption = (): Option =>
  new Option(
    '--out <file>',
    'save the plan to a file, or in the ledger as ledger:NAME; `dexsync apply FILE` applies exactly this plan',
  ).conflicts('explain');

const validateImportsOption = (): Option =>
  new Option(
    '--validate-imports',
    'have the service validate the rows of imports now; applying the plan commits the same runs',
  );

const printExplanation = (cli: Cli, address: string, options: PlanFlags): Promise<void> =>
  run(cli, 'findings', options, async ({ host, project }) => {
    const found = await explainPlan({ ...project, ...planningOf(options), address }, host);
    await printDocument(cli, options, found, (texts) => texts.objectExplanation);
    return EXIT.done;
  });
