import { DexsyncError } from '../errors.js';

/** A write of which nobody knows whether it was done. `says` tells so, and why. */
export const unansweredWrite = (says: string, cause?: unknown): DexsyncError =>
  new DexsyncError('WRITE_UNANSWERED', says, {
    hint: 'It was not sent again. The next plan reads the workspace and shows what is still to do.',
    ...(cause === undefined ? {} : { cause }),
  });
