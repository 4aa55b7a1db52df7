import { DexsyncError } from '#base/errors.js';
import type { Statement } from '#core/model/verdict.js';
import { openVerdict } from '#core/reviews/open-verdicts.js';
import { needLedgerName } from '#delivery/planfile/plan-reference.js';
import { type DocumentStore, noSuchPlan } from '#ledger/document-store.js';
import { changeLog, readStoredPlan } from '#ledger/stored-plan.js';
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

/**
 * Removes a saved plan with its reviews, even if it cannot be read. Needs no login and sends no request. Throws
 * PLAN_REJECTED while a signed rejection holds, which blocks equal plans, too.
 */
export const removePlan = ({ plan: reference, ...project }: RemovePlanOptions, host: Host): Promise<RemovedPlan> =>
  withPlans(project, host, async ({ config, environment, plans }) => {
    const name = needLedgerName(reference);
    if (!(await plans.names()).includes(name)) throw noSuchPlan(name);
    await refuseRejected(name, plans, host);
    await plans.remove(name, changeLog('removed', currentAuthor(config, environment, host)));
    return { name, environment };
  });

async function refuseRejected(name: string, plans: DocumentStore, { clock }: Pick<Host, 'clock'>): Promise<void> {
  const found = await readStoredPlan(plans, name).catch(() => undefined);
  const last = new Map<string, Statement>();
  for (const { signed } of found?.stored.reviews ?? []) {
    const opened = signed && openVerdict(signed);
    if (opened === undefined || 'damage' in opened) continue;
    const { signer, at } = opened.statement;
    if (at >= (last.get(signer)?.at ?? '')) last.set(signer, opened.statement);
  }
  const now = clock().toISOString();
  const rejection = [...last.values()].find(({ verdict, expires }) => verdict === 'rejected' && expires > now);
  if (rejection === undefined) return;
  throw new DexsyncError(
    'PLAN_REJECTED',
    `${rejection.signer} rejected ledger:${name}, which blocks equal plans as well.`,
    {
      hint: `Leave the plan there: others are not in its way. It can be removed after ${rejection.expires.slice(0, 10)}, or when ${rejection.signer} approves it.`,
    },
  );
}
