import { Command, Option } from 'commander';
import { EXIT, type ExitCode, explainPlan, type ManualSteps, type Plan, plan, planInto, texts } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { jsonDocument } from './json-document.js';
import { manifestOptions } from './manifest-options.js';
import { manualOption } from './manual-option.js';
import { planCheckCommand } from './plan-check.js';
import { type PlanningFlags, planningOf, planningOptions } from './planning-options.js';
import { type Running, run } from './run.js';

interface Options extends GlobalOptions, PlanningFlags {
  readonly json?: boolean;
  readonly out?: string;
  readonly explain?: string;
  readonly validateImports?: boolean;
  readonly detailedExitcode?: boolean;
  readonly manual: ManualSteps;
}

export const planCommand = (cli: Cli): Command =>
  planningOptions(manifestOptions(new Command('plan')))
    .summary('show what an apply would do')
    .description('Compares the manifests with the workspace and shows every difference. Sends no write.')
    .option('--json', 'print one JSON document with all steps')
    .addOption(
      new Option(
        '--out <file>',
        'save the plan, so that exactly it can be applied later: `dexsync apply FILE`',
      ).conflicts('explain'),
    )
    .option(
      '--validate-imports',
      'have the service validate the rows of imports now; applying the plan commits those very runs',
    )
    .option('--explain <address>', 'say of this object which rule decided about each field')
    .option(
      '--detailed-exitcode',
      'exit with 2 where the plan would change something; what is blocked is 4 in any case',
    )
    .addOption(manualOption())
    .addCommand(planCheckCommand(cli))
    .addHelpText(
      'after',
      '\nExamples:\n  dexsync plan\n  dexsync plan --env prod --detailed-exitcode\n  dexsync plan --json | jq .summary\n  dexsync plan --out plan.json && dexsync apply plan.json\n  dexsync plan -f manifests/groups.yaml --var site=Vienna',
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      if (options.explain !== undefined) return printExplanation(cli, options.explain, options);
      await run(cli, options.json === true ? 'findings' : 'human', options, async ({ host, view, project }) => {
        const validate = options.validateImports === true ? { validateImports: 'yes' as const } : {};
        const how = { ...project, ...planningOf(options), ...validate };
        const made = await printPlan(cli, how, options, { host, view });
        return exitCodeOf(made, options);
      });
    });

/** Something that an apply could not do counts before what it would do. */
function exitCodeOf({ summary, steps }: Plan, { manual, detailedExitcode }: Options): ExitCode {
  const left = summary.blocked + (manual === 'fail' ? summary.manual : 0);
  if (left > 0) return EXIT.incomplete;
  return detailedExitcode === true && steps.length > summary.manual ? EXIT.differences : EXIT.done;
}

/** The plan, printed, and saved where that was asked for. */
async function printPlan(
  cli: Cli,
  how: Parameters<typeof plan>[0],
  { json, out }: Options,
  { host, view }: Pick<Running, 'host' | 'view'>,
): Promise<Plan> {
  const print = async (made: Plan): Promise<void> => {
    await view.close();
    if (json === true) cli.out.write(jsonDocument(made));
  };
  if (out === undefined) {
    const made = await plan(how, host);
    await print(made);
    return made;
  }
  const saved = await planInto({ ...how, out }, host);
  await print(saved.plan);
  // Beside a document it would be no part of it.
  (json === true ? cli.err : cli.out).write(`Saved to ${out}. Apply it with: ${saved.command}\n`);
  return saved.plan;
}

const printExplanation = (cli: Cli, address: string, options: Options): Promise<void> =>
  run(cli, 'findings', options, async ({ host, project }) => {
    const found = await explainPlan({ ...project, ...planningOf(options), address }, host);
    const text = await texts(cli.color, cli.width);
    cli.out.write(options.json === true ? jsonDocument(found) : text.objectExplanation(found));
    return EXIT.done;
  });
