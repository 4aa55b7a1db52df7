import { DexsyncError } from '#base/errors.js';

/** While a source is read, nothing was sent yet. */
export const interruptedIn = (file: string): DexsyncError =>
  new DexsyncError('INTERRUPTED', `Interrupted while reading ${file}. Nothing was sent.`);
