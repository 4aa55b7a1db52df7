import { omitUndefined } from '#base/omit-undefined.js';
import type { Plan } from '#core/model/plan.js';
import { type Judgement, judgeReviews, type Reviewed } from '#core/reviews/judge-reviews.js';
import type { Verdict } from '#core/reviews/open-verdicts.js';
import { type Author, authorName } from '#ledger/stored-plan.js';
import type { Host } from '#project/host.js';
import type { PlannedFrom, Policies } from '#project/reviews/find-policies.js';
import type { SavedPlan } from './read-plan.js';
import { isByPipeline, verdictsOf } from './signed-reviews.js';

/** The group of a rollout that a plan belongs to. */
export interface GroupSubject {
  /** Digest of the changes of the group. */
  readonly subject: string;
  /** Digest of the rollout. */
  readonly rollout: string;
  /** Digest of the plan of the environment. */
  readonly plan: string;
}

/** The verified verdicts on a plan, and on equal ones among those that wait in the ledger. */
export function planVerdicts(saved: SavedPlan, waiting: readonly SavedPlan[]): readonly Verdict[] {
  const equal = waiting.filter(({ changes, digest }) => changes === saved.changes && digest !== saved.digest);
  return verdictsOf([saved, ...equal].map((one) => one.stored?.reviews ?? []));
}

/**
 * What verdicts on a plan are judged for. They must be about this very plan, unless it is planned again before it is
 * applied, or a pipeline signed it: an equal digest of changes does not cover all of a file.
 */
export function reviewedPlan(
  { plan, signed, changes: subject, digest, stored }: SavedPlan,
  {
    policies: { policies, authors },
    isPlannedAgain = false,
    group,
  }: {
    readonly policies: Pick<Policies, 'policies' | 'authors'>;
    readonly isPlannedAgain?: boolean;
    readonly group?: GroupSubject;
  },
  now: Date,
): Reviewed {
  const isAnyEqual = isPlannedAgain || isByPipeline(signed, plan.createdAt, policies);
  return {
    ...{ subject: group?.subject ?? subject, workspaces: [plan.workspace.identity], now },
    plan: group?.rollout ?? (isAnyEqual ? undefined : digest),
    authors: [...authors, ...authorsOf(plan), ...(stored === undefined ? [] : namesOf(stored.author))],
  };
}

/** What the verdicts on a plan come to now. */
export const judgePlan = (
  saved: SavedPlan,
  waiting: readonly SavedPlan[],
  policies: Policies,
  { clock }: Pick<Host, 'clock'>,
): Judgement =>
  judgeReviews(planVerdicts(saved, waiting), reviewedPlan(saved, { policies }, clock()), policies.policies);

/** When a plan was made, and from which commit. */
export const plannedFrom = ({ createdAt, provenance }: Plan): PlannedFrom => ({
  createdAt,
  commit: provenance?.git?.commit,
  base: provenance?.git?.base,
});

const authorsOf = ({ provenance }: Plan): string[] =>
  provenance === undefined ? [] : namesOf({ ...provenance.actor, ...omitUndefined({ ci: provenance.ci }) });

/** The names of an author: the login, which many may share, and the person. */
export const namesOf = ({ login, ...author }: Pick<Author, 'login' | 'user' | 'ci'>): string[] =>
  [login, authorName(author)].filter((name) => name !== undefined);
