import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { digestOfPlan } from '#core/engine/normal-form.js';
import { listApprovals, standingReviews } from '#ledger/approvals.js';
import { noSuchPlan } from '#ledger/document-store.js';
import { changeLog, type PlanReview, readStoredPlan, type StoredPlan, savedPlanFacts } from '#ledger/stored-plan.js';
import type { Config } from '#project/config/load-config.js';
import { currentAuthor } from '#project/connection/author.js';
import type { CommandFacts } from '#project/connection/command-facts.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { appliedBefore } from './plan-errors.js';
import { ledgerReference } from './plan-reference.js';
import type { SavedPlan } from './read-plan.js';

/** How many people other than its author must approve a plan. */
export interface Approving {
  readonly approvals?: number | undefined;
}

/**
 * Throws PLAN_REJECTED or PLAN_UNAPPROVED for a plan that somebody rejected or too few people approved. Plan files have
 * no reviews: throws USAGE if approvals are required of one.
 */
export function refuseUnreviewed({ file, stored }: SavedPlan, { approvals = 0 }: Approving): void {
  if (stored === undefined) {
    if (approvals > 0) throw withoutReviews(file);
    return;
  }
  const rejection = standingReviews(stored).find(({ verdict }) => verdict === 'rejected');
  if (rejection !== undefined) throw rejected(stored, rejection);
  const given = listApprovals(stored);
  if (given.length < approvals) throw unapproved(stored, given, approvals);
}

/** Whether the reviews of a plan allow its apply; a plan file has no reviews. */
export const isReviewed = ({ stored }: SavedPlan, { approvals = 0 }: Approving): boolean =>
  stored === undefined
    ? approvals === 0
    : standingReviews(stored).every(({ verdict }) => verdict !== 'rejected') &&
      listApprovals(stored).length >= approvals;

/** Reads and checks a plan in the ledger again after a possibly long wait for the lock; undefined for a file. */
export async function reviewedAgain(
  saved: SavedPlan,
  approving: Approving,
  { kept, ledger }: Connection,
): Promise<StoredPlan | undefined> {
  if (saved.stored === undefined) return undefined;
  const { name } = saved.stored;
  const now = await readStoredPlan(kept.plans, name);
  if (now === undefined || now.document.digest !== saved.digest) {
    const applied = await ledger.applyOf(saved.plan.nonce);
    throw applied === undefined ? noSuchPlan(name) : appliedBefore(saved.file, saved.plan, applied);
  }
  refuseUnreviewed({ ...saved, stored: now.stored }, approving);
  return now.stored;
}

/** Adds the reviewed plan to the facts of an apply, as it is in the ledger now if it is one of the ledger. */
export function withReviewed(
  recorded: CommandFacts,
  { plan }: SavedPlan,
  stored: StoredPlan | undefined,
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
  new DexsyncError('USAGE', `\`--approvals\` counts the reviews of a plan in the ledger, but ${file} is a file.`, {
    hint: 'Save the plan with `dexsync plan --out ledger:NAME`, or remove `--approvals`.',
  });

function rejected({ name }: StoredPlan, { by, at, reason }: PlanReview): DexsyncError {
  const when = `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
  const why = reason === undefined ? '' : `: "${reason}"`;
  return new DexsyncError('PLAN_REJECTED', `${by} rejected ${ledgerReference(name)} on ${when}${why}.`, {
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
