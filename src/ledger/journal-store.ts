import type { Secrets } from '#base/secrets.js';

/**
 * Stores the journals of one workspace as text that only the ledger interprets. Writes are durable when a function
 * returns. Throws DISK, LEDGER_UNREACHABLE, and LEASE_LOST if another process took the lease.
 */
export interface JournalStore {
  /** The identity of the workspace whose ledger it is. */
  readonly workspace: string;
  /** The identity that the workspace had before, while the earlier journals are being adopted. */
  readonly movedFrom?: string;
  /** The second record of the ledger's end; absent if there is none. */
  readonly head?: HeadStore;
  /** Milliseconds for which lines that need not be durable at once are buffered; absent if none are. */
  readonly delay?: number;
  /** Secrets that no journal may contain. */
  readonly secrets?: Secrets;
  /** The names of all journals, the oldest first. */
  names(): Promise<readonly string[]>;
  /** The names of the journals that were not put aside, the oldest first. */
  recent(): Promise<readonly string[]>;
  /** Moves journals out of `recent`: what each command lists must not grow with the history. */
  putAside(names: readonly string[]): Promise<void>;
  /** The text of a journal, as far as it was written. */
  read(name: string): Promise<string>;
  /** Makes durable what a killed process may have left of a journal; absent where everything that can be read is. */
  flush?(name: string): Promise<void>;
  /** Creates a journal atomically with its first lines. They come in pieces, each taken once. */
  create(name: string, pieces: Iterable<string>): Promise<JournalWriter>;
  /** Adds complete journals, each atomically, and skips those that exist. For ledgers that move. */
  putWhole(journals: readonly WholeJournal[]): Promise<void>;
  /** The snapshot that was saved last; undefined if there is none. */
  snapshot(): Promise<string | undefined>;
  /** Replaces the snapshot atomically. It comes in parts, each taken once. */
  saveSnapshot(parts: Iterable<string>): Promise<void>;
  /** The name of a journal in messages. */
  place(name: string): string;
}

/** The store at one moment: its listing and its newest journal are read once. */
export function atOneMoment(store: JournalStore): JournalStore {
  let listed: Promise<readonly string[]> | undefined;
  let newest: Promise<string> | undefined;
  const recent = (): Promise<readonly string[]> => {
    listed ??= store.recent();
    return listed;
  };
  return {
    ...store,
    recent,
    async read(name) {
      if (name !== (await recent()).at(-1)) return store.read(name);
      newest ??= store.read(name);
      return newest;
    },
  };
}

/** The end of a ledger when it was last seen. */
export interface Head {
  /** The identity of its workspace. */
  readonly workspace: string;
  /** How many applies it had. */
  readonly applies: number;
  /** The newest journal, and the hash of its last line. */
  readonly journal: string;
  readonly chain: string;
  /** For a branch: the commit that contained it. */
  readonly commit?: string;
}

/** Stores the head of one ledger apart from it, so that the loss of its newest journals is noticed. */
export interface HeadStore {
  /** The heads of all places that have one: this machine and, for a shared ledger, a place beside it. */
  read(): Promise<readonly Head[]>;
  /** Never goes back to an older journal. A failed write is not an error: an older head only detects fewer losses. */
  write(head: Head): Promise<void>;
  /** Forgets the head when a person accepts a loss; the next command stores the end that it finds. */
  forget(): Promise<void>;
  /** How a person restores what is lost, as a sentence without its full stop. */
  wayBack?(head: Head): Promise<string>;
}

/** A journal to which nothing is added. */
export interface WholeJournal {
  readonly name: string;
  readonly text: string;
}

/** Appends to one journal. Lines that are appended while others are being written share one write. */
export interface JournalWriter {
  append(line: string, when?: Durable): Promise<void>;
  /** Throws if buffered lines cannot be written, unless `append` has thrown already. */
  close(): Promise<void>;
}

/**
 * When a line must be durable. `now`: when `append` returns. `soon`: a backend with expensive writes may buffer it for
 * some seconds, to write it with others; the next line that must be durable now, or the end of the journal, flushes it.
 */
export type Durable = 'now' | 'soon';
