import type { DocumentStore, Shelf } from './document-store.js';
import type { JournalStore } from './journal-store.js';
import type { SeenStore } from './last-seen.js';
import type { Leases } from './lease.js';

/** Keeps ledgers and locks: as files, in a git branch or in a database. A command opens one and closes it when done. */
export interface Backend {
  /** For the middle of a sentence: `the branch dexsync-ledger of origin`. */
  readonly place: string;
  readonly leases: Leases;
  /**
   * The journals of one workspace. `mayWrite` runs before each write and throws if this process must not write;
   * backends that several machines share also refuse, atomically with the write, a process that lost a lease that it
   * took here.
   */
  journals(identity: string, mayWrite: () => Promise<void>): JournalStore;
  /** The identities of the workspaces with this id, at any address, that have a readable ledger here. */
  workspaces(id: string): Promise<readonly string[]>;
  /** The documents of a shelf. Adding and removing them needs no lease. */
  documents(shelf: Shelf): DocumentStore;
  /** What commands that only read saw last. */
  seen(stack: string, environment: string): SeenStore;
  close(): Promise<void>;
}
