import type { Profile } from '../profiles/profile.js';
import type { Answer, Interceptor } from '../send.js';

/** What this process spent, and what the service last said is left. */
export interface Usage {
  /** Requests that count against the quota; login does not (wire-facts, section 2). */
  used: number;
  remaining: number | null;
  /** When the quota is filled up again: ISO 8601 in UTC where the service's date can be read, else its own words. */
  reset: string | null;
}

/** Counts requests and reads the quota headers. */
export const countRequests =
  (usage: Usage, { headers: names }: Profile): Interceptor =>
  (next) => {
    const noted = { reset: '' };
    return async (request) => {
      if (request.login !== true) usage.used += 1;
      const answer = await next(request);
      noteUsage(usage, answer, names, noted);
      return answer;
    };
  };

/**
 * Answers come in any order, and until the reset what is left only falls: the lowest counts. The reset is the same all day, and
 * is read where it is another one.
 */
function noteUsage(
  usage: Usage,
  { headers }: Answer,
  { requestsRemaining, nextReset }: Profile['headers'],
  noted: { reset: string },
): void {
  const { [requestsRemaining]: remaining, [nextReset]: reset } = headers;
  const isSameDay = reset !== undefined && reset === noted.reset;
  const left = countIn(remaining);
  if (left !== undefined)
    usage.remaining = isSameDay ? Math.min(usage.remaining ?? Number.POSITIVE_INFINITY, left) : left;
  if (reset === undefined || isSameDay) return;
  noted.reset = reset;
  usage.reset = instantOf(reset);
}

/** Nothing is left below 0; what is no number says nothing. */
const countIn = (text: string | undefined): number | undefined =>
  text === undefined || !/^\s*-?\d+\s*$/.test(text) ? undefined : Math.max(0, Number(text));

/** The reset header is written in one of two forms (wire-facts, section 2). */
function instantOf(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}
