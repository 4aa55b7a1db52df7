import type { Plan } from '#core/model/plan.js';
import { type UnusablePlan, type WaitingPlan, waitingPlans } from '#delivery/planfile/waiting-plans.js';
import { listApprovals, standingReviews } from '#ledger/approvals.js';
import type { StoredPlan } from '#ledger/stored-plan.js';
import { withPlans } from '#project/connection/plans-of.js';
import type { Host, ProjectOptions } from '#project/host.js';

/** The saved plans of an environment that were not applied yet. */
export interface OpenPlans {
  readonly environment: string;
  readonly stack: string;
  /** In the order in which they were saved; those that cannot be read come first. */
  readonly plans: readonly (OpenPlan | UnusablePlan)[];
}

/** A saved plan with its verdicts. */
export interface OpenPlan extends StoredPlan {
  readonly digest: string;
  readonly summary: Plan['summary'];
  /** People whose last verdict approves it, without its author. */
  readonly approvedBy: readonly string[];
  readonly rejectedBy: readonly string[];
}

/** Lists the saved plans that the ledger keeps for an environment. Needs no login and sends no request. */
export const listPlans = (options: ProjectOptions, host: Host): Promise<OpenPlans> =>
  withPlans(options, host, async ({ config, environment, plans }) => {
    const found = await waitingPlans(plans, config.catalog, host);
    return { environment, stack: config.stack, plans: found.map((one) => ('stored' in one ? openPlan(one) : one)) };
  });

function openPlan({ stored, digest, plan: { summary } }: WaitingPlan): OpenPlan {
  const rejections = standingReviews(stored).filter(({ verdict }) => verdict === 'rejected');
  const names = (reviews: StoredPlan['reviews']): string[] => reviews.map(({ by }) => by);
  return { ...stored, digest, summary, approvedBy: names(listApprovals(stored)), rejectedBy: names(rejections) };
}
