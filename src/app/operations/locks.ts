import { DexsyncError } from '#base/errors.js';
import type { LeaseFacts } from '#core/model/lease-facts.js';
import { holderText } from '#ledger/holder.js';
import type { DamagedLease, FoundLease, Leases } from '#ledger/lease.js';
import { toLeaseFacts } from '#ledger/lease-facts.js';
import { environmentPlace } from '#project/config/environment.js';
import { withBackend } from '#project/connection/backend-of.js';
import { openLeases } from '#project/connection/open-leases.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';

/** Who uses an environment. */
export interface Locks {
  readonly environment: string;
  /** Host and port, or the embedded database; leases belong to its logins. */
  readonly service: string;
  readonly leases: readonly ShownLease[];
}

/** A lease; `by` describes its holder. */
export type ShownLease = (LeaseFacts & { readonly by: string }) | { readonly state: 'damaged'; readonly file: string };

/** Lists the leases of an environment's service. Needs no login and sends no request. */
export const showLocks = (options: ProjectOptions, host: Host): Promise<Locks> =>
  withLocks(options, host, async ({ environment, service, found }) => ({
    environment,
    service,
    leases: leasesByProcess(found, host),
  }));

/** The leases that may be taken from their holders, and who is asked. */
export interface ReleaseLocksOptions extends ProjectOptions {
  /** For leases whose holder may be at work: never taken, or taken if `confirm` agrees. */
  readonly living: 'kept' | 'taken';
  /** Asked before a lease is taken from a holder that may be at work. Anything but true ends the operation. */
  readonly confirm: (living: Locks) => Promise<boolean>;
}

/**
 * Removes the leases of holders that are gone, and with `living: 'taken'` all others too: their holders stop before the
 * next write. Returns undefined if nobody confirmed.
 */
export const releaseLocks = (options: ReleaseLocksOptions, host: Host): Promise<Locks | undefined> =>
  withLocks(options, host, async ({ environment, service, found, leases }) => {
    const living = found.filter(({ state }) => state === 'held' || state === 'damaged');
    const [first] = living;
    if (first !== undefined && options.living === 'kept') throw stillHeld(first, environment, host);
    const all = leasesByProcess(found, host);
    const asked = { environment, service, leases: leasesByProcess(living, host) };
    if (living.length > 0 && !(await options.confirm(asked))) return undefined;
    for (const { place } of found) await leases.remove(place);
    return { environment, service, leases: all };
  });

interface FoundLocks {
  readonly environment: string;
  readonly service: string;
  readonly leases: Leases;
  readonly found: readonly (FoundLease | DamagedLease)[];
}

async function withLocks<T>(options: ProjectOptions, host: Host, use: (locks: FoundLocks) => Promise<T>): Promise<T> {
  const config = await openConfig(options, host);
  const place = environmentPlace(config, options.environment, host.variables);
  const { name: environment, service } = place;
  return withBackend(config, environment, host, async (backend) => {
    const leases = await openLeases(backend, place, host);
    return use({ environment, service, leases, found: await leases.list(service) });
  });
}

/** Keeps one lease of each process, which has one of the login and one of the workspace, here and for the machine. */
function leasesByProcess(leases: readonly (FoundLease | DamagedLease)[], host: Host): ShownLease[] {
  const seen = new Set<string>();
  const first = leases.filter((lease) => {
    if (lease.state === 'damaged') return true;
    const { pid, host: machine, born, login, command } = lease.holder;
    const process = JSON.stringify([machine, pid, born, login, command]);
    return !seen.has(process) && seen.add(process);
  });
  return first.map((lease) => shownLease(lease, host));
}

const shownLease = (lease: FoundLease | DamagedLease, { clock }: Host): ShownLease =>
  lease.state === 'damaged'
    ? { state: 'damaged', file: lease.place }
    : { ...toLeaseFacts(lease), by: holderText(lease, clock()) };

function stillHeld(lease: FoundLease | DamagedLease, environment: string, { clock }: Host): DexsyncError {
  const by = lease.state === 'damaged' ? 'an unknown process (the lock cannot be read)' : holderText(lease, clock());
  return new DexsyncError('LOCKED', `Environment ${environment} is in use by ${by}. Nothing was released.`, {
    hint: 'Wait for it with `--wait`. If it hangs or no longer exists, release its lock with `dexsync lock release --force`.',
  });
}
