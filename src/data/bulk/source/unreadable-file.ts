import { DexsyncError } from '#base/errors.js';

/** No rows can be had from the file that a source names, read as its options say. `hint`: what to do about either. */
export const unreadableFile = (message: string, hint: string, cause?: unknown): DexsyncError =>
  new DexsyncError('FILE_UNREADABLE', message, cause === undefined ? { hint } : { hint, cause });
