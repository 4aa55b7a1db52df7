import type { Secrets } from '#base/secrets.js';

/**
 * Where the journals of one workspace are kept, as text that the ledger alone understands. What is written is durable when a
 * function returns. Throws DISK, LEDGER_UNREACHABLE and, where somebody else took the lease, LEASE_LOST.
 */
export interface JournalStore {
  /** The identity of the workspace whose ledger it is. */
  readonly workspace: string;
  /** The identity that the workspace had before, while the journals until then are taken over. */
  readonly movedFrom?: string;
  /** Where the ledger's end is kept a second time; absent where it is not. */
  readonly head?: HeadStore;
  /** Milliseconds for which lines are kept back that need not be durable at once; absent where none are. */
  readonly delay?: number;
  /** What no journal may hold. */
  readonly secrets?: Secrets;
  /** The names of all journals, the oldest first. */
  names(): Promise<readonly string[]>;
  /** The same without those that were put aside. */
  recent(): Promise<readonly string[]>;
  /** Keeps journals where they are not in the way: what is listed for each command must not grow with the history. */
  putAside(names: readonly string[]): Promise<void>;
  /** The text of a journal, as far as it was written. */
  read(name: string): Promise<string>;
  /** Begins a journal, which is there with its first lines or not at all. They come in pieces, each taken once. */
  create(name: string, pieces: Iterable<string>): Promise<JournalWriter>;
  /** Keeps journals that are complete, each whole or not at all; those that are there already are left. For ledgers that move. */
  putWhole(journals: readonly WholeJournal[]): Promise<void>;
  /** What was saved last; undefined where nothing was. */
  snapshot(): Promise<string | undefined>;
  /** Takes the place of the snapshot before, whole or not at all. It comes in parts, each taken once. */
  saveSnapshot(parts: Iterable<string>): Promise<void>;
  /** What messages call a journal. */
  place(name: string): string;
}

/** Where a ledger ended when somebody looked last. */
export interface Head {
  /** The identity of its workspace. */
  readonly workspace: string;
  /** How many applies it had. */
  readonly applies: number;
  /** The newest journal, and the hash of its last line. */
  readonly journal: string;
  readonly chain: string;
  /** Of a branch: the commit that had it. */
  readonly commit?: string;
}

/** Keeps the head of one ledger apart from it, so that a journal that is lost at the end of the ledger is missed. */
export interface HeadStore {
  /** Of each place that has one: this machine, and with a ledger that machines share, a place beside it. */
  read(): Promise<readonly Head[]>;
  /** Never goes back to an older journal. What cannot be kept is no failure: an older head misses less, and refuses nothing. */
  write(head: Head): Promise<void>;
  /** For a loss that a person accepts: the next command keeps what is there then. */
  forget(): Promise<void>;
  /** How a person brings back what is lost, as a sentence without its end. */
  wayBack?(head: Head): Promise<string>;
}

/** A journal that nothing is added to. */
export interface WholeJournal {
  readonly name: string;
  readonly text: string;
}

/** The end of one journal. Lines that are appended while others are on their way share what makes them durable. */
export interface JournalWriter {
  append(line: string, when?: Durable): Promise<void>;
  close(): Promise<void>;
}

/**
 * When a line has to be durable. `now`: when appending it returns. `soon`: a backend where each write costs much may keep it
 * back for some seconds, to write it with others; whatever comes later to the journal, or its end, takes it along.
 */
export type Durable = 'now' | 'soon';
