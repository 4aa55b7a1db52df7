import { DexsyncError } from '#base/errors.js';

/** Nothing was sent yet while a source is read. */
export const interruptionError = (file: string): DexsyncError =>
  new DexsyncError('INTERRUPTED', `Interrupted while reading ${file}. Nothing was sent.`);
