import { combineLeases } from '#ledger/combine-leases.js';
import type { Claim, FoundLease, Lease, LeaseKey, Leases } from '#ledger/lease.js';
import type { Host } from '../host.js';
import { leaseWaiter } from './wait-for-lease.js';

/**
 * What a command may change: the workspace, or with `record` the ledger, and the state of runs and events, alone. Both
 * hold the lease; readers wait while it is held.
 */
export type Access = 'read' | 'write' | 'record';

/** Guards a login that only one process can use at a time (design, section 7). */
export interface Gate {
  /** Called before each login, since a login ends the session of another process. */
  mayLogIn(): Promise<void>;
  /** Called when the login has shown the workspace: writers lock it too. `service`: of its former address. */
  enter(workspace: string, service?: string): Promise<void>;
  /** Called before each write to the service or the ledger. */
  mayWrite(): Promise<void>;
  close(): Promise<void>;
}

/** The requested login, its environment and its access; `reason` is for others who find it in use. */
export interface GateRequest extends LeaseKey {
  readonly environment: string;
  readonly access: Access;
  readonly reason?: string;
}

/**
 * Waits for the login as long as the user wishes, for a reader once it logs in. Throws LOCKED if another process still has
 * it then, and INTERRUPTED.
 */
export async function openGate(entering: GateRequest, leases: Leases, host: Host): Promise<Gate> {
  return entering.access === 'read' ? readersGate(entering, leases, host) : writersGate(entering, leases, host);
}

async function writersGate({ access: _, ...key }: GateRequest, leases: Leases, host: Host): Promise<Gate> {
  const claim = { ...key, command: host.command ?? 'dexsync' };
  const untilFree = leaseWaiter(key.environment, host);
  const take = (asked: Claim): Promise<Lease> =>
    untilFree(async () => {
      host.secrets.refuse(JSON.stringify(asked), 'The lock');
      const taken = await leases.take(asked);
      return taken.is === 'held' ? { is: 'held', by: taken.by } : { is: 'free', with: taken.lease };
    });
  const ofLogin = await take(claim);
  const all = [ofLogin];
  return {
    mayLogIn: () => ofLogin.check(),
    async enter(workspace, service = key.service) {
      all.push(await take({ ...claim, service, workspace }));
    },
    mayWrite: () => combineLeases(all).check(),
    close: () => combineLeases(all).release(),
  };
}

/** A reader may find the lease taken later too, when the process that took it ended the reader's session. */
function readersGate(key: GateRequest, leases: Leases, host: Host): Gate {
  const untilFree = leaseWaiter(key.environment, host);
  const mayLogIn = (): Promise<void> =>
    untilFree(async () => {
      const by = await leases.find(key);
      return isHeld(by) ? { is: 'held', by } : { is: 'free', with: undefined };
    });
  return { mayLogIn, enter: async () => undefined, mayWrite: refuseWrite, close: async () => undefined };
}

const isHeld = (found: FoundLease | undefined): found is FoundLease => found?.state === 'held';

/** Rejects every write; for readers. */
export const refuseWrite = (): Promise<void> => Promise.reject(new Error('A read-only command tried to write.'));
