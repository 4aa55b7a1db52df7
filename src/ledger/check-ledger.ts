import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { recordedVerdicts } from '#core/reviews/recorded-verdicts.js';
import { foldJournals, type LedgerState } from './fold.js';
import { findLoss } from './head.js';
import { isMoved, isRebuilt, journalTime, sinceRebuilt } from './journal-name.js';
import { findForeignJournal } from './journal-origin.js';
import type { JournalStore } from './journal-store.js';
import { parseJournal } from './parse-journal.js';
import { brokenLink, intactRecords, type JournalState, ledgerMovedError, readJournalState } from './read-journal.js';
import { coversAll } from './read-state.js';
import { isAsWritten, type Snapshot, snapshotIn, snapshotParts } from './snapshot.js';

/** A problem of a ledger, and what to do about it. */
export interface LedgerProblem {
  readonly message: string;
  readonly hint?: string;
}

/** The results of checking a whole ledger. */
export interface LedgerCheck {
  readonly applies: number;
  /** Applies that are in progress or were interrupted. */
  readonly unfinished: number;
  /** When the oldest and the newest apply began, ISO 8601 in UTC. */
  readonly first?: string;
  readonly last?: string;
  /** Objects and imports that it knows now. */
  readonly objects: number;
  readonly imports: number;
  /** The saved state. `unreadable`: of another version, or not of all journals; harmless, since it is saved again. */
  readonly snapshot: 'none' | 'matches' | 'differs' | 'edited' | 'unreadable';
  /** Places of journals whose last line was cut off before it was reported as written: nothing is lost. */
  readonly torn: readonly string[];
  readonly problems: readonly LedgerProblem[];
}

/**
 * Reads every journal in use, follows every hash, and compares the resulting state with the snapshot. Journals before
 * the last rebuild are not in use. Returns problems instead of throwing them.
 */
export async function checkLedger(store: JournalStore): Promise<LedgerCheck> {
  const all = await store.names();
  const names = sinceRebuilt(all);
  const problems: LedgerProblem[] = [];
  const note = (error: unknown): void => {
    const { message, hint } = named(error);
    problems.push({ message, ...omitUndefined({ hint }) });
  };
  const journals: JournalState[] = [];
  for (let first = 0; first < names.length; first += AT_ONCE) {
    const some = names.slice(first, first + AT_ONCE).map((name) => readJournalState(store, name));
    for (const read of await Promise.allSettled(some)) {
      if (read.status === 'fulfilled') journals.push(read.value);
      else note(read.reason);
    }
  }
  problems.push(...(await reviewProblems(store, names)));
  for (const broken of [...brokenLinks(journals, names, store), ...(await mismatches(journals, store))]) note(broken);
  const last = all.at(-1);
  if (last !== undefined && isMoved(last)) note(await ledgerMovedError(store, last));
  const { objects, imports } = foldJournals(journals.map(({ records }) => records));
  const snapshot = await compareSnapshot(journals, store);
  if (snapshot === 'edited') note(wrongSnapshot('was changed after it was written, so nothing relies on it'));
  if (snapshot === 'differs' && problems.length === 0) note(wrongSnapshot('is not what the journals add up to'));
  const [first, newest] = [all[0], last].map((name) => (name === undefined ? undefined : journalTime(name)));
  return {
    applies: all.length,
    unfinished: journals.filter(({ isEnded }) => !isEnded).length,
    ...omitUndefined({ first, last: newest }),
    objects: objects.size,
    imports: imports.size,
    snapshot,
    torn: journals.filter(({ ends }) => ends === 'within a line').map(({ name }) => store.place(name)),
    problems,
  };
}

/** Verifies the signatures of the verdicts that applies recorded. */
async function reviewProblems(store: JournalStore, names: readonly string[]): Promise<LedgerProblem[]> {
  const problems: LedgerProblem[] = [];
  for (const name of names) {
    const reviewed = parseJournal(await store.read(name).catch(() => '')).apply?.reviewed;
    if (reviewed === undefined) continue;
    const verdicts = new Map(recordedVerdicts(reviewed).map((one) => [one.digest, one]));
    for (const digest of reviewed.approvals) {
      const { signer = 'somebody', problem } = verdicts.get(digest) ?? { problem: 'it is missing' };
      if (problem === undefined) continue;
      problems.push({ message: `The approval of ${signer} in ${store.place(name)} proves nothing: ${problem}.` });
    }
  }
  return problems;
}

/** How many journals are read at once. */
const AT_ONCE = 64;

const wrongSnapshot = (how: string): DexsyncError =>
  new DexsyncError('LEDGER_DAMAGED', `The saved state (snapshot) of the ledger ${how}.`, {
    hint: '`dexsync ledger rebuild` makes it again.',
  });

const named = (error: unknown): DexsyncError => {
  if (error instanceof DexsyncError) return error;
  throw error;
};

/** Problems of the ledger as a whole: it belongs to another workspace, or lost something that this machine saw. */
const mismatches = async (journals: readonly JournalState[], store: JournalStore): Promise<DexsyncError[]> =>
  [findForeignJournal(journals, store), (await findLoss(store))?.error].filter((error) => error !== undefined);

/** Yields breaks in the sequence of journals; unreadable journals were already reported. */
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

/** Compares the snapshot with the journals. One that does not cover them all is unreadable, and saved again. */
async function compareSnapshot(
  journals: readonly JournalState[],
  store: JournalStore,
): Promise<LedgerCheck['snapshot']> {
  const text = await store.snapshot();
  if (text === undefined) return 'none';
  if (!isAsWritten(text)) return 'edited';
  const found = snapshotIn(text);
  if (found === undefined || !isCurrent(found, await store.recent(), journals[0]?.name)) return 'unreadable';
  const { through, state } = found;
  const covered = foldJournals(journals.filter(({ name }) => name <= through).map(({ records }) => records));
  const textOf = (one: LedgerState): string => sorted([...snapshotParts({ ...found, open: [], state: one })].join(''));
  return textOf(state) === textOf(covered) ? 'matches' : 'differs';
}

const isCurrent = (snapshot: Snapshot, recent: readonly string[], first = ''): boolean =>
  snapshot.through >= first && coversAll(snapshot, recent);

/** The entries of a snapshot as sorted text, so that their order does not matter. */
function sorted(text: string): string {
  const { jobs, objects, deleted, acknowledged, committedRows } = JSON.parse(text.split('\n')[0] ?? '');
  const lists: readonly unknown[][] = [jobs, objects, deleted, acknowledged, committedRows];
  return JSON.stringify(lists.map((list) => list.map((one) => JSON.stringify(one)).sort()));
}

/**
 * The state that is still reliable in a damaged ledger: the records of every journal before its first damage. If a
 * journal that the snapshot covers is damaged or missing, the snapshot replaces all journals that it covers.
 */
export async function intactState(store: JournalStore): Promise<LedgerState> {
  const names = sinceRebuilt(await store.names());
  const snapshot = snapshotIn(await store.snapshot());
  const usable = snapshot !== undefined && isCurrent(snapshot, await store.recent(), names[0]) ? snapshot : undefined;
  const states: JournalState[] = [];
  const journals: Pick<JournalState, 'name' | 'records'>[] = [];
  for (const name of names) {
    const state = await readJournalState(store, name).catch(() => undefined);
    const records = state?.records ?? intactRecords(await store.read(name).catch(() => ''));
    if (state !== undefined) states.push(state);
    journals.push({ name, records });
  }
  const readable = new Set(states.map(({ name }) => name));
  const isDamaged = names.some((name) => name <= (usable?.through ?? '') && !readable.has(name));
  const [broken] = brokenLinks(states, names, store);
  const from = isDamaged || broken !== undefined ? usable : undefined;
  const used = journals.filter(({ name }) => from === undefined || name > from.through).map(({ records }) => records);
  return foldJournals(used, from?.state);
}
