import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';

/** Creates the error for a write that may or may not be done. `says` reports that, and why. */
export const unansweredWrite = (says: string, cause?: unknown): DexsyncError =>
  new DexsyncError('WRITE_UNANSWERED', says, {
    hint: 'The request was not repeated. The next plan reads the workspace and shows the remaining changes.',
    ...omitUndefined({ cause }),
  });
