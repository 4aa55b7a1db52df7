import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DexsyncError } from '../errors.js';
import { syncFolder } from './sync-folder.js';

/**
 * Makes a folder with all that it stands in, unless it is there; what is in it outlasts a power cut as soon as it is synced.
 * Step by step: the recursive `mkdir` of Node never returns where a file system takes no folders and says that they do not
 * exist, as `/proc` does.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const folder = resolve(path);
  if ((await tryToMake(folder, mode)) !== 'no parent') return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolder(parent, mode);
  if ((await tryToMake(folder, mode)) === 'no parent') throw folderNotTaken(folder, parent);
}

async function tryToMake(folder: string, mode: number): Promise<'made' | 'there' | 'no parent'> {
  try {
    await mkdir(folder, { mode });
    await syncFolder(dirname(folder));
    return 'made';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'no parent';
    if (await isFolder(folder)) return 'there';
    throw error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const folderNotTaken = (folder: string, parent: string): DexsyncError =>
  new DexsyncError('DISK', `${folder} cannot be created: ${parent} does not accept new folders.`, {
    hint: 'Use another folder.',
  });
