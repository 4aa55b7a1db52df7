import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { NAMESPACES, type SignedVerdict, type Statement } from '#core/model/verdict.js';
import { type JudgedVerdict, judgeReviews } from '#core/reviews/judge-reviews.js';
import { openVerdicts } from '#core/reviews/open-verdicts.js';
import { judgePlan, reviewedPlan } from '#delivery/planfile/plan-verdicts.js';
import { statementOf } from '#delivery/planfile/sign-verdict.js';
import { usablePlans } from '#delivery/planfile/waiting-plans.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { readSigningKey, signWith } from '#project/reviews/sign.js';
import {
  type PlanToReview,
  type RecordedReview,
  type Reviewing,
  recordReview,
  withPlanToReview,
} from './plan-to-review.js';

/** A verdict of a person whom a login identified. */
export interface StateVerdictOptions extends PlanToReview, Pick<ProjectOptions, 'reason'> {
  readonly verdict: Statement['verdict'];
  /** The name of the reviewer among the allowed signers. */
  readonly signer: string;
}

/** The text that a reviewer signs with `ssh-keygen -Y sign -n dexsync-review@v1`. Throws USAGE where no verdict is signed. */
export const stateVerdict = (options: StateVerdictOptions, host: Host): Promise<string> =>
  withPlanToReview(options, host, async (reviewing) => statementFor(reviewing, options, host));

/** Records a verdict that was signed elsewhere. Throws PLAN_UNAPPROVED for one that would not count, and USAGE as above. */
export const recordVerdict = (
  { signed, ...options }: PlanToReview & { readonly signed: SignedVerdict },
  host: Host,
): Promise<RecordedReview> => withPlanToReview(options, host, (reviewing) => recordSigned(reviewing, signed, host));

/** Records a verdict that a logged-in person clicked, signed with the key of the page. Throws as `recordVerdict` does. */
export const clickVerdict = (
  { key, ...options }: StateVerdictOptions & { readonly key: string },
  host: Host,
): Promise<RecordedReview> =>
  withPlanToReview(options, host, async (reviewing) => {
    const statement = statementFor(reviewing, { ...options, through: 'page' }, host);
    const signature = await signWith(await readSigningKey(key, host), statement, NAMESPACES.page, host);
    return recordSigned(reviewing, { statement, signature }, host);
  });

/** What the verdicts on a plan come to where they are signed; a text says why that cannot be found out now. */
export interface PlanStanding {
  readonly verdicts: readonly JudgedVerdict[];
  readonly missing?: string;
  readonly source: string;
}

/** Judges the verdicts on a plan; undefined where none is signed, and why if the protected branch cannot be read. */
export const planStanding = (place: PlanToReview, host: Host): Promise<PlanStanding | string | undefined> =>
  withPlanToReview(place, host, async ({ saved, policies, policy, plans, config }) => {
    if (policies === undefined || policy === undefined) return undefined;
    const { verdicts, missing } = await judgePlan(
      saved,
      await usablePlans(plans, config.catalog, host),
      policies,
      host,
    );
    return { verdicts, source: policy.source, ...omitUndefined({ missing }) };
  }).catch((error: unknown) => {
    if (error instanceof DexsyncError && error.code === 'GIT_FAILED') return error.message;
    throw error;
  });

function statementFor(
  { policy, before, about, environment }: Reviewing,
  { verdict, reason, signer, through }: StateVerdictOptions & Pick<Statement, 'through'>,
  { clock }: Pick<Host, 'clock'>,
): string {
  if (policy === undefined) throw notSigned(environment);
  const given = { verdict, at: clock().toISOString(), signer, ...omitUndefined({ reason, through }) };
  return statementOf({ ...given, ...about }, { policy, before });
}

async function recordSigned(reviewing: Reviewing, signed: SignedVerdict, host: Host): Promise<RecordedReview> {
  const { policies, saved, environment, before, about } = reviewing;
  if (policies === undefined) throw notSigned(environment);
  const opened = openVerdicts([...before.flatMap((one) => one.signed ?? []), signed]).slice(-1);
  const reviewed = await reviewedPlan(saved, [], { policies }, host.clock());
  const [judged] = judgeReviews(opened, reviewed, policies.policies).verdicts;
  const [own] = opened;
  if (own === undefined || 'damage' in own || judged?.problem !== undefined) throw notCounted(judged?.problem);
  if (own.statement.plan !== about.plan) throw notCounted('it is about another plan');
  const { verdict, at, reason } = own.statement;
  return recordReview(reviewing, { verdict, at, ...omitUndefined({ reason }) }, signed, host);
}

const notSigned = (environment: string): DexsyncError =>
  new DexsyncError('USAGE', `Environment "${environment}" asks for no signed approvals.`, {
    hint: 'Ask for them with `reviews` in the configuration, on the default branch of the remote.',
  });

const notCounted = (problem = 'it cannot be read'): DexsyncError =>
  new DexsyncError('PLAN_UNAPPROVED', `The verdict was not recorded, since it does not count: ${problem}.`, {
    hint: 'Sign the statement exactly as it is shown, with a key that the allowed signers list for you.',
  });
