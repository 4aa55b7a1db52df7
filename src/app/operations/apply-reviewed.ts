import { withHint } from '#base/diagnostics.js';
import { DexsyncError, EXIT } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { hasWrites, type Plan, takenOverUnasked } from '#core/model/plan.js';
import { NOTHING_DONE, type Summary } from '#core/stream/event.js';
import { readUnlessApplied } from '#delivery/planfile/applied-name.js';
import { remainingChanges } from '#delivery/planfile/applied-steps.js';
import { asksFor, otherSteps, refuseOtherSteps } from '#delivery/planfile/as-reviewed.js';
import { appliedBefore, leadingTo, otherWorkspace } from '#delivery/planfile/plan-errors.js';
import { plannedFrom } from '#delivery/planfile/plan-verdicts.js';
import type { SavedPlan } from '#delivery/planfile/read-plan.js';
import { refuseElsewhere } from '#delivery/planfile/refuse-elsewhere.js';
import { isReviewed, removeApplied, reviewedAgain, withReviewed } from '#delivery/planfile/reviews.js';
import { warnOfPlanKey } from '#delivery/planfile/seal-plan.js';
import { usablePlans, waitingBeside } from '#delivery/planfile/waiting-plans.js';
import { type Planned, type PreparedPlan, withPlan } from '#delivery/planning/plan-manifests.js';
import { admitPlan, overriddenIn } from '#delivery/release/check-chain.js';
import type { AppliedPlan } from '#ledger/ledger.js';
import { environmentPlace } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { placeText } from '#project/parse-address.js';
import { openConfig } from '#project/project.js';
import { findPolicies } from '#project/reviews/find-policies.js';
import { type ApplyOptions, applyAgreed, prepareApply, readyFrom } from './apply.js';
import { applySavedPlan, isWhole } from './apply-saved.js';
import { preparePromotion } from './promote.js';

/** The reviewed plans, and how to plan and apply again. */
export interface ApplyReviewedOptions extends ApplyOptions {
  /** Saved plans, as files or `ledger:NAME`. The last one is for the current manifests. */
  readonly reviewed: readonly string[];
}

/**
 * Plans again, and applies the plan if it changes the same as the last reviewed one. Before it, applies other reviewed
 * plans, and those that wait in the ledger, as saved, if the manifests ask for their changes too. Changes applied since
 * are not applied again. Throws PLAN_STALE with the steps that nobody has reviewed.
 */
export async function applyReviewed(options: ApplyReviewedOptions, host: Host): Promise<Summary | undefined> {
  warnOfPlanKey(host);
  const config = await openConfig(options, host);
  const saved = await readReviewed(options.reviewed.at(-1) as string, options, host);
  if (!('plan' in saved)) return reportApplied(saved, host);
  const given = await readOthers(options, host);
  await refuseElsewhere(saved, options.environment, config, host);
  options.requireAnswer?.();
  const { name: target } = environmentPlace(config, options.environment, host.variables);
  const approving = await admitPlan(saved, target, { ...options, isPlannedAgain: true }, config, host);
  const prepared = await prepare(saved.plan, options, config, host);
  return withConnection(config, { ...options, access: 'write', isReviewed: true }, host, async (connection) => {
    if (connection.workspace.identity !== saved.plan.workspace.identity)
      throw otherWorkspace(saved.file, saved.plan, leadingTo(connection));
    return applyInOrder({ saved, given, prepared, options: approving, connection, host });
  });
}

/** A plan that was applied completely. */
interface CompletedPlan extends Pick<AppliedPlan, 'at' | 'by'> {
  readonly file: string;
}

/** Reads the plan, or how it was applied if it left the ledger. Throws PLAN_APPLIED if a part of it was left. */
async function readReviewed(
  file: string,
  options: ApplyReviewedOptions,
  host: Host,
): Promise<SavedPlan | CompletedPlan> {
  const found = await readUnlessApplied(file, host, options);
  if (!('isEnded' in found)) return found;
  const { plan, ...done } = found;
  if (!done.isEnded) throw appliedBefore(file, plan, done);
  return { ...done, file };
}

/** Leaves out other plans that cannot be used: their changes are then reported as not reviewed. */
async function readOthers(options: ApplyReviewedOptions, host: Host): Promise<SavedPlan[]> {
  const read = options.reviewed.slice(0, -1).map((file) =>
    readReviewed(file, options, host).catch((error: unknown) => {
      if (!(error instanceof DexsyncError)) throw error;
      const { message, hint } = error;
      const diagnostic = { severity: 'warning', code: 'plan-left-out', message } as const;
      host.emit({ type: 'diagnostic', diagnostic: withHint(diagnostic, hint) });
      return undefined;
    }),
  );
  return (await Promise.all(read)).flatMap((one) => (one !== undefined && 'plan' in one ? [one] : []));
}

/** Ends successfully: running a finished job again is not a mistake. */
function reportApplied({ file, at, by }: CompletedPlan, host: Host, requests = NOTHING_DONE.requests): Summary {
  host.emit({ type: 'reviewed', plan: file, is: 'applied before', at, ...omitUndefined({ by }) });
  const summary: Summary = { ...NOTHING_DONE, requests, exitCode: EXIT.done };
  host.emit(summary);
  return summary;
}

/** Prepares the new plan; a promotion is planned as a promotion again, by default with the same selection. */
function prepare(plan: Plan, options: ApplyReviewedOptions, config: Config, host: Host): Promise<PreparedPlan> {
  const { promoted, selection } = plan;
  if (promoted === undefined) return prepareApply(options, host);
  const { files: _, prune: __, ...planning } = options;
  const { name: to } = environmentPlace(config, options.environment, host.variables);
  const { only = selection?.only ?? [], exclude = selection?.exclude ?? [] } = planning;
  const { release, environment: from, as } = promoted;
  const take = promoted.taken?.map(({ side, ...place }) => ({ side, object: placeText(place) }));
  const override = overriddenIn(plan.guards);
  const what = release === undefined ? { from, as } : { release, override, ...omitUndefined({ take }) };
  return preparePromotion({ ...planning, ...what, to, only, exclude }, 'apply', host);
}

interface Queue {
  readonly saved: SavedPlan;
  readonly given: readonly SavedPlan[];
  readonly prepared: PreparedPlan;
  readonly options: ApplyReviewedOptions;
  readonly connection: Connection;
  readonly host: Host;
}

async function applyInOrder(queue: Queue): Promise<Summary | undefined> {
  const { saved, prepared, connection, host } = queue;
  let waiting: readonly SavedPlan[] | undefined;
  for (;;) {
    const left = await remainingChanges(saved.plan, connection.ledger);
    if (left.applied !== undefined) return finish(queue, left.applied);
    const found = await withPlan(prepared.requestFor(connection), async (planned) => {
      if (otherSteps(planned.plan, left).length === 0) return { summary: await applyReplanned(planned, queue) };
      waiting ??= [...queue.given, ...(await waitingBeside(saved, connection, host))];
      waiting = await selectRequestedPlans(planned.plan, waiting, queue);
      const [next, ...others] = waiting;
      if (next === undefined) refuseOtherSteps(planned.plan, left, saved, host);
      waiting = others;
      return next;
    });
    if (found === undefined || 'summary' in found) return found?.summary;
    const summary = await applyWaitingPlan(found, queue);
    if (summary !== 'stale' && !isWhole(summary)) return summary;
  }
}

/** Ends after another apply has already done all of the plan. */
async function finish(queue: Queue, applied: Omit<CompletedPlan, 'file'>): Promise<Summary> {
  const { saved, prepared, connection, host } = queue;
  await removeApplied(saved.stored, connection, prepared.config, host);
  const { used, remaining } = connection.client.usage;
  return reportApplied({ ...applied, file: saved.file }, host, { used, remaining });
}

/** Applies the new plan. If a step fails, the plan stays reviewed, so that the same command resumes it. */
async function applyReplanned(planned: Planned, queue: Queue): Promise<Summary | undefined> {
  const { saved, prepared, options, connection, host } = queue;
  const passed = await reviewedAgain(saved, options, connection, host);
  const ready = readyFrom(planned, options, withReviewed(prepared.recorded, saved, passed));
  const summary = await applyAgreed(ready, options, connection, host);
  if (isWhole(summary)) await removeApplied(passed.stored, connection, prepared.config, host);
  return summary;
}

/** Selects the waiting plans of which nothing was applied and whose changes are all part of `plan`. */
async function selectRequestedPlans(plan: Plan, waiting: readonly SavedPlan[], queue: Queue): Promise<SavedPlan[]> {
  const { connection, host, prepared } = queue;
  const waitingNow = () => usablePlans(connection.kept.plans, connection.catalog, host);
  const found: SavedPlan[] = [];
  for (const one of waiting) {
    const unasked = queue.options.attended === false ? takenOverUnasked(one.plan.steps) : [];
    const isHere = one.plan.workspace.identity === connection.workspace.identity && one.plan.stack === plan.stack;
    if (!isHere || unasked.length > 0) continue;
    if (!hasWrites(one.plan) || !asksFor(plan, one.plan)) continue;
    const policies = await findPolicies(prepared.config, [connection.environment], plannedFrom(one.plan), host);
    const options = { ...queue.options, isPlannedAgain: false, policies };
    if (!(await isReviewed(one, options, waitingNow, host))) continue;
    const left = await remainingChanges(one.plan, connection.ledger);
    if (left.steps.length === one.plan.steps.length) found.push(one);
  }
  return found;
}

/** Applies a plan exactly as it was saved; a stale one is left for its own apply. */
async function applyWaitingPlan(next: SavedPlan, { prepared, options, connection, host }: Queue) {
  const { config, recorded } = prepared;
  const policies = await findPolicies(config, [connection.environment], plannedFrom(next.plan), host);
  const refuse = (stale: readonly unknown[]) => {
    if (stale.length > 0) return 'stale';
    host.emit({ type: 'reviewed', plan: next.file, is: 'applied first' });
    return 'fresh';
  };
  return applySavedPlan(
    next,
    { ...options, isPlannedAgain: false, policies, config, recorded, refuse },
    connection,
    host,
  );
}
