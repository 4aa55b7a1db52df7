import type { JournalStore } from './journal-store.js';
import type { Leases } from './lease.js';
import type { PlanStore } from './plan-store.js';

/** Where ledgers and locks are kept: files, a git branch, a database. A command opens one and closes it when it ends. */
export interface Backend {
  /** In the middle of a sentence: `the branch dexsync-ledger of origin`. */
  readonly place: string;
  readonly leases: Leases;
  /**
   * The journals of one workspace. `mayWrite` is asked before anything is written and throws where this process must not;
   * backends that several machines use also refuse, together with the write itself, whatever comes from one that lost a
   * lease that it took here.
   */
  journals(identity: string, mayWrite: () => Promise<void>): JournalStore;
  /** The identities of all workspaces with a ledger here that may be read. */
  workspaces(): Promise<readonly string[]>;
  /** The saved plans of a stack in an environment. Anybody may add and remove some at any time, without a lease. */
  plans(stack: string, environment: string): PlanStore;
  close(): Promise<void>;
}
