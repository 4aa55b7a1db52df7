import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Variables } from '../host.js';

/**
 * The folders for state that clones of a project on one machine share, for each user of the machine: one in
 * XDG_STATE_HOME, or in LOCALAPPDATA on Windows, and one to use if the first is not writable, as in some containers.
 */
export const stateFolders = (variables: Variables): readonly [string, string] => [
  join(stateHome(variables), 'dexsync'),
  join(tmpdir(), `dexsync-${process.getuid?.() ?? 'state'}`),
];

function stateHome({ XDG_STATE_HOME, LOCALAPPDATA }: Variables): string {
  if (XDG_STATE_HOME) return XDG_STATE_HOME;
  return process.platform === 'win32' && LOCALAPPDATA ? LOCALAPPDATA : join(homedir(), '.local', 'state');
}
