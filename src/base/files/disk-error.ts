import { DexsyncError, reasonOf } from '../errors.js';

/** The meanings of the file system's own codes, and hints for people. */
const OF_THE_DISK: Readonly<Record<string, readonly [says: string, hint: string]>> = {
  EACCES: ['access is denied', 'Check the permissions of that folder and its files.'],
  EDQUOT: [
    'the disk quota is used up',
    'Free some space, then repeat the command: steps that are done are not repeated.',
  ],
  EEXIST: ['something else is in its place', 'Remove or rename the existing file or folder, then repeat the command.'],
  EFBIG: ['the file would be larger than allowed', 'Raise the file size limit (`ulimit -f`), then repeat the command.'],
  EIO: ['the disk reports a failure', 'Check the disk, then repeat the command: steps that are done are not repeated.'],
  EISDIR: ['a folder is in its place', 'Remove or rename that folder, then repeat the command.'],
  EMFILE: ['too many files are open', 'Raise the open file limit (`ulimit -n`), then repeat the command.'],
  ENFILE: ['too many files are open on this machine', 'Close other programs, then repeat the command.'],
  ELOOP: ['symbolic links lead in a circle', 'Correct the links, then repeat the command.'],
  ENAMETOOLONG: ['the name is too long', 'Use a shorter name or folder.'],
  ENOENT: ['it does not exist', 'Repeat the command when nothing else removes its files.'],
  ENOSPC: [
    'no space is left on the disk',
    'Free some space, then repeat the command: steps that are done are not repeated.',
  ],
  ENOTDIR: ['a file is where a folder is needed', 'Remove or rename that file, then repeat the command.'],
  EPERM: ['access is denied', 'Check the permissions of that folder and its files.'],
  EROFS: ['the disk is read-only', 'Use a writable folder; dexsync keeps its data next to the configuration.'],
};

/** The database engine's own codes, which replace those of the system. */
const OF_SQLITE: Readonly<Record<number, string>> = { 10: 'EIO', 13: 'ENOSPC' };

/** Temporary tables of rows are the only databases of this process. */
const TABLES = 'A temporary table of rows under .dexsync/tmp';

interface Meaning {
  /** Follows the name of the file in messages: `no space is left on the disk (ENOSPC)`. */
  readonly says: string;
  readonly hint: string;
  /** The path that the system names; it names none for a file that is already open. */
  readonly path?: string | undefined;
}

/** Explains a failure of the file system; undefined for other errors. */
function meaningOf(error: unknown): Meaning | undefined {
  if (!(error instanceof Error) || error instanceof DexsyncError) return undefined;
  const { code = '', errcode = 0, syscall, path } = error as NodeJS.ErrnoException & { readonly errcode?: number };
  const ofTable = code === 'ERR_SQLITE_ERROR' ? OF_SQLITE[errcode & 0xff] : undefined;
  const known = ofTable ?? code;
  const meaning = Object.hasOwn(OF_THE_DISK, known) ? OF_THE_DISK[known] : undefined;
  const isOfFiles = ofTable !== undefined || (syscall !== undefined && !/^(connect|listen|bind|spawn)/.test(syscall));
  if (meaning === undefined || !isOfFiles) return undefined;
  const [says, hint] = meaning;
  return { says: `${says} (${known})`, hint, path: ofTable === undefined ? path : TABLES };
}

/**
 * Converts a failure of the file system into a DISK error; undefined for other errors. `what` names the place in the
 * message; by default, the path that the system names does.
 */
export function diskError(error: unknown, what?: string): DexsyncError | undefined {
  const meaning = meaningOf(error);
  if (meaning === undefined) return undefined;
  const { says, hint, path } = meaning;
  return new DexsyncError('DISK', `${what ?? path ?? 'A file of dexsync'} cannot be used: ${says}.`, {
    hint,
    cause: error,
  });
}

/** Throws a failure of the file system as a DISK error, and any other error as it is. */
export function throwAsDisk(error: unknown, what: string): never {
  throw diskError(error, what) ?? error;
}

/**
 * Throws FILE_UNWRITABLE for a file that a person asked for, and a DexsyncError as it is. `kept` describes the state of
 * existing files; `what` names the file in the message, by default the path that the system names.
 */
export function throwAsUnwritable(error: unknown, kept: string, what?: string): never {
  if (error instanceof DexsyncError) throw error;
  const { says, hint, path = 'The file' } = meaningOf(error) ?? { says: reasonOf(error), hint: '' };
  throw new DexsyncError('FILE_UNWRITABLE', `${what ?? path} cannot be written: ${says}.`, {
    hint: `${kept} ${hint}`.trim(),
    cause: error,
  });
}

/** Rethrows a failure with this path: that of a `write` has none, and that of a temporary file helps nobody. */
export function rethrowWithPath(error: unknown, path: string): never {
  if (meaningOf(error) !== undefined) Object.assign(error as Error, { path });
  throw error;
}
