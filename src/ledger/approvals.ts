import { type Author, authorName, type PlanReview, type StoredPlan } from './stored-plan.js';

/** The last review of each person, in their order. */
export const standingReviews = ({ reviews }: Pick<StoredPlan, 'reviews'>): readonly PlanReview[] =>
  reviews.filter(({ author }, index) => !reviews.slice(index + 1).some((later) => isSamePerson(later.author, author)));

/** The last reviews that approve a plan, without those of its author. */
export const listApprovals = (stored: Pick<StoredPlan, 'reviews' | 'author'>): readonly PlanReview[] =>
  standingReviews(stored).filter(
    ({ verdict, author }) => verdict === 'approved' && !isSamePerson(author, stored.author),
  );

/** Pipelines share a login and machines a user, so both must match; if a login is unknown, the user alone. */
export function isSamePerson(one: Author, other: Author): boolean {
  const isSameLogin = one.login === undefined || other.login === undefined || one.login === other.login;
  return isSameLogin && authorName(one) === authorName(other);
}
