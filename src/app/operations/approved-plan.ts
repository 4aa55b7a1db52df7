import { digestOfChanges } from '#core/engine/changes-digest.js';
import type { Plan } from '#core/model/plan.js';
import { plannedFrom } from '#delivery/planfile/plan-verdicts.js';
import { isReviewed } from '#delivery/planfile/reviews.js';
import { digestText } from '#delivery/planfile/signature.js';
import { usablePlans } from '#delivery/planfile/waiting-plans.js';
import { withPlans } from '#project/connection/plans-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { withSharing } from '#project/once.js';
import { findPolicies } from '#project/reviews/find-policies.js';

/** Finds a waiting plan with the changes of `plan` that its reviews let pass, as `ledger:NAME`. */
export const findApproved = (
  plan: Plan,
  options: Pick<ProjectOptions, 'config' | 'environment'>,
  outer: Host,
): Promise<string | 'not needed' | undefined> =>
  withSharing(outer, (host) =>
    withPlans(options, host, async ({ config, environment, plans }) => {
      if ((await findPolicies(config, [environment], plannedFrom(plan), host)) === undefined) return 'not needed';
      const waiting = await usablePlans(plans, config.catalog, host);
      const changes = digestText(digestOfChanges(plan));
      for (const one of waiting.filter((other) => other.changes === changes)) {
        const policies = await findPolicies(config, [environment], plannedFrom(one.plan), host);
        const approving = { policies, isPlannedAgain: true };
        if (await isReviewed(one, approving, async () => waiting, host)) return one.file;
      }
      return undefined;
    }),
  );
