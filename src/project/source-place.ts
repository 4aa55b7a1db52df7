import { dirname, resolve } from 'node:path';
import { isInside } from '#core/manifest/load.js';
import { STANDARD_INPUT } from './shown-file.js';

/** The folder that the sources of a manifest are relative to: the current folder, if it comes from standard input. */
export const sourceFolder = (file: string, project: string, cwd: string): string =>
  file === STANDARD_INPUT ? cwd : resolve(project, dirname(file));

/** Whether manifests may read what is at a path: it is in the project, or below the folder of its manifest. */
export async function mayRead(path: string, project: string, home: string): Promise<boolean> {
  const allowed = await Promise.all([project, home].map((folder) => isInside(folder, path).catch(() => true)));
  return allowed.includes(true);
}
