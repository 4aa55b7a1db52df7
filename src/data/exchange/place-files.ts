import { lstat, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { throwAsDisk } from '#base/files/disk-error.js';
import { syncFolder } from '#base/files/sync-folder.js';

/** Which files go where. */
export interface Placement {
  /** Where the files are, on the same disk. */
  readonly from: string;
  readonly to: string;
  /** Paths below both, with `/`. */
  readonly paths: readonly string[];
  /** Which files may be replaced. */
  readonly mayReplace: (path: string) => boolean;
  /** Stops before the first file is moved; after that, all are. */
  readonly signal: AbortSignal;
}

/**
 * Renames files into their places, each atomically. No folder on the way may be a link, which could lead elsewhere.
 * Throws DISK; if a file is in the way, before anything was moved.
 */
export async function placeFiles({ from, to, paths, mayReplace, signal }: Placement): Promise<void> {
  const folders = new Set<string>([to]);
  try {
    for (const path of paths) {
      if (!mayReplace(path) && (await whatStandsAt(join(to, path))) !== 'nothing') throw placeTaken(to, path);
      if (signal.aborted) throw new DexsyncError('INTERRUPTED', `Interrupted before files were moved to ${to}.`);
    }
    for (const path of paths) {
      await makeParents(to, path, folders);
      await rename(join(from, ...path.split('/')), join(to, ...path.split('/')));
    }
  } catch (error) {
    throwAsDisk(error, to);
  }
  for (const folder of folders) await syncFolder(folder);
}

/** Creates the folders of a path, and checks each once. */
async function makeParents(to: string, path: string, folders: Set<string>): Promise<void> {
  const segments = path.split('/').slice(0, -1);
  for (const [index] of segments.entries()) {
    const folder = join(to, ...segments.slice(0, index + 1));
    if (folders.has(folder)) continue;
    const kind = await whatStandsAt(folder);
    if (kind === 'other') throw placeTaken(to, segments.slice(0, index + 1).join('/'));
    if (kind === 'nothing') await mkdir(folder);
    folders.add(folder);
  }
}

async function whatStandsAt(path: string): Promise<'nothing' | 'folder' | 'other'> {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'nothing';
    throw error;
  }
}

const placeTaken = (folder: string, path: string): DexsyncError =>
  new DexsyncError('DISK', `"${path}" already exists in ${folder}, or is a link there.`, {
    hint: 'Remove it, use another `--out`, or use `--force` to replace files with the same names. The run is not started again.',
  });
