import { DexsyncError } from '../errors.js';
import { foldJournals, type LedgerState } from './fold.js';
import { begunOf, isMoved, isRebuilt } from './journal-name.js';
import type { JournalStore } from './journal-store.js';
import { brokenLink, intactRecords, type JournalState, movedAway, readJournalState } from './read-journal.js';
import { snapshotIn, snapshotText } from './snapshot.js';

/** What is wrong with a ledger, and what to do about it. */
export interface LedgerProblem {
  readonly message: string;
  readonly hint?: string;
}

/** Everything that can be said of a ledger by reading all of it. */
export interface LedgerCheck {
  readonly applies: number;
  /** Under way, or broken off. */
  readonly unfinished: number;
  /** When the oldest and the newest were begun, ISO 8601 in UTC. */
  readonly first?: string;
  readonly last?: string;
  /** What it knows now. */
  readonly objects: number;
  readonly imports: number;
  /** The saved sum of the journals. One that cannot be read is made again, and is no problem. */
  readonly snapshot: 'none' | 'matches' | 'differs' | 'unreadable';
  readonly problems: readonly LedgerProblem[];
}

/** Reads every journal, follows every hash, and compares what they add up to with the snapshot. Never throws for what it finds. */
export async function checkLedger(store: JournalStore): Promise<LedgerCheck> {
  const names = await store.names();
  const problems: LedgerProblem[] = [];
  const note = (error: unknown): void => {
    const { message, hint } = named(error);
    problems.push({ message, ...(hint === undefined ? {} : { hint }) });
  };
  const journals: JournalState[] = [];
  for (let first = 0; first < names.length; first += AT_ONCE) {
    const some = names.slice(first, first + AT_ONCE).map((name) => readJournalState(store, name));
    for (const read of await Promise.allSettled(some)) {
      if (read.status === 'fulfilled') journals.push(read.value);
      else note(read.reason);
    }
  }
  for (const broken of brokenLinks(journals, names, store)) note(broken);
  const last = names.at(-1);
  if (last !== undefined && isMoved(last)) note(await movedAway(store, last));
  const { objects, jobs } = sumOf(journals);
  const snapshot = compareSnapshot(await store.snapshot(), journals);
  if (snapshot === 'differs' && problems.length === 0)
    note(new DexsyncError('LEDGER_DAMAGED', 'The saved state is not what the journals add up to.', { hint: REBUILD }));
  const [first, newest] = [names[0], last].map((name) => (name === undefined ? undefined : begunOf(name)));
  return {
    applies: names.length,
    unfinished: journals.filter(({ ended }) => ended === 'no').length,
    ...(first === undefined ? {} : { first }),
    ...(newest === undefined ? {} : { last: newest }),
    objects: objects.size,
    imports: jobs.size,
    snapshot,
    problems,
  };
}

/** How many journals are read at once. */
const AT_ONCE = 64;

const REBUILD = '`dexsync ledger rebuild` makes it again.';

const named = (error: unknown): DexsyncError => {
  if (error instanceof DexsyncError) return error;
  throw error;
};

/** What is wrong between journals; one that cannot be read was reported already. */
function* brokenLinks(
  journals: readonly JournalState[],
  names: readonly string[],
  store: JournalStore,
): Iterable<DexsyncError> {
  const byName = new Map(journals.map((journal) => [journal.name, journal]));
  const unreadable = new Set(names.filter((name) => !byName.has(name)));
  for (const journal of journals) {
    if (isRebuilt(journal.name) || unreadable.has(journal.previous?.journal ?? '')) continue;
    const broken = brokenLink(journal, byName, store, '');
    if (broken !== undefined) yield broken;
  }
}

/** From the last one that holds the whole state on. */
function sumOf(journals: readonly JournalState[]): LedgerState {
  const first = Math.max(
    0,
    journals.findLastIndex(({ name }) => isRebuilt(name)),
  );
  return foldJournals(journals.slice(first).map(({ records }) => records));
}

function compareSnapshot(text: string | undefined, journals: readonly JournalState[]): LedgerCheck['snapshot'] {
  if (text === undefined) return 'none';
  const found = snapshotIn(text);
  if (found === undefined) return 'unreadable';
  const { through, state } = found;
  const covered = journals.filter(({ name }) => name <= through);
  const [own, theirs] = [state, sumOf(covered)].map((one) => sorted(snapshotText({ through, open: [], state: one })));
  return own === theirs ? 'matches' : 'differs';
}

/** The same entries in whatever order they came. */
function sorted(text: string): string {
  const { jobs, objects, committedRows } = JSON.parse(text.split('\n')[0] ?? '');
  return [jobs, objects, committedRows]
    .map((list) =>
      list
        .map((one: unknown) => JSON.stringify(one))
        .sort()
        .join('\n'),
    )
    .join('\n');
}

/**
 * What can still be relied on in a damaged ledger: the snapshot where it is as it was written, and of every journal that it
 * does not cover, the records before the first damage.
 */
export async function intactState(store: JournalStore): Promise<LedgerState> {
  const snapshot = snapshotIn(await store.snapshot());
  const names = await store.names();
  const first = Math.max(0, names.findLastIndex(isRebuilt));
  const later = names.slice(first).filter((name) => name > (snapshot?.through ?? ''));
  const records = [];
  for (const name of later) records.push(intactRecords(await store.read(name).catch(() => '')));
  return foldJournals(records, snapshot?.state);
}
