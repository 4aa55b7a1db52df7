import { setTimeout as sleep } from 'node:timers/promises';
import { DexsyncError } from '../../errors.js';
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

const LONGEST_WAIT = 60;
const MOST_WAITS = 3;

/** Counts requests, reads the quota headers, and waits where the service asks for a short pause. */
export function quota(
  usage: Usage,
  { headers: names }: Profile,
  signal: AbortSignal,
  onWait: (seconds: number) => void,
): Interceptor {
  return (next) => async (request) => {
    for (let waits = 0; ; waits += 1) {
      if (request.login !== true) usage.used += 1;
      const answer = await next(request);
      note(usage, answer, names);
      const pause = pauseOf(answer);
      if (pause === undefined || waits === MOST_WAITS) return answer;
      onWait(pause);
      await sleep(pause * 1000, undefined, { signal }).catch((cause: unknown) => {
        throw new DexsyncError('INTERRUPTED', 'Interrupted while the service asked to wait.', { cause });
      });
    }
  };
}

function note(usage: Usage, { headers }: Answer, { requestsRemaining, nextReset }: Profile['headers']): void {
  const remaining = headers[requestsRemaining];
  if (remaining !== undefined) usage.remaining = Number(remaining);
  usage.reset = instantOf(headers[nextReset]) ?? usage.reset;
}

/** The reset header is written in one of two forms (wire-facts, section 2). */
function instantOf(text: string | undefined): string | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}

/** Seconds that the service asks to wait; undefined where it does not ask, or asks for longer than anybody waits. */
function pauseOf({ status, headers }: Answer): number | undefined {
  const pause = Number(headers['retry-after'] ?? Number.NaN);
  return status === 429 && pause <= LONGEST_WAIT ? pause : undefined;
}
