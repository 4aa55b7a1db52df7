import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Variables } from './environment-settings.js';

/**
 * Where dexsync keeps what clones of a project on one machine have in common, for each user of the machine: a folder of
 * XDG_STATE_HOME, or of LOCALAPPDATA on Windows. Where nothing can be written there, as in some containers, the second is used.
 */
export const stateFolders = (variables: Variables): readonly [string, string] => [
  join(stateHome(variables), 'dexsync'),
  join(tmpdir(), `dexsync-${process.getuid?.() ?? 'state'}`),
];

function stateHome({ XDG_STATE_HOME, LOCALAPPDATA }: Variables): string {
  if (XDG_STATE_HOME) return XDG_STATE_HOME;
  return process.platform === 'win32' && LOCALAPPDATA ? LOCALAPPDATA : join(homedir(), '.local', 'state');
}
