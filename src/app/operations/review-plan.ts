import { omitUndefined } from '#base/omit-undefined.js';
import { signVerdict } from '#delivery/planfile/sign-verdict.js';
import { isSamePerson } from '#ledger/approvals.js';
import type { PlanReview } from '#ledger/stored-plan.js';
import { currentAuthor } from '#project/connection/author.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { type PlanToReview, type RecordedReview, recordReview, withPlanToReview } from './plan-to-review.js';

/** A verdict on a saved plan. */
export interface ReviewPlanOptions extends PlanToReview, Pick<ProjectOptions, 'reason'> {
  readonly verdict: PlanReview['verdict'];
  /** The file of the SSH key to sign with, where verdicts are signed; by default one that is allowed. */
  readonly key?: string | undefined;
}

/**
 * Records a verdict on a saved plan; a person's last one counts. Where `reviews` asks for it, signs it with an SSH key. Needs
 * no login and sends no request to the service.
 */
export const reviewPlan = (
  { verdict, reason, key, ...options }: ReviewPlanOptions,
  host: Host,
): Promise<RecordedReview> =>
  withPlanToReview(options, host, async (reviewing) => {
    const given = { verdict, at: host.clock().toISOString(), ...omitUndefined({ reason }) };
    const { policy, before, about, environment, config, saved } = reviewing;
    const signed = policy && (await signVerdict({ ...given, ...about }, { policy, before, key }, host));
    const recorded = await recordReview(reviewing, given, signed, host);
    const { stored } = saved;
    const isOwn = stored !== undefined && isSamePerson(currentAuthor(config, environment, host), stored.author);
    const problem = recorded.signed?.problem;
    if (problem !== undefined) warn(`Your verdict was recorded, but does not count: ${problem}.`, host);
    else if (signed === undefined && isOwn && verdict === 'approved')
      warn('You saved this plan, so your approval does not count.', host);
    return recorded;
  });

const warn = (message: string, { emit }: Host): void =>
  emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'own-approval', message } });
