import type { Backend } from '#ledger/backend.js';
import { combinePlaces } from '#ledger/combine-leases.js';
import { fileLeases } from '#ledger/file/file-leases.js';
import type { Leases } from '#ledger/lease.js';
import type { Environment } from '../config/environment.js';
import type { Host } from '../host.js';
import { once } from '../once.js';
import { machineFolder } from './machine-folder.js';

/**
 * The leases of an environment: on this machine, for all clones of the project, and with the ledger, which several
 * machines may share. An embedded workspace belongs to one project only.
 */
export async function openLeases(
  { leases }: Backend,
  { workspace }: Pick<Environment, 'workspace'>,
  host: Pick<Host, 'clock' | 'nonce' | 'variables' | 'found'>,
): Promise<Leases> {
  if (workspace === 'embedded') return leases;
  const { clock, nonce } = host;
  const root = await machineFolder(host);
  return combinePlaces([once(host, ['leases', root], () => fileLeases({ root, clock, nonce })), leases]);
}
