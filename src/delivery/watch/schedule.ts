import type { RoundCause } from '#core/stream/watch-event.js';

/** What is known when a round has ended; times are milliseconds since 1970. */
export interface Schedule {
  readonly now: number;
  /** As it was asked for, in milliseconds. */
  readonly interval: number | undefined;
  /** Requests of the last round that was read to its end. */
  readonly cost: number;
  /** Requests that are left of the daily quota, and when it is reset; null and undefined where the service does not say. */
  readonly remaining: number | null;
  readonly reset: number | undefined;
  /** Rounds without success, one after the other. */
  readonly failures: number;
  /** How the round failed: something that passes by itself, the quota, or anything else. */
  readonly failure?: 'passing' | 'quota' | 'lasting';
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Where the service reports no quota. */
const WITHOUT_QUOTA = 10 * MINUTE;
const SHORTEST = MINUTE;
const LONGEST = 6 * HOUR;
/** Of what is left of the quota, a watch spends this much on looking. */
const SHARE = 0.25;
const FIRST_RETRY = 15 * SECOND;
/** Room for the clock of the service to be behind ours. */
const AFTER_RESET = 5 * SECOND;

/** When the next round begins. */
export interface NextRound {
  readonly at: number;
  readonly because: RoundCause;
}

/**
 * The next round without a change: after the interval, soon after a failure that may have passed, after the reset where the
 * quota is used up. Every failure in a row doubles the time.
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

/** The interval as given, or such that a quarter of what is left of the quota lasts until its reset. */
function intervalOf({ now, interval, cost, remaining, reset }: Schedule): number {
  if (interval !== undefined) return interval;
  if (remaining === null || reset === undefined || reset <= now) return WITHOUT_QUOTA;
  const rounds = Math.floor((remaining * SHARE) / Math.max(1, cost));
  if (rounds === 0) return Math.min(reset + AFTER_RESET - now, 24 * HOUR);
  return Math.min(LONGEST, Math.max(SHORTEST, (reset - now) / rounds));
}
