import { access, constants } from 'node:fs/promises';
import { dataFolder, type Environment } from '../config/environment.js';
import type { Config } from '../config/load-config.js';
import { stateFolders } from '../config/state-folder.js';
import { makeFolder } from '../files/make-folder.js';
import type { Host } from '../host.js';
import { combinePlaces } from '../ledger/combine-leases.js';
import { fileLeases } from '../ledger/file-leases.js';
import type { Leases } from '../ledger/lease.js';

/**
 * Where the leases of an environment are kept: with the project, which several machines may share, and for this machine,
 * where clones of the project meet. An embedded workspace is of one project alone.
 */
export async function leasesOf(
  config: Pick<Config, 'folder'>,
  { workspace }: Pick<Environment, 'workspace'>,
  { clock, nonce, variables }: Pick<Host, 'clock' | 'nonce' | 'variables'>,
): Promise<Leases> {
  const shared = workspace === 'remote' ? [await machineFolder(variables)] : [];
  return combinePlaces([dataFolder(config), ...shared].map((root) => fileLeases({ root, clock, nonce })));
}

async function machineFolder(variables: Host['variables']): Promise<string> {
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
