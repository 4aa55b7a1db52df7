import { access, constants } from 'node:fs/promises';
import { makeFolder } from '#base/files/make-folder.js';
import { stateFolders } from '../config/state-folder.js';
import type { Host } from '../host.js';
import { once } from '../once.js';

/** The folder for state that clones of a project on this machine share; created if needed. */
export const machineFolder = (host: Pick<Host, 'variables' | 'found'>): Promise<string> =>
  once(host, ['machine folder'], () => makeOne(host));

async function makeOne({ variables }: Pick<Host, 'variables'>): Promise<string> {
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
