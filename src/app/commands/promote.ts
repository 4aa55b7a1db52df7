import { Command } from 'commander';
import { type ExitCode, type ManualSteps, type PromoteOptions, promote, promoteInto } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { addPairOptions, type PairFlags, pairOf, pairOptions } from './environment-pair.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { addVariableOptions } from './manifest-options.js';
import { manualOption } from './manual-option.js';
import { addPromotionOptions, type PlanningFlags, planningOf } from './planning-flags.js';
import { printMade, withRowChanges } from './print-plan.js';
import { summaryOption } from './quiet-option.js';
import { reasonOption } from './reason-option.js';
import { type ReportFlags, reportOption, textBesideReport } from './report-option.js';
import { type Running, run } from './run.js';

interface PromoteFlags extends ReportFlags, PairFlags, PlanningFlags {
  readonly out?: string;
  readonly fromApplied?: boolean;
  readonly detailedExitcode?: boolean;
  readonly manual: ManualSteps;
}

/** `dexsync promote`: a plan for one environment of what another one has. Sends no write. */
export const promoteCommand = (cli: Cli): Command =>
  addPromotionOptions(addVariableOptions(addPairOptions(new Command('promote'), 'environment that the plan is for')))
    .summary('plan for one environment what another one has')
    .description(
      'Plans for one environment the objects of another one, with what they refer to. References go by name, and the ' +
        'overlay and the variables of the environment that is promoted to win. Without `--only`, it promotes what this stack ' +
        'owns there. Nothing is deleted. Read-only: `dexsync apply FILE` applies the saved plan.',
    )
    .option('--from-applied', 'promote what was last applied, by the ledger, instead of what is there now')
    .option(
      '--out <file>',
      'save the plan to a file, or in the ledger as ledger:NAME; `dexsync apply FILE` applies exactly this plan',
    )
    .addOption(documentOption())
    .addOption(reportOption())
    .option('--detailed-exitcode', 'exit with 2 if the plan has changes; a plan with blocked steps always exits with 4')
    .addOption(summaryOption())
    .addOption(manualOption())
    .addOption(reasonOption('reason for this plan; `dexsync plan list` and `dexsync history` show it'))
    .addHelpText(
      'after',
      examples(
        'dexsync promote dev prod',
        'dexsync promote --from dev --to prod --out plan.json',
        'dexsync apply plan.json',
        'dexsync promote --from dev --to prod --only ImportDefinition/Parts',
        'dexsync promote --from dev --to prod --only Import/Nightly --from-applied',
        'dexsync promote --from dev --to prod --out ledger:release-12',
      ),
    )
    .action(async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const { words, reported, ...options } = pairOptions<PromoteFlags>(command);
      const shown = textBesideReport(cli, options);
      await withRowChanges(async (changes) => {
        const work = (running: Running): Promise<ExitCode> =>
          printMade(
            shown,
            options,
            running,
            { ...howOf(options, words, command, running), changes },
            { make: promote, save: promoteInto },
          );
        await run(shown, options.json === true ? 'findings' : 'human', reported, work, {
          targets: options.output,
          json: 'document',
        });
      });
    });

function howOf(
  options: PromoteFlags,
  words: readonly string[],
  command: Command,
  { project }: Pick<Running, 'project'>,
): PromoteOptions {
  const { environment: _, files: __, ...rest } = project;
  const { prune: ___, ...planning } = planningOf(options);
  const as = options.fromApplied === true ? { as: 'applied' as const } : {};
  return { ...rest, ...planning, ...pairOf(options, command, words), ...as };
}
