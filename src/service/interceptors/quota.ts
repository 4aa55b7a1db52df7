import type { Profile } from '../profiles/profile.js';
import type { Answer, Interceptor } from '../send.js';

/** Requests that this process used, and those that remain according to the service. */
export interface Usage {
  /** Requests that count against the quota; login does not (wire-facts, section 2). */
  used: number;
  remaining: number | null;
  /** When the quota is renewed: in ISO 8601 and UTC if the service's date can be parsed, else its own text. */
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
 * Updates the usage. Answers come in any order, and until the reset the rest only falls, so that the lowest number
 * counts. The reset is the same all day, and is parsed only when it changes.
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

/** Parses a count, at least 0; undefined for text that is not a number. */
const countIn = (text: string | undefined): number | undefined =>
  text === undefined || !/^\s*-?\d+\s*$/.test(text) ? undefined : Math.max(0, Number(text));

/** Parses the reset header, which has one of two forms (wire-facts, section 2). */
function instantOf(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}
