import { setTimeout as sleep } from 'node:timers/promises';
import pRetry, { AbortError } from 'p-retry';
import { DexsyncError } from '#base/errors.js';
import type { Profile } from '../profiles/profile.js';
import { nameOfRequest } from '../request-name.js';
import type { Answer, Interceptor, Request, Send } from '../send.js';

/** How long a request may be repeated, and the callback for its pauses. */
export interface RetrySettings {
  readonly signal: AbortSignal;
  readonly clock: () => number;
  /** Milliseconds that the pauses and repeats of one request may take together. */
  readonly longest: number;
  /** Called before a pause of a second or more. */
  readonly onWait: (seconds: number) => void;
}

const TOO_MANY = 429;
const PASSING = new Set([502, 503, 504]);
/** Number of faults that are treated as temporary. A limit is awaited as long as there is time. */
export const MOST_FAULTS = 3;

/** An answer after which the request may be sent again. */
class Postponed extends Error {
  constructor(
    readonly answer: Answer,
    /** In milliseconds. */
    readonly pause: number | undefined,
  ) {
    super(`HTTP ${answer.status}`);
  }
}

/**
 * Sends a request again, after the pause that the service asks for or a growing one: any request after a limit (429),
 * which certainly did nothing; reads and logins also after a temporary fault; never other writes, as these may be done.
 */
export function retry(profile: Profile, patience: RetrySettings): Interceptor {
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
      // A request that was answered during an interruption was done all the same.
      return answered ?? lastWord(error, request, signal);
    }
  };
}

/** Returns the answer that was not retried, or throws the reason why there is none. */
function lastWord(error: unknown, request: Request, signal: AbortSignal): Answer {
  if (error instanceof Postponed) return error.answer;
  if (!signal.aborted || error instanceof DexsyncError) throw error;
  throw new DexsyncError('INTERRUPTED', `${nameOfRequest(request)} was interrupted.`, { cause: error });
}

/** Throws what may pass, and an AbortError for all else. */
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

/** Pauses as long as the service asks for; returns false if there is no time for it. */
async function pauseIfTime(error: Error, spent: number, { longest, signal, onWait }: RetrySettings): Promise<boolean> {
  const { pause = 0 } = error instanceof Postponed ? error : {};
  if (spent + pause >= longest) return false;
  if (pause >= 1000) onWait(Math.ceil(pause / 1000));
  if (pause > 0) await sleep(pause, undefined, { signal });
  return true;
}

/** Whether a request changes nothing; a lost login does not either. */
const isRepeatable = ({ method, login }: Request): boolean => method === 'GET' || login === true;

export const isNetwork = (error: unknown): boolean => error instanceof DexsyncError && error.code === 'NETWORK';

/**
 * Returns the requested pause in milliseconds, from seconds or a date (RFC 9110, section 10.2.3), or until the quota is
 * renewed if none is left; undefined if the service asks for no pause.
 */
function requestedPause({ headers }: Answer, { headers: names }: Profile, now: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const isSpent = headers[names.requestsRemaining] === '0';
  const at = Date.parse(text === '' && isSpent ? (headers[names.nextReset] ?? '') : text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
