import { stat } from 'node:fs/promises';
import { DexsyncError, reasonOf } from '../errors.js';

/** A file that a person named. */
export interface NamedFile {
  readonly path: string;
  /** What it is and as the user wrote it: `The plan plan.json`. */
  readonly what: string;
  readonly hint: string;
}

/**
 * Reads a regular file, since reading a named pipe would block. `read` receives its size in bytes; each of its errors
 * becomes FILE_UNREADABLE, too.
 */
export async function readNamedFile<T>(
  { path, what, hint }: NamedFile,
  read: (size: number) => Promise<T>,
): Promise<T> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Error('it is not a regular file');
    return await read(found.size);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it does not exist' : reasonOf(error);
    throw new DexsyncError('FILE_UNREADABLE', `${what} cannot be read: ${why}.`, { hint, cause: error });
  }
}
