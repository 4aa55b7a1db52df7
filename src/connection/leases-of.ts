import { access, constants } from 'node:fs/promises';
import type { Environment } from '../config/environment.js';
import { stateFolders } from '../config/state-folder.js';
import { makeFolder } from '../files/make-folder.js';
import type { Host } from '../host.js';
import type { Backend } from '../ledger/backend.js';
import { combinePlaces } from '../ledger/combine-leases.js';
import { fileLeases } from '../ledger/file/file-leases.js';
import type { Leases } from '../ledger/lease.js';

/**
 * Where the leases of an environment are kept: for this machine, where clones of the project meet, and with the ledger,
 * which several machines may share. An embedded workspace is of one project alone.
 */
export async function leasesOf(
  { leases }: Backend,
  { workspace }: Pick<Environment, 'workspace'>,
  { clock, nonce, variables }: Pick<Host, 'clock' | 'nonce' | 'variables'>,
): Promise<Leases> {
  if (workspace === 'embedded') return leases;
  return combinePlaces([fileLeases({ root: await machineFolder(variables), clock, nonce }), leases]);
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
