import { Command } from 'commander';
import { apply, EXIT, type ManualSteps } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type Asking, confirmation } from './confirm.js';
import { manifestOptions } from './manifest-options.js';
import { manualOption } from './manual-option.js';
import { wholeNumber } from './option-values.js';
import { type PlanningFlags, planningOf, planningOptions } from './planning-options.js';
import { reasonOption } from './reason-option.js';
import { run } from './run.js';

interface Options extends GlobalOptions, Asking, PlanningFlags {
  readonly manual: ManualSteps;
  readonly parallelism?: number;
}

export const applyCommand = (cli: Cli): Command =>
  planningOptions(manifestOptions(new Command('apply')))
    .summary('make the workspace as the manifests say')
    .description(
      'Plans, shows the plan, asks, and carries out exactly that plan. A step that fails skips only what needs it.',
    )
    .option('-y, --yes', 'do not ask')
    .addOption(manualOption())
    .addOption(reasonOption())
    .option('--json', 'print one JSON event a line, the last one a summary')
    .option('--parallelism <n>', 'how many steps may be under way at once, 1 to 64 (default 8)', wholeNumber(1, 64))
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  dexsync apply\n' +
        '  dexsync apply --env prod --yes --json\n' +
        '  kustomize build overlay | dexsync apply -f - --var site=Vienna --yes',
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project, view }) => {
        const confirm = confirmation(cli, 'apply', options);
        const { manual, parallelism } = options;
        const attended = options.yes === true ? ('no' as const) : ('yes' as const);
        const how = { manual, attended, ...(parallelism === undefined ? {} : { parallelism }) };
        const summary = await apply(
          { ...project, ...planningOf(options), ...how, confirm: (plan) => confirm(plan, view) },
          host,
        );
        if (summary !== undefined) return summary.exitCode;
        cli.out.write('Nothing was applied.\n');
        return EXIT.incomplete;
      });
    });
