import { omitUndefined } from '#base/omit-undefined.js';
import type { Plan } from '#core/model/plan.js';
import { forgesOf } from '#core/reviews/forges.js';
import { type JudgedVerdict, judgeReviews } from '#core/reviews/judge-reviews.js';
import { planVerdicts, reviewedPlan } from '#delivery/planfile/plan-verdicts.js';
import { readPlan, type SavedPlan } from '#delivery/planfile/read-plan.js';
import { usablePlans } from '#delivery/planfile/waiting-plans.js';
import { withPlans } from '#project/connection/plans-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { folderPolicies } from '#project/reviews/find-policies.js';

/** The saved plan to verify. */
export interface VerifyPlanOptions extends Pick<ProjectOptions, 'config' | 'environment'> {
  /** A file, or `ledger:NAME`. */
  readonly file: string;
}

/** What the signatures of a plan and of the verdicts on it prove. */
export interface PlanVerification extends Pick<SavedPlan, 'file' | 'digest' | 'changes' | 'signedBy'> {
  readonly environment: string;
  readonly workspace: Plan['workspace'];
  /** In the order of the ledger. */
  readonly verdicts: readonly JudgedVerdict[];
  /** Where signers and roles were read; absent if no approval is asked for there. */
  readonly source?: string;
  /** The approvals that it lacks, such as `1 of 2 approvals`; absent if it lacks none. */
  readonly missing?: string;
  /** The forges whose approvals an apply asks for as well, such as `GitHub`; absent if it asks for none. */
  readonly forges?: readonly string[];
  readonly isRejected: boolean;
}

/**
 * Verifies a saved plan and the verdicts on it, without a login and without the remote: signers and roles are those of this
 * folder. An apply asks the remote. Throws PLAN_ALTERED.
 */
export async function verifyPlan({ file, ...place }: VerifyPlanOptions, host: Host): Promise<PlanVerification> {
  const saved = await readPlan(file, host, place);
  const { plan, digest, changes, signedBy } = saved;
  const environment = place.environment ?? plan.environment;
  return withPlans({ ...place, environment }, host, async ({ config, plans }) => {
    const waiting = await usablePlans(plans, config.catalog, host);
    const verdicts = planVerdicts(saved, waiting);
    const policies = await folderPolicies(config, [environment], host);
    const own = { policies: { policies, authorsOf: async () => [] } };
    const reviewed = await reviewedPlan(saved, waiting, own, host.clock());
    const judged = judgeReviews(verdicts, reviewed, policies);
    const forges = forgesOf(policies);
    return {
      ...{ file, digest, changes, environment, workspace: plan.workspace, verdicts: judged.verdicts },
      ...omitUndefined({ signedBy, source: policies[0]?.source, missing: judged.missing }),
      ...(forges.length === 0 ? {} : { forges }),
      isRejected: judged.rejections.length > 0,
    };
  });
}
