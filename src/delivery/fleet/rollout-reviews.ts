import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { groupBy } from '#core/model/group-by.js';
import type { ReviewedGroup } from '#core/stream/fleet-event.js';
import { listApprovals, standingReviews } from '#ledger/approvals.js';
import { authorText, type PlanReview } from '#ledger/stored-plan.js';
import type { StoredRollout } from '#ledger/stored-rollout.js';
import type { Approving } from '../planfile/reviews.js';

/** The groups of a rollout, the largest first, with the last verdict of each person but its author. */
export function reviewedGroups({ rollout, notes }: Pick<StoredRollout, 'rollout' | 'notes'>): readonly ReviewedGroup[] {
  const groups = groupBy(rollout.targets, ({ group }) => group);
  return [...groups]
    .map(([group, targets]): ReviewedGroup => {
      const reviews = notes.flatMap(({ group: of, is, at, author, reason }): PlanReview[] =>
        of === group && (is === 'approved' || is === 'rejected')
          ? [{ at, author, ...omitUndefined({ reason }), verdict: is, digest: group, by: authorText(author) }]
          : [],
      );
      const names = (found: readonly PlanReview[]): string[] => found.map(({ by }) => by);
      return {
        group,
        environments: targets.map(({ environment }) => environment),
        approvedBy: names(listApprovals({ author: rollout.author, reviews })),
        rejectedBy: names(standingReviews({ reviews }).filter(({ verdict }) => verdict === 'rejected')),
      };
    })
    .sort((one, other) => other.environments.length - one.environments.length);
}

/** Throws PLAN_REJECTED or PLAN_UNAPPROVED unless the reviews of each group allow it. */
export function refuseUnreviewedGroups(
  stored: Pick<StoredRollout, 'name' | 'rollout' | 'notes'>,
  { approvals = 0 }: Approving,
): void {
  for (const { group, environments, approvedBy, rejectedBy } of reviewedGroups(stored)) {
    const what = `the changes of ${environments.length === 1 ? environments[0] : `${environments.length} environments`}`;
    const review = `\`dexsync fleet review ledger:${stored.name} --group ${group.slice(0, 12)}`;
    const [by] = rejectedBy;
    if (by !== undefined)
      throw new DexsyncError('PLAN_REJECTED', `${by} rejected ${what} in the rollout ${stored.name}.`, {
        hint: `Plan a new rollout, or have the same person run ${review} --approve\`.`,
      });
    if (approvedBy.length >= approvals) continue;
    const message = `In the rollout ${stored.name}, ${what} have ${approvedBy.length} of ${approvals} approvals. An approval by its author does not count.`;
    throw new DexsyncError('PLAN_UNAPPROVED', message, {
      hint: `Others can look at it with \`dexsync fleet status ledger:${stored.name}\` and approve it with ${review} --approve\`.`,
    });
  }
}
