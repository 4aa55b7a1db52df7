import { type Command, createArgument, createOption } from 'commander';
import { DexsyncError, listPlans, removePlan, reviewPlan, signForPage } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { shortFormatOption } from './format-option.js';
import { documentOption } from './json-option.js';
import { reasonOption } from './reason-option.js';

/** `dexsync plan list`: the saved plans of the ledger. */
export const planListCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'list',
    summary: 'list the saved plans of the ledger',
    description:
      'Lists the plans that `dexsync plan --out ledger:NAME` saved for this environment and that were not applied yet, ' +
      'with their reviews. Sends no request.',
    arguments: [environmentWord()],
    options: [shortFormatOption(), documentOption()],
    examples: ['dexsync plan list --env prod', 'dexsync plan list --json | jq ".plans[].name"'],
    run: async ({ host, project, printList }) =>
      printList(
        await listPlans(project, host),
        (texts) => texts.openPlans,
        ({ plans }) => plans.map(({ name }) => `ledger:${name}`),
      ),
  });

interface ReviewFlags extends GlobalOptions {
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly key?: string;
  readonly server?: string;
}

/** `dexsync plan review`: a verdict on a saved plan. */
export const planReviewCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'review',
    summary: 'approve or reject a saved plan of the ledger',
    description:
      'Records a verdict on a saved plan: who, when and why. Of several verdicts of one person the last counts. ' +
      '`dexsync apply` refuses a plan that anybody rejects, and with --approvals one that too few people approved. ' +
      'Where the configuration has `reviews`, an SSH key signs the verdict. Sends no request.',
    arguments: [createArgument('[plan]', 'saved plan: ledger:NAME')],
    options: [
      createOption('--approve', 'approve the plan').conflicts('reject'),
      createOption('--reject', 'reject the plan, so that nobody can apply it'),
      createOption('--key <file>', 'SSH key to sign with, where verdicts are signed; by default one that is allowed'),
      createOption(
        '--server <link>',
        'sign the statement behind a link of the page of `dexsync serve`, without the ledger',
      ),
      reasonOption('reason for the verdict'),
      documentOption(),
    ],
    examples: [
      'dexsync show ledger:release-12 --env prod',
      'dexsync plan review ledger:release-12 --env prod --approve',
      'dexsync plan review --approve --server https://plm.example.com/verdicts/…',
      'dexsync plan review ledger:release-12 --reject --reason "after the audit"',
    ],
    run: async ({ flags, host, project, printOutcome }: CommandRun<ReviewFlags>, plan?: string) => {
      const { server, key } = flags;
      if (server !== undefined && plan === undefined) {
        const signed = await signForPage({ link: server, verdict: verdictOf(flags), key }, host);
        return printOutcome(signed, (texts) => texts.signedForPage);
      }
      if (plan === undefined || server !== undefined) throw noPlan();
      return printOutcome(
        await reviewPlan({ ...project, plan, verdict: verdictOf(flags), key }, host),
        (texts) => texts.planReview,
      );
    },
  });

const noPlan = (): DexsyncError =>
  new DexsyncError('USAGE', '`dexsync plan review` needs one plan.', {
    hint: 'Write `dexsync plan review ledger:NAME --approve`, or `dexsync plan review --approve --server LINK` with a link of the page.',
  });

function verdictOf({ approve, reject }: ReviewFlags): 'approved' | 'rejected' {
  if (approve === true) return 'approved';
  if (reject === true) return 'rejected';
  throw new DexsyncError('USAGE', '`dexsync plan review` needs a verdict.', {
    hint: 'Add `--approve` or `--reject`.',
  });
}

/** `dexsync plan remove`: removes a saved plan. */
export const planRemoveCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'remove',
    summary: 'remove a saved plan from the ledger',
    description:
      'Removes a saved plan and its reviews, so that nobody applies it and its name is free. Plans that were applied ' +
      'are removed automatically. Sends no request.',
    arguments: [createArgument('<plan>', 'saved plan: ledger:NAME')],
    options: [documentOption()],
    examples: ['dexsync plan remove ledger:release-12 --env prod'],
    run: async ({ host, project, printOutcome }, plan: string) =>
      printOutcome(await removePlan({ ...project, plan }, host), (texts) => texts.removedPlan),
  });
