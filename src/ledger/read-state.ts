import type { PreviousJournal } from './chain.js';
import { foldJournals, type LedgerState } from './fold.js';
import { followHead, moveHead } from './head.js';
import { pieces } from './join-pieces.js';
import { isMoved, isRebuilt, sinceRebuilt } from './journal-name.js';
import { findForeignJournal } from './journal-origin.js';
import { isOfState, type StateRecord } from './journal-record.js';
import { atOneMoment, type JournalStore } from './journal-store.js';
import type { Journal } from './ledger.js';
import { checkSequence, type JournalState, ledgerMovedError, readJournalState } from './read-journal.js';
import { type Snapshot, snapshotIn, snapshotParts } from './snapshot.js';

/** A journal with its position in the ledger. */
export interface PlacedJournal extends Journal {
  readonly name: string;
  /** The newest journal when this one was begun. */
  readonly before: string | undefined;
  /** The records that it was begun with. */
  readonly records: readonly StateRecord[];
  /** The hash of its last line. */
  chain(): string;
  /** Characters so far. */
  size(): number;
}

/** Reads the state of a ledger, and follows what this process writes to it. */
export interface StateReader {
  read(): Promise<LedgerState>;
  /** Wraps a journal: closing it saves a snapshot if reading has become expensive. */
  follow(journal: PlacedJournal): Journal;
}

/** The state that was read, with what this process has added since. */
interface Known {
  /** The newest journal. */
  readonly last: string | undefined;
  readonly state: LedgerState;
  /** Journals that have no end. */
  readonly open: readonly PreviousJournal[];
  /** The cost of reading the journals after the snapshot, in characters. */
  readonly cost: number;
  /** Size of the snapshot, in characters. */
  readonly saved: number;
}

/** How many journals are read at once. */
const AT_ONCE = 16;
/** The cost of opening a journal, in characters that could be read in that time. */
const OPENING = 4096;
/** The least cost that is worth a snapshot. */
const LEAST = 100_000;

/**
 * Reads the state of a ledger: its snapshot and the later journals. Saves a snapshot once reading those costs as much
 * as reading it, so that an apply writes in proportion to its own size, and reading is in proportion to the state.
 */
export function openState(store: JournalStore): StateReader {
  let known: Known | undefined;
  let writing = 0;
  const add = async (journal: PlacedJournal, records: readonly StateRecord[], ended: boolean): Promise<void> => {
    known = known === undefined ? undefined : addJournal(known, journal, records, ended);
    if (known !== undefined && known.cost >= Math.max(LEAST, known.saved))
      known = await saveSnapshot(store, known, journal.name);
  };
  return {
    async read() {
      known = await readKnown(store);
      return known.state;
    },
    follow(journal) {
      // Journals that are open at the same time may end in another order than they began.
      if (writing > 0) known = undefined;
      writing += 1;
      const records = [...journal.records];
      let ended = false;
      let isWhole = true;
      return {
        async append(record, when) {
          await journal.append(record, when).catch((error: unknown) => {
            isWhole = false;
            throw error;
          });
          if (isOfState(record)) records.push(record);
          ended = record.type === 'end';
        },
        async close() {
          await journal.close();
          if (isWhole) await moveHead(store, journal.name, journal.chain());
          writing -= 1;
          await add(journal, records, ended);
        },
      };
    },
  };
}

async function readKnown(store: JournalStore): Promise<Known> {
  const now = atOneMoment(store);
  await followHead(now);
  const text = await store.snapshot();
  const newest = snapshotIn(text);
  // An apply that ended meanwhile may have saved it.
  const isLater = newest !== undefined && !(await now.recent()).includes(newest.through);
  const recent = await (isLater ? store : now).recent();
  const last = recent.at(-1);
  if (last !== undefined && isMoved(last)) throw await ledgerMovedError(store, last);
  const rebuilt = recent.findLast(isRebuilt);
  const isOlder = rebuilt !== undefined && newest !== undefined && newest.through < rebuilt;
  const snapshot = isOlder ? undefined : await usable(newest, recent, now);
  const journals = await (snapshot === undefined ? readWhole(now) : readLater(recent, snapshot.through, now));
  const records = journals.map((journal) => journal.records);
  return {
    last,
    state: foldJournals(records, snapshot?.state),
    open: [...(snapshot?.open ?? []), ...journals.filter(({ isEnded }) => !isEnded).map(positionOf)],
    cost: journals.reduce((sum, { size }) => sum + size + OPENING, 0),
    saved: snapshot === undefined ? 0 : (text?.length ?? 0),
  };
}

/** Reads from the last journal with the whole state on; earlier ones may be damaged. */
async function readWhole(store: JournalStore): Promise<readonly JournalState[]> {
  const names = await store.names();
  const used = sinceRebuilt(names);
  return readSequence(used, used.length === names.length ? '' : (used[0] ?? ''), store);
}

function readLater(recent: readonly string[], through: string, store: JournalStore): Promise<readonly JournalState[]> {
  const names = recent.filter((name) => name > through);
  return readSequence(names, through, store);
}

async function readSequence(
  names: readonly string[],
  through: string,
  store: JournalStore,
): Promise<readonly JournalState[]> {
  const journals = await readJournals(store, names);
  const foreign = findForeignJournal(journals, store);
  if (foreign !== undefined) throw foreign;
  checkSequence(journals, store, through);
  return journals;
}

/**
 * The snapshot, if it is usable. A journal that was added from elsewhere, as by a merge, or a late line of a journal
 * without an end counts before all later ones: then everything is read again.
 */
async function usable(
  snapshot: Snapshot | undefined,
  recent: readonly string[],
  store: JournalStore,
): Promise<Snapshot | undefined> {
  if (snapshot === undefined || !recent.includes(snapshot.through)) return undefined;
  if (!coversAll(snapshot, recent)) return undefined;
  const names = snapshot.open.map(({ journal }) => journal);
  const chains = (await readJournals(store, names)).map((journal) => positionOf(journal).chain);
  return chains.every((chain, index) => chain === snapshot.open[index]?.chain) ? snapshot : undefined;
}

/** Whether a snapshot covers every journal before its last. */
export function coversAll({ through, covered }: Snapshot, recent: readonly string[]): boolean {
  const known = new Set(covered);
  return recent.every((name) => name >= through || known.has(name));
}

const positionOf = ({ name, links }: JournalState): PreviousJournal => ({ journal: name, chain: links.at(-1) ?? '' });

async function readJournals(store: JournalStore, names: readonly string[]): Promise<JournalState[]> {
  const journals: JournalState[] = [];
  for (let first = 0; first < names.length; first += AT_ONCE) {
    const some = names.slice(first, first + AT_ONCE).map((name) => readJournalState(store, name));
    journals.push(...(await Promise.all(some)));
  }
  return journals;
}

/** Saves the state of a ledger that was written elsewhere, and puts aside the journals that it covers. */
export async function saveState(store: JournalStore): Promise<void> {
  const known = await readKnown(store);
  if (known.last !== undefined) await saveSnapshot(store, known, known.last);
}

/** The known state after a journal is closed; undefined if others were begun meanwhile. */
function addJournal(
  { last, state, open, cost, saved }: Known,
  journal: PlacedJournal,
  records: readonly StateRecord[],
  ended: boolean,
): Known | undefined {
  if (journal.before !== last) return undefined;
  const position = { journal: journal.name, chain: journal.chain() };
  return {
    last: journal.name,
    state: foldJournals([records], state),
    open: ended ? open : [...open, position],
    cost: cost + journal.size() + OPENING,
    saved,
  };
}

/**
 * Saves the known state, and puts aside all journals that it covers but the last, which the next one names. A failure
 * only makes reading the ledger slower.
 */
async function saveSnapshot(store: JournalStore, known: Known, last: string): Promise<Known> {
  const { state, open } = known;
  try {
    const covered = (await store.recent()).filter((name) => name < last);
    let saved = 0;
    const parts = function* (): Generator<string> {
      for (const piece of pieces(snapshotParts({ through: last, covered, open, state }))) {
        saved += piece.length;
        yield piece;
      }
    };
    await store.saveSnapshot(parts());
    await store.putAside(covered);
    return { ...known, cost: 0, saved };
  } catch {
    return known;
  }
}
