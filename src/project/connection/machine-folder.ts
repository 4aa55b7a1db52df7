import { access, constants } from 'node:fs/promises';
import { makeFolder } from '#base/files/make-folder.js';
import { stateFolders } from '../config/state-folder.js';
import type { Host } from '../host.js';

/** The folder for state that clones of a project on this machine share; created if needed. */
export async function machineFolder(variables: Host['variables']): Promise<string> {
  const [first, second] = stateFolders(variables);
  try {
    await makeFolder(first, 0o700);
    await access(first, constants.W_OK);
    return first;
  } catch {
    await makeFolder(second, 0o700);
    return second;
  }
}
