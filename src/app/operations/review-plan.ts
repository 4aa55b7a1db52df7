import { ledgerReference, needLedgerName } from '#delivery/planfile/plan-reference.js';
import { checkPlan } from '#delivery/planfile/read-plan.js';
import { noSuchPlan } from '#ledger/document-store.js';
import { authorText, changeLog, type PlanReview, readStoredPlan, reviewText } from '#ledger/stored-plan.js';
import { currentAuthor } from '#project/connection/author.js';
import { withPlans } from '#project/connection/plans-of.js';
import type { Host, ProjectOptions } from '#project/host.js';

/** A verdict on a saved plan. */
export interface ReviewPlanOptions extends Pick<ProjectOptions, 'config' | 'environment' | 'reason'> {
  /** `ledger:NAME` */
  readonly plan: string;
  readonly verdict: PlanReview['verdict'];
}

/** A review as it was recorded. */
export interface RecordedReview extends Pick<PlanReview, 'verdict' | 'at' | 'by' | 'reason' | 'digest'> {
  readonly name: string;
  readonly environment: string;
  /** Number of steps of the plan. */
  readonly steps: number;
}

/** Records a verdict on a saved plan; a person's last one counts. Needs no login and sends no request. */
export const reviewPlan = (
  { plan: reference, verdict, reason, ...project }: ReviewPlanOptions,
  host: Host,
): Promise<RecordedReview> =>
  withPlans(project, host, async ({ config, environment, plans }) => {
    const name = needLedgerName(reference);
    const found = await readStoredPlan(plans, name);
    if (found === undefined) throw noSuchPlan(name);
    const { digest, plan } = checkPlan(JSON.stringify(found.document), ledgerReference(name), host, config.catalog);
    const author = currentAuthor(config, environment, host);
    const why = reason === undefined ? {} : { reason };
    const given = { verdict, at: host.clock().toISOString(), ...why, digest };
    const log = changeLog(verdict, author);
    await plans.addNote(name, reviewText({ ...given, author }), log);
    return { name, environment, ...given, by: authorText(author), steps: plan.steps.length };
  });
