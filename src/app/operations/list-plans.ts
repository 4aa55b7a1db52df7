import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Plan } from '#core/model/plan.js';
import type { Judgement } from '#core/reviews/judge-reviews.js';
import { judgePlan, plannedFrom } from '#delivery/planfile/plan-verdicts.js';
import { type UnusablePlan, type WaitingPlan, waitingPlans } from '#delivery/planfile/waiting-plans.js';
import { listApprovals, standingReviews } from '#ledger/approvals.js';
import type { StoredPlan } from '#ledger/stored-plan.js';
import type { Config } from '#project/config/load-config.js';
import { withPlans } from '#project/connection/plans-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { withSharing } from '#project/once.js';
import { findPolicies } from '#project/reviews/find-policies.js';

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
  /** The approvals that it lacks where verdicts are signed, such as `1 of 2 approvals`. */
  readonly missing?: string;
}

/**
 * Lists the saved plans that the ledger keeps for an environment, where verdicts are signed with what they come to. Needs no
 * login and sends no request to the service.
 */
export const listPlans = (options: ProjectOptions, host: Host): Promise<OpenPlans> =>
  withPlans(options, host, async ({ config, environment, plans }) => {
    const found = await waitingPlans(plans, config.catalog, host);
    const usable = found.filter((one) => 'stored' in one);
    const open = (one: WaitingPlan, shared: Host): Promise<OpenPlan> =>
      signedPlan(one, usable, { config, host: shared });
    return withSharing(host, async (shared) => ({
      ...{ environment, stack: config.stack },
      plans: await Promise.all(found.map((one) => ('stored' in one ? open(one, shared) : one))),
    }));
  });

/** A plan with its verdicts, judged by who may approve if that can be read now. */
async function signedPlan(
  one: WaitingPlan,
  waiting: readonly WaitingPlan[],
  { config, host }: { readonly config: Config; readonly host: Host },
): Promise<OpenPlan> {
  const { environment } = one.plan;
  const policies = await findPolicies(config, [environment], plannedFrom(one.plan), host).catch((error: unknown) => {
    if (error instanceof DexsyncError) return undefined;
    throw error;
  });
  if (policies === undefined) return openPlan(one);
  const { approvals, rejections, missing } = await judgePlan(one, waiting, policies, host);
  const names = (judged: Judgement['approvals']): string[] => judged.flatMap(({ signer }) => signer ?? []);
  return {
    ...openPlan(one),
    approvedBy: names(approvals),
    rejectedBy: names(rejections),
    ...omitUndefined({ missing }),
  };
}

function openPlan({ stored, digest, plan: { summary } }: WaitingPlan): OpenPlan {
  const rejections = standingReviews(stored).filter(({ verdict }) => verdict === 'rejected');
  const names = (reviews: StoredPlan['reviews']): string[] => reviews.map(({ by }) => by);
  return { ...stored, digest, summary, approvedBy: names(listApprovals(stored)), rejectedBy: names(rejections) };
}
