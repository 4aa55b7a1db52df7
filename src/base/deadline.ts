import { createContext, Script } from 'node:vm';

const CALL = new Script('work()');

/** Work that did not end in time; its message fits into the middle of a sentence. */
export class Overrun extends Error {}

/** Runs synchronous work for at most that many milliseconds; then throws Overrun. */
export function withDeadline<T>(work: () => T, milliseconds: number): T {
  try {
    return CALL.runInContext(createContext({ work }), { timeout: milliseconds }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Overrun(`it did not end within ${milliseconds / 1000} s`);
  }
}
