import { setTimeout as sleep } from 'node:timers/promises';
import pRetry, { AbortError } from 'p-retry';
import { DexsyncError } from '#base/errors.js';
import type { Profile } from '../profiles/profile.js';
import { nameOfRequest } from '../request-name.js';
import type { Answer, Interceptor, Request, Send } from '../send.js';

/** How long a request may go on being repeated, and who is told of the pauses. */
export interface Patience {
  readonly signal: AbortSignal;
  readonly clock: () => number;
  /** Milliseconds that the pauses and repeats of one request may take together. */
  readonly longest: number;
  /** Told before a pause of a second or more. */
  readonly onWait: (seconds: number) => void;
}

const TOO_MANY = 429;
const PASSING = new Set([502, 503, 504]);
/** How often a fault is taken for one that passes. A limit is waited for as long as there is time. */
export const MOST_FAULTS = 3;

/** An answer after which the request may be sent again. */
class Postponed extends Error {
  constructor(
    readonly answer: Answer,
    /** Milliseconds. */
    readonly pause: number | undefined,
  ) {
    super(`HTTP ${answer.status}`);
  }
}

/**
 * Sends again, after the pause that the service asks for or one that grows: whatever a limit refused (429), which certainly
 * was not done; reads and logins also after a fault that may pass. Other writes never: nobody knows whether they were done.
 */
export function retry(profile: Profile, patience: Patience): Interceptor {
  const { signal, clock, longest } = patience;
  return (next) => async (request) => {
    const start = clock();
    let answered: Answer | undefined;
    const attempt = async (): Promise<Answer> => {
      const answer = await sendOnce(request, next, (late) => requestedPause(late, profile, clock()));
      answered = answer;
      return answer;
    };
    try {
      return await pRetry(attempt, {
        retries: Number.POSITIVE_INFINITY,
        minTimeout: 200,
        maxTimeout: 10_000,
        factor: 2,
        randomize: true,
        signal,
        maxRetryTime: longest,
        shouldRetry: ({ error, attemptNumber }) =>
          mayPass(error, attemptNumber) && pauseIfTime(error, clock() - start, patience),
      });
    } catch (error) {
      // What was done while somebody interrupted was done all the same.
      return answered ?? lastWord(error, request, signal);
    }
  };
}

/** The answer that was not repeated any more, or why there is none. */
function lastWord(error: unknown, request: Request, signal: AbortSignal): Answer {
  if (error instanceof Postponed) return error.answer;
  if (!signal.aborted || error instanceof DexsyncError) throw error;
  throw new DexsyncError('INTERRUPTED', `${nameOfRequest(request)} was interrupted.`, { cause: error });
}

/** Throws what may pass, and an AbortError for what will not. */
async function sendOnce(
  request: Request,
  next: Send,
  pauseOf: (answer: Answer) => number | undefined,
): Promise<Answer> {
  const answer = await next(request).catch((error: unknown) => {
    throw isRepeatable(request) && isNetwork(error) ? error : new AbortError(error as Error);
  });
  if (answer.status === TOO_MANY || (isRepeatable(request) && PASSING.has(answer.status)))
    throw new Postponed(answer, pauseOf(answer));
  return answer;
}

const mayPass = (error: Error, attempts: number): boolean =>
  attempts <= MOST_FAULTS || (error instanceof Postponed && error.answer.status === TOO_MANY);

/** Whether there is time for the pause that the service asks for; after it. */
async function pauseIfTime(error: Error, spent: number, { longest, signal, onWait }: Patience): Promise<boolean> {
  const { pause = 0 } = error instanceof Postponed ? error : {};
  if (spent + pause >= longest) return false;
  if (pause >= 1000) onWait(Math.ceil(pause / 1000));
  if (pause > 0) await sleep(pause, undefined, { signal });
  return true;
}

/** What changes nothing: a login that was lost is no exception. */
const isRepeatable = ({ method, login }: Request): boolean => method === 'GET' || login === true;

export const isNetwork = (error: unknown): boolean => error instanceof DexsyncError && error.code === 'NETWORK';

/**
 * Milliseconds, from seconds or from a date (RFC 9110, section 10.2.3), or until there are requests again where none is left;
 * undefined where the service asks for no pause.
 */
function requestedPause({ headers }: Answer, { headers: names }: Profile, now: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const isSpent = headers[names.requestsRemaining] === '0';
  const at = Date.parse(text === '' && isSpent ? (headers[names.nextReset] ?? '') : text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
