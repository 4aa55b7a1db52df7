import type { RoundCause } from '#core/stream/watch-event.js';

/** The facts at the end of a round; times are milliseconds since 1970. */
export interface Schedule {
  readonly now: number;
  /** The requested interval, in milliseconds. */
  readonly interval: number | undefined;
  /** Requests of the last round that completed its plan. */
  readonly cost: number;
  /** What is left of the daily quota, and when it resets; null and undefined if the service does not say. */
  readonly remaining: number | null;
  readonly reset: number | undefined;
  /** How many rounds in a row failed. */
  readonly failures: number;
  /** How the round failed: temporarily, for lack of quota, or in any other way. */
  readonly failure?: 'passing' | 'quota' | 'lasting';
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The interval if the service reports no quota. */
const WITHOUT_QUOTA = 10 * MINUTE;
const SHORTEST = MINUTE;
const LONGEST = 6 * HOUR;
/** The share of the remaining quota that a watch spends on its rounds. */
const SHARE = 0.25;
const FIRST_RETRY = 15 * SECOND;
/** Allows for a service whose clock is behind ours. */
const AFTER_RESET = 5 * SECOND;

/** When the next round begins. */
export interface NextRound {
  readonly at: number;
  readonly because: RoundCause;
}

/**
 * Schedules the next round if nothing changes: after the interval, soon after a temporary failure, or after the reset
 * if the quota is used up. Every failure in a row doubles the wait.
 */
export function nextRound(schedule: Schedule): NextRound {
  const { now, failures, failure, reset } = schedule;
  const interval = intervalOf(schedule);
  if (failure === undefined) return { at: now + interval, because: 'interval' };
  if (failure === 'quota' && reset !== undefined && reset > now) return { at: reset + AFTER_RESET, because: 'retry' };
  const first = failure === 'passing' ? Math.min(FIRST_RETRY, interval) : interval;
  const most = failure === 'passing' ? interval : Math.max(LONGEST, interval);
  return { at: now + Math.min(first * 2 ** Math.min(failures - 1, 20), most), because: 'retry' };
}

/** Returns the given interval, or one with which a quarter of the remaining quota lasts until its reset. */
function intervalOf({ now, interval, cost, remaining, reset }: Schedule): number {
  if (interval !== undefined) return interval;
  if (remaining === null || reset === undefined || reset <= now) return WITHOUT_QUOTA;
  const rounds = Math.floor((remaining * SHARE) / Math.max(1, cost));
  if (rounds === 0) return Math.min(reset + AFTER_RESET - now, 24 * HOUR);
  return Math.min(LONGEST, Math.max(SHORTEST, (reset - now) / rounds));
}
