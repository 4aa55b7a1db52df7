import { DexsyncError } from '#base/errors.js';

/** Error for a source whose file and options give no rows. `hint`: what to do about either. */
export const unreadableFile = (message: string, hint: string, cause?: unknown): DexsyncError =>
  new DexsyncError('FILE_UNREADABLE', message, cause === undefined ? { hint } : { hint, cause });
