import { omitUndefined } from '#base/omit-undefined.js';
import { forgesOf } from '#core/reviews/forges.js';
import type { JudgedVerdict } from '#core/reviews/judge-reviews.js';
import { verdictDigest } from '#core/reviews/open-verdicts.js';
import { ledgerReference, needLedgerName } from '#delivery/planfile/plan-reference.js';
import { judgePlan, plannedFrom } from '#delivery/planfile/plan-verdicts.js';
import { checkPlan, type SavedPlan } from '#delivery/planfile/read-plan.js';
import { signVerdict } from '#delivery/planfile/sign-verdict.js';
import { usablePlans } from '#delivery/planfile/waiting-plans.js';
import { isSamePerson } from '#ledger/approvals.js';
import { type DocumentStore, noSuchPlan } from '#ledger/document-store.js';
import { authorText, changeLog, type PlanReview, readStoredPlan, reviewText } from '#ledger/stored-plan.js';
import type { Config } from '#project/config/load-config.js';
import { currentAuthor } from '#project/connection/author.js';
import { withPlans } from '#project/connection/plans-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { findPolicies, type Policies } from '#project/reviews/find-policies.js';

/** A verdict on a saved plan. */
export interface ReviewPlanOptions extends Pick<ProjectOptions, 'config' | 'environment' | 'reason'> {
  /** `ledger:NAME` */
  readonly plan: string;
  readonly verdict: PlanReview['verdict'];
  /** The file of the SSH key to sign with, where verdicts are signed; by default one that is allowed. */
  readonly key?: string | undefined;
}

/** A review as it was recorded. */
export interface RecordedReview extends Pick<PlanReview, 'verdict' | 'at' | 'by' | 'reason' | 'digest'> {
  readonly name: string;
  readonly environment: string;
  /** Number of steps of the plan. */
  readonly steps: number;
  /** The verdict as it was signed and judged, where verdicts are signed. */
  readonly signed?: JudgedVerdict;
  /** The approvals that the plan lacks then, such as `1 of 2 approvals`; absent if it lacks none. */
  readonly missing?: string;
  /** The forges whose approvals it needs as well, such as `GitHub`; absent if it needs none. */
  readonly forges?: readonly string[];
}

/**
 * Records a verdict on a saved plan; a person's last one counts. Where `reviews` asks for it, signs it with an SSH key. Needs
 * no login and sends no request to the service.
 */
export const reviewPlan = (
  { plan: reference, verdict, reason, key, ...project }: ReviewPlanOptions,
  host: Host,
): Promise<RecordedReview> =>
  withPlans(project, host, async ({ config, environment, plans }) => {
    const name = needLedgerName(reference);
    const saved = await planIn(plans, name, config, host);
    const { digest, plan, changes: subject, stored } = saved;
    const policies = await findPolicies(config, [environment], plannedFrom(plan), host);
    const author = currentAuthor(config, environment, host);
    const given = { verdict, at: host.clock().toISOString(), ...omitUndefined({ reason }) };
    const [policy] = policies?.policies ?? [];
    const statement = { ...given, subject, plan: digest, workspaces: [plan.workspace.identity] };
    const signed = policy && (await signVerdict(statement, { policy, before: stored?.reviews ?? [], key }, host));
    await plans.addNote(
      name,
      reviewText({ ...given, digest, author, ...omitUndefined({ signed }) }),
      changeLog(verdict, author),
    );
    const judged = policies && (await judgeAgain(name, policies, plans, config, host));
    const own = judged?.signed;
    const forges = forgesOf(policies?.policies ?? []);
    const isOwn = policies === undefined && stored !== undefined && isSamePerson(author, stored.author);
    if (isOwn && verdict === 'approved') warn('You saved this plan, so your approval does not count.', host);
    return {
      ...{ name, environment, ...given, digest, steps: plan.steps.length },
      by: own?.signer ?? authorText(author),
      ...omitUndefined({ signed: own, missing: judged?.missing }),
      ...(forges.length === 0 ? {} : { forges }),
    };
  });

async function planIn(plans: DocumentStore, name: string, config: Config, host: Host): Promise<SavedPlan> {
  const found = await readStoredPlan(plans, name);
  if (found === undefined) throw noSuchPlan(name);
  const saved = checkPlan(JSON.stringify(found.document), ledgerReference(name), host, config.catalog);
  return { ...saved, stored: found.stored };
}

/** Finds what the verdict that was added last is worth, and what the plan lacks. Warns if it does not count. */
async function judgeAgain(
  name: string,
  policies: Policies,
  plans: DocumentStore,
  config: Config,
  host: Host,
): Promise<Pick<RecordedReview, 'signed' | 'missing'>> {
  const saved = await planIn(plans, name, config, host);
  const judgement = judgePlan(saved, await usablePlans(plans, config.catalog, host), policies, host);
  const last = saved.stored?.reviews.findLast(({ signed: one }) => one !== undefined)?.signed;
  const signed = last && judgement.verdicts.find(({ digest }) => digest === verdictDigest(last));
  if (signed?.problem !== undefined) warn(`Your verdict was recorded, but does not count: ${signed.problem}.`, host);
  return omitUndefined({ signed, missing: judgement.missing });
}

const warn = (message: string, { emit }: Host): void =>
  emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'own-approval', message } });
