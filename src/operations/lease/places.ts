import { dataFolder, type Environment } from '../../config/environment.js';
import type { Config } from '../../config/load-config.js';
import { stateFolder } from '../../config/state-folder.js';
import { fileLeases } from '../../ledger/file-leases.js';
import { joinedLeases } from '../../ledger/joined-leases.js';
import type { Leases } from '../../ledger/lease.js';
import type { Host } from '../host.js';

/**
 * Where the leases of an environment are kept: with the project, which several machines may share, and for this machine,
 * where clones of the project meet. An embedded workspace is of one project alone.
 */
export function leasesOf(
  config: Pick<Config, 'folder'>,
  { workspace }: Pick<Environment, 'workspace'>,
  { clock, nonce, variables }: Pick<Host, 'clock' | 'nonce' | 'variables'>,
): Leases {
  const shared = workspace === 'remote' ? [stateFolder(variables)] : [];
  return joinedLeases([dataFolder(config), ...shared].map((root) => fileLeases({ root, clock, nonce })));
}
