import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Variables } from './environment.js';

/**
 * Where dexsync keeps what clones of a project on one machine have in common, for each user of the machine: a folder of
 * XDG_STATE_HOME, or of LOCALAPPDATA on Windows.
 */
export function stateFolder({ XDG_STATE_HOME, LOCALAPPDATA }: Variables): string {
  if (XDG_STATE_HOME) return join(XDG_STATE_HOME, 'dexsync');
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'dexsync');
  return join(homedir(), '.local', 'state', 'dexsync');
}
