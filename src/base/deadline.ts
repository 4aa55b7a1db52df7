import { createContext, Script } from 'node:vm';

const CALL = new Script('work()');

/** Work that came to no end in its time; the message says so in the middle of a sentence. */
export class Overrun extends Error {}

/** Runs what computes and waits for nothing, at most for so many milliseconds; throws Overrun then. */
export function withDeadline<T>(work: () => T, milliseconds: number): T {
  try {
    return CALL.runInContext(createContext({ work }), { timeout: milliseconds }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Overrun(`it did not end within ${milliseconds / 1000} s`);
  }
}
