import pRetry, { AbortError } from 'p-retry';
import { DexsyncError } from '../../errors.js';
import { nameOfRequest } from '../request-name.js';
import type { Answer, Interceptor } from '../send.js';

const PASSING = new Set([502, 503, 504]);

class PassingFault extends Error {
  constructor(readonly answer: Answer) {
    super(`HTTP ${answer.status}`);
  }
}

/** Reads are sent again after a fault that may pass. Writes never are: nobody knows whether they were done. */
export function retry(signal: AbortSignal): Interceptor {
  return (next) => async (request) => {
    if (request.method !== 'GET') return next(request);
    const attempt = async (): Promise<Answer> => {
      const answer = await next(request).catch((error: unknown) => {
        throw error instanceof DexsyncError && error.code === 'NETWORK' ? error : new AbortError(error as Error);
      });
      if (PASSING.has(answer.status)) throw new PassingFault(answer);
      return answer;
    };
    try {
      return await pRetry(attempt, { retries: 3, minTimeout: 200, factor: 2, randomize: true, signal });
    } catch (error) {
      if (error instanceof PassingFault) return error.answer;
      if (!signal.aborted || error instanceof DexsyncError) throw error;
      throw new DexsyncError('INTERRUPTED', `${nameOfRequest(request)} was interrupted.`, { cause: error });
    }
  };
}
