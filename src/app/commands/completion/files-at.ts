import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Candidate } from './shell-line.js';

/** Files and folders whose path begins as typed; hidden ones only after a dot. None in an unreadable folder. */
export async function filesAt(
  cwd: string,
  typed: string,
  which: 'files' | 'folders' = 'files',
): Promise<readonly Candidate[]> {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  const start = typed.slice(folder.length);
  const place = resolve(cwd, folder.replace(/^~(?=\/)/, homedir()) || '.');
  const names = await readdir(place).catch(() => []);
  const chosen = names.filter((name) => name.startsWith(start) && (start !== '' || !name.startsWith('.'))).sort();
  const found = await Promise.all(
    chosen.map(async (name): Promise<Candidate[]> => {
      const isFolder = await stat(join(place, name)).then(
        (one) => one.isDirectory(),
        () => false,
      );
      if (isFolder) return [{ value: `${folder}${name}/`, open: true }];
      return which === 'folders' ? [] : [{ value: folder + name }];
    }),
  );
  return found.flat();
}
