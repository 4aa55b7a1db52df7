import { omitUndefined } from '#base/omit-undefined.js';
import type { SignedVerdict } from '#core/model/verdict.js';
import { forgesOf } from '#core/reviews/forges.js';
import type { JudgedVerdict, ReviewPolicy } from '#core/reviews/judge-reviews.js';
import { verdictDigest } from '#core/reviews/open-verdicts.js';
import { ledgerReference, needLedgerName } from '#delivery/planfile/plan-reference.js';
import { judgePlan, plannedFrom } from '#delivery/planfile/plan-verdicts.js';
import { checkPlan, type SavedPlan } from '#delivery/planfile/read-plan.js';
import type { VerdictToSign } from '#delivery/planfile/sign-verdict.js';
import { usablePlans } from '#delivery/planfile/waiting-plans.js';
import { type DocumentStore, noSuchPlan } from '#ledger/document-store.js';
import { authorText, changeLog, type PlanReview, readStoredPlan, reviewText } from '#ledger/stored-plan.js';
import type { Config } from '#project/config/load-config.js';
import { currentAuthor } from '#project/connection/author.js';
import { type EnvironmentPlans, withPlans } from '#project/connection/plans-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { findPolicies, type Policies } from '#project/reviews/find-policies.js';

/** The plan that a verdict is given on. */
export interface PlanToReview extends Pick<ProjectOptions, 'config' | 'environment'> {
  /** `ledger:NAME` */
  readonly plan: string;
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

/** A plan in the ledger, and who must approve it. */
export interface Reviewing extends EnvironmentPlans {
  readonly name: string;
  readonly saved: SavedPlan;
  readonly policies: Policies | undefined;
  /** The policy of the protected branch now, where verdicts are signed. */
  readonly policy: ReviewPolicy | undefined;
  /** What a verdict on it states. */
  readonly about: Pick<VerdictToSign, 'subject' | 'plan' | 'stack' | 'workspaces'>;
  readonly before: readonly PlanReview[];
}

/** Opens a plan of the ledger for a verdict. Needs no login. Throws UNKNOWN_NAME, and GIT_FAILED without the protected branch. */
export const withPlanToReview = <T>(
  { plan: reference, ...project }: PlanToReview,
  host: Host,
  use: (reviewing: Reviewing) => Promise<T>,
): Promise<T> =>
  withPlans(project, host, async (opened) => {
    const name = needLedgerName(reference);
    const saved = await planIn(opened.plans, name, opened.config, host);
    const { digest: plan, changes: subject } = saved;
    const policies = await findPolicies(opened.config, [opened.environment], plannedFrom(saved.plan), host);
    const about = { subject, plan, stack: saved.plan.stack, workspaces: [saved.plan.workspace.identity] };
    const before = saved.stored?.reviews ?? [];
    return use({ ...opened, name, saved, policies, policy: policies?.policies[0], about, before });
  });

async function planIn(plans: DocumentStore, name: string, config: Config, host: Host): Promise<SavedPlan> {
  const found = await readStoredPlan(plans, name);
  if (found === undefined) throw noSuchPlan(name);
  const saved = checkPlan(JSON.stringify(found.document), ledgerReference(name), host, config.catalog);
  return { ...saved, stored: found.stored };
}

/** Adds a verdict to the plan, and finds out what that is worth and what the plan lacks then. */
export async function recordReview(
  { name, environment, config, plans, saved, policies }: Reviewing,
  given: Pick<PlanReview, 'verdict' | 'at' | 'reason'>,
  signed: SignedVerdict | undefined,
  host: Host,
): Promise<RecordedReview> {
  const { digest, plan } = saved;
  const author = currentAuthor(config, environment, host);
  const text = reviewText({ ...given, digest, author, ...omitUndefined({ signed }) });
  await plans.addNote(name, text, changeLog(given.verdict, author));
  const recorded = { name, environment, ...given, digest, steps: plan.steps.length };
  if (policies === undefined || signed === undefined) return { ...recorded, by: authorText(author) };
  const now = await planIn(plans, name, config, host);
  const judgement = await judgePlan(now, await usablePlans(plans, config.catalog, host), policies, host);
  const forges = forgesOf(policies.policies);
  const own = judgement.verdicts.find((one) => one.digest === verdictDigest(signed));
  return {
    ...recorded,
    by: own?.signer ?? authorText(author),
    ...omitUndefined({ signed: own, missing: judgement.missing }),
    ...(forges.length === 0 ? {} : { forges }),
  };
}
