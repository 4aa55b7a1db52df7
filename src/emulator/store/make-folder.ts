import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents, unless it exists. It works step by step: the recursive `mkdirSync` of Node
 * never returns on a file system that takes no folders and says that they do not exist, such as `/proc`.
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
