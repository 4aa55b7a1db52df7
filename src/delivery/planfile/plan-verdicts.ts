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

/** How a plan is going to be applied. */
export interface Applying {
  readonly policies: Pick<Policies, 'policies' | 'authorsOf'>;
  /** Whether it is created again and compared. */
  readonly isPlannedAgain?: boolean;
  readonly group?: GroupSubject;
  /** Digests of verdicts that let an apply through before, which ended. */
  readonly spent?: ReadonlySet<string>;
}

/** The verified verdicts on a plan, and on equal ones among those that wait in the ledger. */
export function planVerdicts(
  saved: SavedPlan,
  waiting: readonly SavedPlan[],
  group?: GroupSubject,
): readonly Verdict[] {
  const of = group === undefined ? equalTo(saved, waiting) : [];
  return verdictsOf(
    [saved, ...of].map(({ digest, plan, stored }) => ({
      digest: group?.rollout ?? digest,
      createdAt: plan.createdAt,
      notes: stored?.reviews ?? [],
    })),
  );
}

const equalTo = (saved: SavedPlan, waiting: readonly SavedPlan[]): readonly SavedPlan[] =>
  waiting.filter(
    ({ changes, digest, plan }) =>
      changes === saved.changes && digest !== saved.digest && plan.stack === saved.plan.stack,
  );

/**
 * What verdicts on a plan are judged for. They must be about this very plan, unless it is planned again before it is
 * applied, or a pipeline signed it: an equal digest of changes does not cover all of a file. Authors of equal plans count, too.
 */
export async function reviewedPlan(
  saved: SavedPlan,
  waiting: readonly SavedPlan[],
  { policies: { policies, authorsOf }, isPlannedAgain = false, group, spent }: Applying,
  now: Date,
): Promise<Reviewed> {
  const { plan, signed, changes, digest } = saved;
  const isAnyEqual = isPlannedAgain || isByPipeline(signed, plan.createdAt, policies);
  const plans = [saved, ...equalTo(saved, waiting)];
  const committed = await Promise.all(plans.map((one) => authorsOf(plannedFrom(one.plan))));
  return {
    ...{ subject: group?.subject ?? changes, stack: plan.stack, workspaces: [plan.workspace.identity], now },
    plan: group?.rollout ?? (isAnyEqual ? undefined : digest),
    authors: [...committed.flat(), ...plans.flatMap(plannersOf)],
    ...omitUndefined({ spent }),
  };
}

/** What the verdicts on a plan come to now. */
export async function judgePlan(
  saved: SavedPlan,
  waiting: readonly SavedPlan[],
  policies: Policies,
  { clock }: Pick<Host, 'clock'>,
): Promise<Judgement> {
  const reviewed = await reviewedPlan(saved, waiting, { policies }, clock());
  return judgeReviews(planVerdicts(saved, waiting), reviewed, policies.policies);
}

/** When a plan was created, and from which commit. */
export const plannedFrom = ({ createdAt, provenance }: Plan): PlannedFrom => ({
  createdAt,
  commit: provenance?.git?.commit,
  base: provenance?.git?.base,
});

/** The people who planned or saved a plan. */
const plannersOf = ({ plan: { provenance }, stored }: SavedPlan): string[] => [
  ...(provenance === undefined ? [] : namesOf({ ...provenance.actor, ...omitUndefined({ ci: provenance.ci }) })),
  ...(provenance?.git?.user === undefined ? [] : [provenance.git.user]),
  ...(stored === undefined ? [] : namesOf(stored.author)),
];

/** The names of an author: the login, which many may share, and the person. */
export const namesOf = ({ login, ...author }: Pick<Author, 'login' | 'user' | 'ci'>): string[] =>
  [login, authorName(author)].filter((name) => name !== undefined);
