import { DexsyncError } from '#base/errors.js';

/** A write of which nobody knows whether it was done. `says` tells so, and why. */
export const unansweredWrite = (says: string, cause?: unknown): DexsyncError =>
  new DexsyncError('WRITE_UNANSWERED', says, {
    hint: 'The request was not repeated. The next plan reads the workspace and shows the remaining changes.',
    ...(cause === undefined ? {} : { cause }),
  });
