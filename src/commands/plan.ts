import { Command } from 'commander';
import { EXIT, explainPlan, type ManualSteps, plan, texts } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { jsonDocument } from './json-document.js';
import { manifestOptions } from './manifest-options.js';
import { manualOption } from './manual-option.js';
import { type PlanningFlags, planningOf, planningOptions } from './planning-options.js';
import { run } from './run.js';

interface Options extends GlobalOptions, PlanningFlags {
  readonly json?: boolean;
  readonly explain?: string;
  readonly detailedExitcode?: boolean;
  readonly manual: ManualSteps;
}

export const planCommand = (cli: Cli): Command =>
  planningOptions(manifestOptions(new Command('plan')))
    .summary('show what an apply would do')
    .description('Compares the manifests with the workspace and shows every difference. Sends no write.')
    .option('--json', 'print one JSON document with all steps')
    .option('--explain <address>', 'say of this object which rule decided about each field')
    .option('--detailed-exitcode', 'exit with 2 where the plan is not empty')
    .addOption(manualOption())
    .addHelpText(
      'after',
      '\nExamples:\n  dexsync plan\n  dexsync plan --env prod --detailed-exitcode\n  dexsync plan --json | jq .summary\n  dexsync plan -f manifests/groups.yaml --var site=Vienna',
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      if (options.explain !== undefined) return explained(cli, options.explain, options);
      await run(cli, options.json === true ? 'findings' : 'human', options, async ({ host, project }) => {
        const made = await plan({ ...project, ...planningOf(options) }, host);
        if (options.json === true) cli.out.write(jsonDocument(made));
        const counted = made.steps.filter(({ action }) => action !== 'manual' || options.manual === 'fail');
        return options.detailedExitcode === true && counted.length > 0 ? EXIT.differences : EXIT.done;
      });
    });

const explained = (cli: Cli, address: string, options: Options): Promise<void> =>
  run(cli, 'findings', options, async ({ host, project }) => {
    const found = await explainPlan({ ...project, ...planningOf(options), address }, host);
    const text = await texts(cli.color, cli.width);
    cli.out.write(options.json === true ? jsonDocument(found) : text.objectExplanation(found));
    return EXIT.done;
  });
