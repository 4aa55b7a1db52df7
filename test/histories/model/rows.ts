import { isInBom, type Lines, type SentLines, undoOfLines, withoutBoms, withRows } from './bom.js';
import type { Clone, Workspace } from './world.js';

/** Columns of a row beside the number of its record. */
export const COLUMNS = ['Name', 'Text'] as const;

export type Column = (typeof COLUMNS)[number];

/** Values of a record by column, or what a row says of them: an empty cell leaves the value as it is. */
export type Cells = Readonly<Record<Column, string>>;

export interface Row extends Cells {
  readonly Part: string;
}

/** A cell that empties a value. */
export const REMOVE = '[Remove Value]';

/** An `Import` of a clone: a file of rows, and what becomes of those that are refused and of those that it has no more. */
export interface RowList {
  readonly name: string;
  rows: readonly Row[];
  commit: 'clean' | 'always';
  readonly missing: 'report' | 'delete';
}

/** What a row that was committed did to its record. */
export interface Written {
  readonly number: string;
  readonly wrote: Partial<Cells> | 'deleted';
  /** Undefined where there was no record. */
  readonly before: Cells | undefined;
}

export interface Commit {
  readonly address: string;
  /** The clone that has its before image. */
  clone: string;
  /** Whether there were records that its list had no more, and that it was to delete. */
  readonly leaves?: 'nothing' | 'records';
  readonly written: readonly Written[];
  /** What it sent, where its rows are BOM lines. */
  readonly lines?: SentLines;
  /** Whether an undo has sent anything. */
  undone?: true;
  /** Rows that the service refused. */
  readonly refused: readonly Row[];
}

/** What became of rows that were sent. */
type Settled = { readonly is: 'committed' } | { readonly is: 'rejected'; readonly under: RowList['commit'] };

/** The bulk data of a workspace. */
export interface Rows {
  /** By number. */
  readonly records: Map<string, Cells>;
  /** Lines of the BOMs of records. */
  lines: Lines;
  /** By content: the same rows are sent once, no matter who has them. */
  readonly settled: Map<string, Settled>;
  /** Addresses whose newest rows were rejected. */
  readonly rejected: Set<string>;
  /** The oldest first. */
  readonly commits: Commit[];
}

export const noRows = (): Rows => ({
  ...{ records: new Map(), lines: new Map(), settled: new Map(), rejected: new Set(), commits: [] },
});

/** A clone before a workspace, as far as rows are concerned. */
export interface RowPlace {
  readonly workspace: Pick<Workspace, 'rows'>;
  readonly clone: Pick<Clone, 'name' | 'lists'>;
}

const addressOfList = ({ name }: Pick<RowList, 'name'>): string => `Import/${name}`;

/** Under which address the records go that a list has no more. */
const removalOf = (list: Pick<RowList, 'name'>): string => `${addressOfList(list)} (missing)`;

export const contentOf = (rows: readonly Row[]): string =>
  JSON.stringify(rows.map(({ Part, Name, Text }) => [Part, Name, Text]));

type ImportStep = [address: string, step: { readonly actions: readonly string[] }];

/** What a plan does about each list, by address. Records go only where it applies all other imports. */
export function importSteps({ workspace: { rows }, clone: { lists } }: RowPlace): ImportStep[] {
  const asked = lists.map((list) => ({ list, what: whatOf(list, rows) }));
  const isHeld = asked.some(({ what }) => what === 'blocked');
  return asked.flatMap(({ list, what }): ImportStep[] => {
    const step: ImportStep[] = what === 'nothing' ? [] : [[addressOfList(list), { actions: [what] }]];
    const isGoing = what === 'import' || (what === 'nothing' && isLeft(lastCommit(rows, list), rows));
    const removal: ImportStep = [removalOf(list), { actions: [isHeld ? 'blocked' : 'import'] }];
    return isGoing && missingNumbers(rows, list).length > 0 ? [...step, removal] : step;
  });
}

/** Rows that were rejected before wait for others, and so do rows that the plan already knows to be refused. */
function whatOf({ rows: sent, commit }: RowList, rows: Rows): 'nothing' | 'blocked' | 'import' {
  const known = rows.settled.get(contentOf(sent));
  if (known?.is === 'committed') return 'nothing';
  if (known?.is === 'rejected' && known.under === commit) return 'blocked';
  return commit === 'clean' && refusedOf(sent, rows).length > 0 ? 'blocked' : 'import';
}

const lastCommit = ({ commits }: Rows, list: RowList): Commit | undefined =>
  commits.findLast(({ address }) => address === addressOfList(list));

/** Whether a plan still sees to what goes with a commit: not where that was undone. */
const isLeft = (commit: Commit | undefined, rows: Rows): boolean => isDue(commit, rows) && commit?.undone !== true;

/** Whether records that a list had no more when it was committed are still to go. */
const isDue = (commit: Commit | undefined, { commits }: Rows): boolean =>
  commit?.leaves === 'records' &&
  !commits.slice(commits.indexOf(commit)).some(({ address }) => address === `${commit.address} (missing)`);

/**
 * Records that a list had since all that it had no more went, and has no more in any spelling; rows that a retry corrected are its
 * own. Where the service refused the last row of one, an earlier commit says whether the list had it;
 * what was undone, or deleted since, says nothing.
 */
function missingNumbers(rows: Rows, list: RowList): string[] {
  if (list.missing !== 'delete') return [];
  const has = new Set(list.rows.map(({ Part }) => Part.toLowerCase()));
  return numbersOf(rows, list).filter((number) => rows.records.has(number) && !has.has(number.toLowerCase()));
}

function numbersOf(rows: Rows, list: RowList): string[] {
  const address = addressOfList(list);
  const own = [address, `${address} (retry)`, removalOf(list)];
  const had = new Set<string>();
  const deleted = new Set<string>();
  let asked = (_: string): boolean => true;
  for (const commit of rows.commits.filter((one) => own.includes(one.address) && one.undone !== true).toReversed()) {
    const into = commit.address === removalOf(list) ? deleted : had;
    for (const { number } of commit.written) if (asked(number) && !deleted.has(number)) into.add(number);
    if (commit.address !== address || isDue(commit, rows)) continue;
    const refused = commit.refused.map(({ Part }) => Part).filter((part) => asked(part) && !had.has(part));
    asked = (number) => refused.includes(number);
  }
  return [...had];
}

/** What the service refuses: a new record without a name. */
const isRefused = ({ Part, Name }: Row, { records }: Rows): boolean =>
  !records.has(Part) && (Name === '' || Name === REMOVE);

/** What applying the imports of a plan came to. */
export interface SentImports {
  /** Requests that write: each import is validated by one and committed by another. */
  readonly writes: number;
  readonly refused: number;
  /** Addresses that nothing was committed of. */
  readonly notDone: readonly string[];
}

/** Carries out the imports of a plan in their order: all are validated before the first is committed, and records go at the end. */
export function sendImports({ workspace: { rows }, clone }: RowPlace, addresses: readonly string[]): SentImports {
  const lists = addresses.flatMap((address) => clone.lists.find((list) => addressOfList(list) === address) ?? []);
  const going = new Map(clone.lists.map((list) => [removalOf(list), missingNumbers(rows, list)]));
  const rejected = lists.filter(({ rows: sent, commit }) => commit === 'clean' && refusedOf(sent, rows).length > 0);
  let refused = 0;
  for (const list of lists) {
    const sender = { address: addressOfList(list), clone: clone.name };
    const leaves = going.get(removalOf(list))?.length === 0 ? 'nothing' : 'records';
    refused += rejected.includes(list) ? reject(rows, list) : commitRows(rows, { ...sender, leaves }, list.rows);
  }
  const removals = addresses.filter((address) => going.has(address));
  const carriedOut = rejected.length > 0 ? [] : removals;
  for (const address of carriedOut) deleteRecords(rows, { address, clone: clone.name }, going.get(address) ?? []);
  const notDone = [...rejected.map(addressOfList), ...removals.filter((address) => !carriedOut.includes(address))];
  return { writes: 2 * (lists.length + carriedOut.length) - rejected.length, refused, notDone };
}

const refusedOf = (sent: readonly Row[], rows: Rows): Row[] => sent.filter((row) => isRefused(row, rows));

function reject(rows: Rows, list: RowList): number {
  rows.settled.set(contentOf(list.rows), { is: 'rejected', under: list.commit });
  rows.rejected.add(addressOfList(list));
  return refusedOf(list.rows, rows).length;
}

type Sender = Pick<Commit, 'address' | 'clone' | 'leaves'>;

/** Commits rows, and says how many were refused. */
export function commitRows(rows: Rows, sender: Sender, sent: readonly Row[]): number {
  const refused: Row[] = [];
  const written: Written[] = [];
  for (const row of sent) {
    if (isRefused(row, rows)) refused.push(row);
    else written.push(writeRow(rows, row));
  }
  rows.settled.set(contentOf(sent), { is: 'committed' });
  rows.rejected.delete(sender.address);
  rows.commits.push({ ...sender, written, refused });
  return refused.length;
}

/** What a row asks of its record. */
const askedOf = (row: Row): Partial<Cells> =>
  Object.fromEntries(
    COLUMNS.filter((column) => row[column] !== '').map((column) => [column, row[column] === REMOVE ? '' : row[column]]),
  );

/** Writes a row as the service does. */
export function writeRow({ records }: Rows, row: Row): Written {
  const before = records.get(row.Part);
  const wrote = askedOf(row);
  records.set(row.Part, { Name: '', Text: '', ...before, ...wrote });
  return { number: row.Part, wrote, before };
}

function deleteRecords(rows: Rows, sender: Sender, numbers: readonly string[]): void {
  const written = numbers.map((number): Written => ({ number, wrote: 'deleted', before: rows.records.get(number) }));
  for (const number of numbers) rows.records.delete(number);
  rows.lines = withoutBoms(rows.lines, numbers);
  rows.commits.push({ ...sender, written, refused: [] });
}

/** What an undo puts back, takes away, and leaves since somebody changed it later. */
interface Undo {
  readonly edits: readonly Row[];
  readonly deletes: readonly string[];
  /** Numbers of records of which something stays. */
  readonly left: readonly string[];
}

function undoOf({ records, lines }: Rows, { written }: Commit): Undo {
  const undo: Undoing = { edits: [], deletes: [], left: [] };
  for (const { number, wrote, before } of written) {
    const now = records.get(number);
    if (wrote === 'deleted') continue;
    if (before !== undefined) undoEdit({ number, wrote, before, now }, undo);
    else if (now !== undefined) undo[isAsMade(wrote, now) && !isInBom(lines, number) ? 'deletes' : 'left'].push(number);
  }
  return undo;
}

interface Undoing extends Undo {
  readonly edits: Row[];
  readonly deletes: string[];
  readonly left: string[];
}

/** Whether nobody has changed a record since a row created it. */
const isAsMade = (wrote: Partial<Cells>, now: Cells): boolean =>
  COLUMNS.every((column) => now[column] === (wrote[column] ?? ''));

interface Edited {
  readonly number: string;
  readonly wrote: Partial<Cells>;
  readonly before: Cells;
  readonly now: Cells | undefined;
}

/** A cell is put back where it still is what the import wrote. */
function undoEdit({ number, wrote, before, now }: Edited, { edits, left }: Undoing): void {
  if (now === undefined) return void left.push(number);
  const differing = COLUMNS.filter((column) => wrote[column] !== undefined && now[column] !== before[column]);
  const back = differing.filter((column) => now[column] === wrote[column]);
  if (back.length < differing.length) left.push(number);
  if (back.length === 0) return;
  const cells = back.map((column) => [column, before[column] === '' ? REMOVE : before[column]]);
  edits.push({ Part: number, Name: '', Text: '', ...Object.fromEntries(cells) });
}

/** Carries out an undo: an import for what goes away, and one for what is put back. Gives what it leaves. */
export function carryOutUndo(rows: Rows, commit: Commit, clone: string): readonly string[] {
  const { address, lines } = commit;
  if (lines !== undefined) return carryOutUndoOfLines(rows, { address, clone }, lines);
  const { edits, deletes, left } = undoOf(rows, commit);
  if (deletes.length > 0) deleteRecords(rows, { address: `${address} (undo delete)`, clone }, deletes);
  if (edits.length > 0) putBack(rows, { address: `${address} (undo edit)`, clone }, edits);
  if (edits.length + deletes.length > 0) commit.undone = true;
  return left;
}

/** The rows of an undo go through a definition of their own: the same rows of a list are not sent by that. */
function putBack(rows: Rows, sender: Sender, edits: readonly Row[]): void {
  rows.commits.push({ ...sender, written: edits.map((row) => writeRow(rows, row)), refused: [] });
}

function carryOutUndoOfLines(rows: Rows, { address, clone }: Sender, sent: SentLines): readonly string[] {
  const { lines, left, ...parts } = undoOfLines(rows.lines, sent);
  for (const [part, { length }] of Object.entries(parts))
    if (length > 0) rows.commits.push({ address: `${address} (undo ${part})`, clone, written: [], refused: [] });
  rows.lines = lines;
  return left;
}

/** Commits BOM lines, none of which is refused. */
export function commitLines(rows: Rows, sender: Sender, { mode, rows: sent }: Omit<SentLines, 'before'>): void {
  const { lines: before } = rows;
  rows.lines = withRows(before, mode, sent) ?? before;
  rows.commits.push({ ...sender, written: [], refused: [], lines: { mode, rows: sent, before } });
}

/** A record of an import that is not as it was committed, with the columns that somebody changed. */
export interface RowDrift {
  readonly address: string;
  readonly what: 'changed' | 'gone' | 'back';
  readonly number: string;
  readonly columns: readonly Column[];
}

/** Changes by others to the rows that each import committed last; a later import of ours is not drift. */
export function rowDrift({ records, commits }: Rows): RowDrift[] {
  const later: Written[] = [];
  const seen = new Set<string>();
  return commits.toReversed().flatMap(({ address, written }) => {
    if (written.length === 0 || seen.has(address)) return [];
    seen.add(address);
    const found = written.flatMap((one) => driftOf(one, records.get(one.number), later) ?? []);
    later.push(...written);
    return found.map((one) => ({ address, ...one }));
  });
}

function driftOf(
  { number, wrote }: Written,
  now: Cells | undefined,
  later: readonly Written[],
): Omit<RowDrift, 'address'> | undefined {
  const over = later.filter((one) => one.number === number);
  if (over.some((one) => one.wrote === 'deleted')) return undefined;
  if (wrote === 'deleted')
    return now === undefined || over.length > 0 ? undefined : { what: 'back', number, columns: [] };
  if (now === undefined) return over.length > 0 ? undefined : { what: 'gone', number, columns: [] };
  const isOver = (column: Column): boolean =>
    over.some((one) => one.wrote !== 'deleted' && one.wrote[column] !== undefined);
  const columns = COLUMNS.filter(
    (column) => wrote[column] !== undefined && wrote[column] !== now[column] && !isOver(column),
  );
  return columns.length === 0 ? undefined : { what: 'changed', number, columns };
}

/** What a plan of imports rests on: the rows of the lists, and what they change. */
export function groundsOfRows({ workspace: { rows }, clone }: RowPlace, addresses: readonly string[]): string {
  const shown = clone.lists
    .filter((list) => addresses.includes(addressOfList(list)))
    .map((list) => {
      const changes = list.rows.map((row) => {
        const now = rows.records.get(row.Part);
        return Object.entries(askedOf(row)).map(([column, asked]) => `${now?.[column as Column]} -> ${asked}`);
      });
      return [
        list.name,
        contentOf(list.rows),
        rows.settled.get(contentOf(list.rows)),
        changes,
        missingNumbers(rows, list),
      ];
    });
  return JSON.stringify(shown);
}
