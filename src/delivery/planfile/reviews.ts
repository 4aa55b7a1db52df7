import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { digestOfPlan } from '#core/engine/normal-form.js';
import type { ReviewedFacts } from '#core/model/apply-facts.js';
import { listApprovals, standingReviews } from '#ledger/approvals.js';
import { noSuchPlan } from '#ledger/document-store.js';
import { spentVerdicts } from '#ledger/spent-verdicts.js';
import { changeLog, type PlanReview, readStoredPlan, type StoredPlan, savedPlanFacts } from '#ledger/stored-plan.js';
import type { Config } from '#project/config/load-config.js';
import { currentAuthor } from '#project/connection/author.js';
import type { CommandFacts } from '#project/connection/command-facts.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import type { Policies } from '#project/reviews/find-policies.js';
import { type FromCommit, forgeApprovals } from '#project/reviews/forge-approvals.js';
import { appliedBefore, planAltered, timeText } from './plan-errors.js';
import { ledgerReference } from './plan-reference.js';
import { type Applying, planVerdicts, reviewedPlan } from './plan-verdicts.js';
import type { SavedPlan } from './read-plan.js';
import { refuseUnsigned, withApprovals } from './signed-reviews.js';
import { usablePlans } from './waiting-plans.js';

/** How many people other than its author must approve a plan. */
export interface Approving {
  readonly approvals?: number | undefined;
}

/** Whose approvals of a plan count, and for what. */
export interface Admission extends Approving, Partial<Omit<Applying, 'policies'>> {
  /** Who must approve with a signature. */
  readonly policies?: Policies | undefined;
}

/** The reviews that let a plan be applied. */
export interface PassedReviews {
  /** The plan as it is in the ledger now, if it is one of the ledger. */
  readonly stored?: StoredPlan | undefined;
  readonly reviewed?: ReviewedFacts;
}

/**
 * Throws PLAN_REJECTED or PLAN_UNAPPROVED for a plan that somebody rejected or too few people approved. Unsigned reviews
 * are those of the plan itself; a plan file has them if the ledger has the same plan. Throws USAGE if approvals are
 * required of one that has none.
 */
export async function refuseUnreviewed(
  saved: SavedPlan,
  approving: Admission,
  plans: () => Promise<readonly SavedPlan[]>,
  host: Host,
): Promise<PassedReviews> {
  const { file } = saved;
  const { approvals = 0, policies, group } = approving;
  if (group !== undefined && group.plan !== saved.digest) throw planAltered(file);
  const waiting = policies !== undefined || approvals > 0 ? await plans() : [];
  const known = withCopy(saved, waiting);
  const { stored } = known;
  if (policies !== undefined) {
    const reviewed = await refuseUnsignedPlan(known, waiting, { ...approving, policies }, host.clock());
    const onForge = await forgeApprovals(policies, fromCommit(saved, { ...approving, policies }), host);
    return { stored, reviewed: { ...reviewed, ...(onForge.length === 0 ? {} : { onForge }) } };
  }
  if (stored === undefined) {
    if (approvals > 0) throw withoutReviews(file);
    return {};
  }
  const rejection = standingReviews(stored).find(({ verdict }) => verdict === 'rejected');
  if (rejection !== undefined) throw rejected(stored, rejection);
  const given = listApprovals(stored);
  if (given.length < approvals) throw unapproved(stored, given, approvals);
  return { stored };
}

/** A plan, with the reviews of the same plan in the ledger if it is a file. */
const withCopy = (saved: SavedPlan, waiting: readonly SavedPlan[]): SavedPlan => ({
  ...saved,
  ...omitUndefined({ stored: saved.stored ?? waiting.find(({ digest }) => digest === saved.digest)?.stored }),
});

/** A new plan comes from what is checked out here, a saved one from the commit that it names. */
const fromCommit = (
  { file: what, plan }: SavedPlan,
  { policies, isPlannedAgain = false }: Admission & { readonly policies: Policies },
): FromCommit => ({
  what,
  commit: isPlannedAgain
    ? policies.checkedOut
    : async () => (plan.provenance?.git?.dirty === 'no' ? plan.provenance.git.commit : undefined),
});

/** Judges the signed verdicts on a plan and on equal ones that wait in the ledger. */
async function refuseUnsignedPlan(
  saved: SavedPlan,
  waiting: readonly SavedPlan[],
  approving: Admission & { readonly policies: Policies },
  now: Date,
): Promise<ReviewedFacts> {
  const { file, stored } = saved;
  const policies = withApprovals(approving.policies.policies, approving.approvals);
  const reviewed = await reviewedPlan(saved, waiting, approving, now);
  return refuseUnsigned(planVerdicts(saved, waiting, approving.group), reviewed, policies, {
    what: file,
    command: `dexsync plan review ${ledgerReference(stored?.name ?? 'NAME')}`,
  });
}

/** Whether the reviews of a plan allow its apply. */
export const isReviewed = (...args: Parameters<typeof refuseUnreviewed>): Promise<boolean> =>
  refuseUnreviewed(...args).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DexsyncError && REFUSALS.includes(error.code)) return false;
      throw error;
    },
  );

const REFUSALS: readonly string[] = ['PLAN_REJECTED', 'PLAN_UNAPPROVED', 'USAGE'];

/** Reads and checks a plan in the ledger again after a possibly long wait for the lock, and its reviews. */
export async function reviewedAgain(
  saved: SavedPlan,
  approving: Admission,
  { kept, ledger, catalog }: Connection,
  host: Host,
): Promise<PassedReviews> {
  const waiting = () => usablePlans(kept.plans, catalog, host);
  const spent = approving.policies && (await spentVerdicts(kept.journals, oldestApproval(approving.policies, host)));
  const now = { ...approving, ...omitUndefined({ spent }) };
  if (saved.stored === undefined) {
    const isOfRollout = approving.group !== undefined;
    return refuseUnreviewed(isOfRollout ? saved : withCopy(saved, await waiting()), now, waiting, host);
  }
  const { name } = saved.stored;
  const found = await readStoredPlan(kept.plans, name);
  if (found === undefined || found.document.digest !== saved.digest) {
    const applied = await ledger.applyOf(saved.plan.nonce);
    throw applied === undefined ? noSuchPlan(name) : appliedBefore(saved.file, saved.plan, applied);
  }
  return refuseUnreviewed({ ...saved, stored: found.stored }, now, waiting, host);
}

/** The time before which no approval holds any longer, ISO 8601 in UTC. */
const oldestApproval = ({ policies }: Policies, { clock }: Pick<Host, 'clock'>): string =>
  new Date(clock().getTime() - Math.max(0, ...policies.map(({ validFor }) => validFor))).toISOString();

/** Adds the reviewed plan and its reviews to the facts of an apply. */
export function withReviewed(
  recorded: CommandFacts,
  { plan }: SavedPlan,
  { stored, reviewed }: PassedReviews,
): CommandFacts {
  const { createdAt: at, provenance } = plan;
  const planned = { at, digest: digestOfPlan(plan), ...omitUndefined({ provenance }) };
  return {
    ...recorded,
    planned,
    facts: async (applied, connection) => ({
      ...(await recorded.facts(applied, connection)),
      planned,
      ...(stored === undefined ? {} : { savedPlan: savedPlanFacts(stored) }),
      ...omitUndefined({ reviewed }),
    }),
  };
}

/** Removes an applied plan from the ledger. Ignores failures, since the apply is done. */
export async function removeApplied(
  stored: StoredPlan | undefined,
  { kept, environment }: Connection,
  config: Config,
  host: Host,
): Promise<void> {
  if (stored === undefined) return;
  const log = changeLog('applied', currentAuthor(config, environment, host));
  await kept.plans.remove(stored.name, log).catch(() => undefined);
}

const withoutReviews = (file: string): DexsyncError =>
  new DexsyncError('USAGE', `\`--approvals\` counts the reviews of a plan in the ledger, but ${file} is not in it.`, {
    hint: 'Save the plan with `dexsync plan --out ledger:NAME`, or remove `--approvals`.',
  });

function rejected({ name }: StoredPlan, { by, at, reason }: PlanReview): DexsyncError {
  const why = reason === undefined ? '' : `: "${reason}"`;
  return new DexsyncError('PLAN_REJECTED', `${by} rejected ${ledgerReference(name)} on ${timeText(at)}${why}.`, {
    hint: `Change the manifests and save a new plan, or have the same person run \`dexsync plan review ${ledgerReference(name)} --approve\`.`,
  });
}

function unapproved({ name, by }: StoredPlan, given: readonly PlanReview[], needed: number): DexsyncError {
  const who = given.length === 0 ? '' : ` (${given.map((review) => review.by).join(', ')})`;
  const message = `${ledgerReference(name)} has ${given.length} of ${needed} approvals${who}. An approval by ${by}, who saved the plan, does not count.`;
  return new DexsyncError('PLAN_UNAPPROVED', message, {
    hint: `Others can review it with \`dexsync show ${ledgerReference(name)}\` and approve it with \`dexsync plan review ${ledgerReference(name)} --approve\`.`,
  });
}
