import { needLedgerName } from '#delivery/planfile/plan-reference.js';
import { noSuchPlan } from '#ledger/document-store.js';
import { changeLog } from '#ledger/stored-plan.js';
import { currentAuthor } from '#project/connection/author.js';
import { withPlans } from '#project/connection/plans-of.js';
import type { Host, ProjectOptions } from '#project/host.js';

/** The plan to remove from the ledger. */
export interface RemovePlanOptions extends Pick<ProjectOptions, 'config' | 'environment'> {
  /** `ledger:NAME` */
  readonly plan: string;
}

/** A plan that was removed from the ledger. */
export interface RemovedPlan {
  readonly name: string;
  readonly environment: string;
}

/** Removes a saved plan with its reviews, even if it cannot be read. Needs no login and sends no request. */
export const removePlan = ({ plan: reference, ...project }: RemovePlanOptions, host: Host): Promise<RemovedPlan> =>
  withPlans(project, host, async ({ config, environment, plans }) => {
    const name = needLedgerName(reference);
    if (!(await plans.names()).includes(name)) throw noSuchPlan(name);
    await plans.remove(name, changeLog('removed', currentAuthor(config, environment, host)));
    return { name, environment };
  });
