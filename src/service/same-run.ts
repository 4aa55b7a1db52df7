import { DexsyncError } from '#base/errors.js';

/** Returns the run that a read answered. Throws ANSWER_UNEXPECTED if it is not the one that was asked for. */
export function sameRun<T extends { readonly guid: string }>(run: T, asked: string): T {
  if (run.guid === asked) return run;
  throw new DexsyncError('ANSWER_UNEXPECTED', `The service answered with run ${run.guid} instead of ${asked}.`, {
    hint: 'Run the command again. A cache or a proxy may have answered instead of the service.',
  });
}
