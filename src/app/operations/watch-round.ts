import { DexsyncError, EXIT, reasonOf } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Address } from '#core/model/address.js';
import { hasWrites, type Plan } from '#core/model/plan.js';
import type { Event, StepStatus, Summary } from '#core/stream/event.js';
import type { DriftedBriefly, RoundEnd, WatchPolicy } from '#core/stream/watch-event.js';
import { lookOfRound } from '#delivery/notify/look-of-round.js';
import type { Look } from '#delivery/notify/seen.js';
import { type Drift, driftIn } from '#delivery/planning/drift-in-plan.js';
import type { PlanningOptions } from '#delivery/planning/planning-options.js';
import { PASSING_ERRORS } from '#delivery/watch/passing-errors.js';
import { hasAllowed, heldSteps, holdBack, unapprovedSteps } from '#delivery/watch/policy.js';
import type { Schedule } from '#delivery/watch/schedule.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { apply } from './apply.js';
import { applyReviewed } from './apply-reviewed.js';
import { findApproved } from './approved-plan.js';
import { planWith } from './plan.js';

/** How to plan a round, and what it may apply. */
export interface RoundOptions extends ProjectOptions, PlanningOptions {
  readonly policy: WatchPolicy;
  /** Whether the files are still those that the round began with: during a checkout, manifests are missing. */
  readonly isUnchanged?: () => Promise<boolean>;
  readonly parallelism?: number;
}

/** The end of a round, and the facts that schedule the next one. */
export interface Round {
  readonly end: Omit<RoundEnd, 'round' | 'seconds' | 'next'>;
  readonly failure?: Schedule['failure'];
  /** Requests that the plan took; undefined if planning did not end. */
  readonly cost?: number;
  /** When the quota is reset, according to the service. */
  readonly reset?: string;
  /** What is said to people about the environment; undefined if the round says nothing certain. */
  readonly look?: Look;
  /** `interrupted`: steps of an apply were left when the watch was stopped. */
  readonly left?: 'interrupted';
}

/** Plans, and applies what the policy allows. Never throws: a failure ends only the round. */
export async function watchRound(options: RoundOptions, host: Host): Promise<Round> {
  let seen: Extract<Event, { type: 'plan' }> | undefined;
  const ends = new Map<Address, StepStatus['is']>();
  const emit = (event: Event): void => {
    if (event.type === 'plan') seen = event;
    if (event.type === 'step') ends.set(event.address, event.status.is);
    host.emit(event);
  };
  const round = await planAndApply(options, { ...host, emit }).catch((error: unknown) => failedRound(error, seen));
  const { reset } = seen ?? {};
  const look = round.left === undefined ? lookOfRound(round.end, seen?.plan, ends) : undefined;
  return {
    ...round,
    ...(seen === undefined ? {} : { cost: seen.plan.requests.used }),
    ...(reset ? { reset } : {}),
    ...omitUndefined({ look }),
  };
}

async function planAndApply(options: RoundOptions, host: Host): Promise<Round> {
  const { policy, isUnchanged = async () => true, ...planning } = options;
  const [planned, drift] = await planWith(planning, host, ({ plan }, find) => [plan, find()] as const);
  const found = findings(planned, drift);
  const held = heldSteps(planned, policy);
  const { used, remaining } = planned.requests;
  const end = { ...found, held, requests: { used, remaining } };
  if (planned.steps.length === 0) return { end: { ...end, result: 'unchanged' } };
  if (!hasWrites(planned)) return { end: { ...end, result: 'blocked' } };
  const approved = await findApproved(planned, planning, host);
  if (approved === undefined) return { end: { ...end, held: unapprovedSteps(planned), result: 'held' } };
  if (approved !== 'not needed') {
    const applying = { ...planning, reviewed: [approved], confirm: isUnchanged, attended: false };
    return appliedRound(await applyReviewed(applying, host), { ...end, held: [] });
  }
  if (!hasAllowed(planned, held)) return { end: { ...end, result: 'held' } };
  const applying = { ...planning, hold: holdBack(policy), confirm: isUnchanged };
  return appliedRound(await apply({ ...applying, attended: false, recordedAs: 'watch' }, host), end);
}

/** Ends a round after its apply. No summary means that the workspace or the files have changed meanwhile. */
function appliedRound(summary: Summary | undefined, found: Omit<RoundEnd, 'round' | 'seconds' | 'result'>): Round {
  if (summary === undefined) return { end: { ...found, held: [], result: 'held' } };
  const { used, remaining } = summary.requests;
  const end = { ...found, requests: { used: found.requests.used + used, remaining } };
  if (summary.exitCode === EXIT.done) return { end: { ...end, result: 'applied' } };
  const failure = summary.failed + summary.unknown + summary.skipped > 0 ? { failure: 'lasting' as const } : {};
  const left = summary.exitCode === EXIT.interrupted ? { left: 'interrupted' as const } : {};
  return { end: { ...end, result: 'partial' }, ...failure, ...left };
}

const findings = (planned: Plan, drift: Drift): Pick<RoundEnd, 'pending' | 'drifted'> => ({
  pending: planned.steps.length,
  drifted: drift.objects.map(
    ({ address, what, fields, changedAt, changedBy }): DriftedBriefly => ({
      address,
      what,
      fields: fields.map(({ path }) => path),
      unnamed: fields.flatMap(({ path, named }) => (named ? [] : [path])),
      ...omitUndefined({ changedAt, changedBy }),
    }),
  ),
});

/** Ends a round with an error; `seen`: the plan that was shown before. */
export function failedRound(error: unknown, seen?: { readonly plan: Plan }): Round {
  const { code, message, hint } =
    error instanceof DexsyncError ? error : { code: 'UNEXPECTED', message: reasonOf(error) };
  const { used, remaining } = seen?.plan.requests ?? { used: 0, remaining: null };
  return {
    end: {
      result: 'failed',
      ...(seen === undefined ? { pending: 0, drifted: [] } : findings(seen.plan, driftIn(seen.plan, []))),
      held: [],
      requests: { used, remaining },
      error: { code, message, ...omitUndefined({ hint }) },
    },
    failure: code === 'QUOTA_EXHAUSTED' ? 'quota' : PASSING_ERRORS.has(code) ? 'passing' : 'lasting',
  };
}
