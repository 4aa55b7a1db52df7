import type { RolloutSettings } from '#ledger/stored-rollout.js';
import type { RolloutState, TargetState } from './rollout-state.js';

/** What happens next in a rollout. Waves count from 0. */
export type RolloutDecision =
  /** These environments may be worked on now. */
  | { readonly is: 'work'; readonly wave: number; readonly environments: readonly string[] }
  /** The check of a wave is due. */
  | { readonly is: 'check'; readonly wave: number }
  /** Nothing can be done before that time: the wave soaks, or deferred environments are tried again then. */
  | { readonly is: 'wait'; readonly wave: number; readonly because: 'soak' | 'deferred'; readonly until: Date }
  /** A person has to approve the wave, or to say what becomes of one that did not succeed. */
  | { readonly is: 'ask'; readonly wave: number; readonly because: 'approval' | 'refused' | 'failed' }
  /** More environments failed than the budget allows. */
  | { readonly is: 'over-budget'; readonly failed: number; readonly budget: number }
  | { readonly is: 'paused' | 'stopped' }
  /** Each environment is done, or failed within the budget. */
  | { readonly is: 'ended' };

/** The time of a decision, in milliseconds since 1970. */
export interface DecisionTime {
  readonly now: number;
  /** When this command began: environments that were deferred before are tried at once. */
  readonly since: number;
}

/** Milliseconds after which a deferred environment is tried again by a command that waits. */
const TRY_AGAIN = 300_000;

/** Decides what happens next. Depends on nothing but its arguments. */
export function decideRollout(state: RolloutState, settings: RolloutSettings, time: DecisionTime): RolloutDecision {
  if (state.stopped !== undefined) return { is: 'stopped' };
  if (state.paused !== undefined) return { is: 'paused' };
  const interrupted = state.targets.filter(({ is }) => is === 'begun');
  if (interrupted.length > 0) return work(interrupted, interrupted[0]?.wave ?? 0);
  const failed = spentBudget(state);
  if (failed > settings.budget) return { is: 'over-budget', failed, budget: settings.budget };
  const waves = [...new Set(state.targets.map(({ wave }) => wave))].sort((one, other) => one - other);
  for (const wave of waves) {
    const due = state.targets.filter((target) => target.wave <= wave && isDue(target, time));
    if (due.length > 0) return work(due, wave);
    const open = wave === waves.at(-1) ? endOf(state, wave) : betweenWaves(state, settings, wave, time);
    if (open !== undefined) return open;
  }
  return { is: 'ended' };
}

/** How many environments count against the budget. */
export const spentBudget = ({ targets }: Pick<RolloutState, 'targets'>): number =>
  targets.filter(({ is }) => is === 'failed' || is === 'unknown').length;

const work = (targets: readonly TargetState[], wave: number): RolloutDecision => ({
  is: 'work',
  wave,
  environments: targets.map(({ environment }) => environment),
});

function isDue({ is, until, at = '' }: TargetState, { now, since }: DecisionTime): boolean {
  if (is === 'waiting') return true;
  if (is !== 'deferred') return false;
  if (until !== undefined) return Date.parse(until) <= now;
  return Date.parse(at) < since || Date.parse(at) + TRY_AGAIN <= now;
}

const nextTry = ({ until, at = '' }: TargetState): number =>
  until === undefined ? Date.parse(at) + TRY_AGAIN : Date.parse(until);

/** What keeps the next wave from beginning; undefined if nothing does. */
function betweenWaves(
  state: RolloutState,
  { soak, check }: RolloutSettings,
  wave: number,
  { now }: DecisionTime,
): RolloutDecision | undefined {
  const own = state.targets.filter((target) => target.wave === wave);
  const deferred = own.filter(({ is }) => is === 'deferred');
  const done = own.filter(({ is }) => is === 'done');
  // A canary says something only as a whole, and a later wave only if it has done anything.
  if (deferred.length > 0 && (wave === 0 || done.length === 0)) return untilTried(deferred, wave);
  if (wave > 0 && own.every(({ is }) => is === 'gone')) return undefined;
  if (done.length === 0) return { is: 'ask', wave, because: 'failed' };
  const soaked = Math.max(...done.map(({ at = '' }) => Date.parse(at))) + soak * 1000;
  if (soaked > now) return { is: 'wait', wave, because: 'soak', until: new Date(soaked) };
  return check === undefined ? undefined : checkOf(state, check, wave);
}

/** What the check of a wave asks for; undefined if the next one may begin. */
function checkOf(
  { checks, approvals }: RolloutState,
  { condition, command, approval: isAsked }: NonNullable<RolloutSettings['check']>,
  wave: number,
): RolloutDecision | undefined {
  const approval = approvals.get(wave)?.is;
  const last = checks.get(wave)?.is;
  const verdict = last === 'retried' ? undefined : last;
  if (approval === 'rejected') return { is: 'ask', wave, because: 'refused' };
  if ((condition ?? command) !== undefined && verdict === undefined) return { is: 'check', wave };
  // A person may know better than a check.
  if (approval === 'approved') return undefined;
  if (verdict === 'refused') return { is: 'ask', wave, because: 'refused' };
  return isAsked === true ? { is: 'ask', wave, because: 'approval' } : undefined;
}

/** What is left after the last wave: environments of any wave that are tried again later. */
function endOf({ targets }: RolloutState, wave: number): RolloutDecision | undefined {
  const deferred = targets.filter(({ is }) => is === 'deferred');
  return deferred.length === 0 ? undefined : untilTried(deferred, wave);
}

const untilTried = (deferred: readonly TargetState[], wave: number): RolloutDecision => ({
  is: 'wait',
  wave,
  because: 'deferred',
  until: new Date(Math.min(...deferred.map(nextTry))),
});
