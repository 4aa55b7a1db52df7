import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder with all that it stands in, unless it is there. Step by step: the recursive `mkdirSync` of Node never
 * returns where a file system takes no folders and says that they do not exist, as `/proc` does.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    const parent = dirname(folder);
    const isThere = statSync(parent, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder || isThere) throw error;
    makeFolder(parent);
    mkdirSync(folder);
  }
}
