import { lstat, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DexsyncError, throwAsDisk } from '../errors.js';
import { syncFolder } from '../files/sync-folder.js';

/** Which files go where. */
export interface Placement {
  /** Where the files are, on the same disk. */
  readonly from: string;
  readonly to: string;
  /** Paths below both, with `/`. */
  readonly paths: readonly string[];
  /** Files that may be written over. */
  readonly mayReplace: (path: string) => 'yes' | 'no';
}

/**
 * Renames whole files into their places, each seen either as it was or whole. No folder on the way may be a link: it
 * could lead elsewhere. Throws DISK, before anything was moved where a file stands in the way.
 */
export async function placeFiles({ from, to, paths, mayReplace }: Placement): Promise<void> {
  const folders = new Set<string>([to]);
  try {
    for (const path of paths) {
      if (mayReplace(path) === 'no' && (await whatStandsAt(join(to, path))) !== 'nothing') throw placeTaken(to, path);
    }
    for (const path of paths) {
      for (const folder of await makeParents(to, path)) folders.add(folder);
      await rename(join(from, ...path.split('/')), join(to, ...path.split('/')));
    }
  } catch (error) {
    throwAsDisk(error, to);
  }
  for (const folder of folders) await syncFolder(folder);
}

async function makeParents(to: string, path: string): Promise<string[]> {
  const made: string[] = [];
  const segments = path.split('/').slice(0, -1);
  for (const [index] of segments.entries()) {
    const folder = join(to, ...segments.slice(0, index + 1));
    const kind = await whatStandsAt(folder);
    if (kind === 'other') throw placeTaken(to, segments.slice(0, index + 1).join('/'));
    if (kind === 'nothing') await mkdir(folder);
    made.push(dirname(folder), folder);
  }
  return made;
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
