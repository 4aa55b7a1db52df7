import { Command, Option } from 'commander';
import { DexsyncError, EXIT, listPlans, removePlan, reviewPlan } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { type ListFlags, printList, shortFormatOption, withFormat } from './format-option.js';
import { documentOption } from './json-option.js';
import { type DocumentFlags, printOutcome } from './print-document.js';
import { reasonOption } from './reason-option.js';
import { run } from './run.js';

/** `dexsync plan list`: saved plans that wait in the ledger. */
export const planListCommand = (cli: Cli): Command =>
  new Command('list')
    .summary('list the saved plans of the ledger')
    .description(
      'Lists the plans that `dexsync plan --out ledger:NAME` saved for this environment and that were not applied yet, ' +
        'with their reviews. Sends no request.',
    )
    .addArgument(environmentWord())
    .addOption(shortFormatOption())
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync plan list --env prod', 'dexsync plan list --json | jq ".plans[].name"'))
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = withFormat(command.optsWithGlobals<ListFlags>());
      await run(cli, 'findings', options, async ({ host, project }) => {
        const found = await listPlans(project, host);
        await printList(
          cli,
          options,
          found,
          (texts) => texts.openPlans,
          ({ plans }) => plans.map(({ name }) => `ledger:${name}`),
        );
        return EXIT.done;
      });
    });

interface ReviewFlags extends DocumentFlags {
  readonly approve?: boolean;
  readonly reject?: boolean;
}

/** `dexsync plan review`: a verdict on a saved plan. */
export const planReviewCommand = (cli: Cli): Command =>
  new Command('review')
    .summary('approve or reject a saved plan of the ledger')
    .description(
      'Records a verdict on a saved plan: who, when and why. Of several verdicts of one person the last counts. ' +
        '`dexsync apply` refuses a plan that anybody rejects, and with --approvals one that too few people approved. ' +
        'Sends no request.',
    )
    .argument('<plan>', 'saved plan: ledger:NAME')
    .addOption(new Option('--approve', 'approve the plan').conflicts('reject'))
    .option('--reject', 'reject the plan, so that nobody can apply it')
    .addOption(reasonOption('reason for the verdict'))
    .addOption(documentOption())
    .addHelpText(
      'after',
      examples(
        'dexsync show ledger:release-12 --env prod',
        'dexsync plan review ledger:release-12 --env prod --approve',
        'dexsync plan review ledger:release-12 --reject --reason "after the audit"',
      ),
    )
    .action(async (plan: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ReviewFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const review = await reviewPlan({ ...project, plan, verdict: verdictOf(options) }, host);
        await printOutcome(cli, options, review, (texts) => texts.planReview);
        return EXIT.done;
      });
    });

function verdictOf({ approve, reject }: ReviewFlags): 'approved' | 'rejected' {
  if (approve === true) return 'approved';
  if (reject === true) return 'rejected';
  throw new DexsyncError('USAGE', '`dexsync plan review` needs a verdict.', {
    hint: 'Add `--approve` or `--reject`.',
  });
}

/** `dexsync plan remove`: takes a saved plan back. */
export const planRemoveCommand = (cli: Cli): Command =>
  new Command('remove')
    .summary('remove a saved plan from the ledger')
    .description(
      'Removes a saved plan and its reviews, so that nobody applies it and its name is free. Plans that were applied ' +
        'are removed automatically. Sends no request.',
    )
    .argument('<plan>', 'saved plan: ledger:NAME')
    .addOption(documentOption())
    .addHelpText('after', examples('dexsync plan remove ledger:release-12 --env prod'))
    .action(async (plan: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DocumentFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const removed = await removePlan({ ...project, plan }, host);
        await printOutcome(cli, options, removed, (texts) => texts.removedPlan);
        return EXIT.done;
      });
    });
