import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DexsyncError } from '../errors.js';
import { syncFolder } from './sync-folder.js';

/**
 * Creates a folder and its parents unless they exist; synced files in it survive a power cut. Works level by level:
 * Node's recursive `mkdir` never returns on a file system that accepts no folders and reports that they do not exist,
 * as `/proc` does.
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
