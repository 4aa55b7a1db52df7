import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Address } from '#core/model/address.js';
import { jsonIn } from '#core/model/json.js';
import { followChain, isTorn, type PreviousJournal, wholeLines } from './chain.js';
import { isReaddressed } from './journal-name.js';
import { type JournalOrigin, originIn } from './journal-origin.js';
import { isOfState, type JournalRecord, type StateRecord, stateRecordIn } from './journal-record.js';
import type { JournalStore } from './journal-store.js';
import type { AppliedPlan, AppliedStep } from './ledger.js';
import { parseJournal } from './parse-journal.js';

/** A journal as far as the ledger's state needs it; its plan, which may be large, is not parsed. */
export interface JournalState {
  readonly name: string;
  readonly records: readonly StateRecord[];
  /** The hash after each line. */
  readonly links: readonly string[];
  readonly previous?: PreviousJournal;
  readonly origin: JournalOrigin;
  readonly isEnded: boolean;
  /** `within a line`: the line that is cut off was never reported as written. */
  readonly ends: 'whole' | 'within a line';
  /** Characters. */
  readonly size: number;
}

/**
 * Reads the parts of a journal that the next apply relies on. Throws LEDGER_DAMAGED for a line that was changed, saying
 * what is lost with it.
 */
export async function readJournalState(store: JournalStore, name: string): Promise<JournalState> {
  const path = store.place(name);
  const text = await store.read(name);
  const lines = wholeLines(text);
  const { links, broken } = followChain(lines);
  let isEnded = false;
  const records = lines.slice(0, broken).flatMap((line, index) => {
    const type = RECORD_LINE.exec(line)?.[1];
    if (type === undefined) throw damagedLine(path, index + 1);
    if (type === 'end') isEnded = true;
    return isOfState({ type }) ? [parseStateRecord(line, path, index + 1)] : [];
  });
  if (broken !== undefined) throw changedLine(path, broken + 1, lines[broken] ?? '');
  const previous = previousIn(lines[0] ?? '');
  const origin = originIn(lines[0] ?? '');
  const ends = isTorn(text) ? 'within a line' : 'whole';
  const size = text.length;
  return { name, records, links, isEnded, ends, size, origin, ...omitUndefined({ previous }) };
}

/** Reads the link before the plan, which is not parsed. */
function previousIn(line: string): PreviousJournal | undefined {
  const found = /^\{"type":"plan","at":"[^"]*","previous":(\{[^{}]*\}),/.exec(line)?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as PreviousJournal);
}

/**
 * Checks that each journal follows the one that it names. Lines that were added to that one later are allowed; a
 * missing line or journal throws LEDGER_DAMAGED. Journals up to `through` are covered by a snapshot, and not checked.
 */
export function checkSequence(
  journals: readonly JournalState[],
  store: Pick<JournalStore, 'place'>,
  through: string,
): void {
  const byName = new Map(journals.map((journal) => [journal.name, journal]));
  for (const journal of journals) {
    const broken = brokenLink(journal, byName, store, through);
    if (broken !== undefined) throw broken;
  }
}

/** The error in a journal's link to the one before it, if any. */
export function brokenLink(
  { previous }: JournalState,
  byName: ReadonlyMap<string, JournalState>,
  store: Pick<JournalStore, 'place'>,
  through: string,
): DexsyncError | undefined {
  if (previous === undefined || previous.journal <= through) return undefined;
  const before = byName.get(previous.journal);
  if (before === undefined) return missingJournal(previous.journal);
  const holds = previous.chain === '' || before.links.includes(previous.chain);
  const what = 'is missing, or an earlier line was changed';
  return holds ? undefined : damagedLine(store.place(before.name), before.links.length + 1, undefined, what);
}

/** The reliable records of a journal that was damaged: those before the first line whose hash does not match. */
export function intactRecords(text: string): StateRecord[] {
  const lines = wholeLines(text);
  const { broken = lines.length } = followChain(lines);
  return lines.slice(0, broken).flatMap((line) => stateRecordIn(jsonIn(line)) ?? []);
}

/** LEDGER_MOVED, with the new place, which is the reason of the journal that ended the ledger. */
export async function ledgerMovedError(store: JournalStore, name: string): Promise<DexsyncError> {
  const { at = '', apply } = parseJournal(await store.read(name));
  const who = apply === undefined ? '' : ` by ${apply.actor.login}`;
  const next = isReaddressed(name)
    ? 'Set `url` of the environment to that address, or, if it has its old address again, name the other one with `--moved-from URL`.'
    : 'Set `ledger` in the configuration to that place.';
  return new DexsyncError('LEDGER_MOVED', `The ledger was ${apply?.reason ?? 'moved'} on ${at.slice(0, 10)}${who}.`, {
    hint: `${next} Nothing was read or written here.`,
  });
}

/**
 * Reads the apply of a journal; one without an end was interrupted. Throws LEDGER_DAMAGED if its first line cannot be
 * read.
 */
export async function readAppliedPlan(store: JournalStore, name: string): Promise<AppliedPlan> {
  const { at, apply, records } = parseJournal(await store.read(name));
  if (at === undefined) throw damagedLine(store.place(name), 1);
  const by = apply === undefined ? {} : { by: apply.actor.login };
  return { at, ...by, isEnded: records.some(({ type }) => type === 'end') };
}

/**
 * What an apply did to one object; undefined unless all of its writes were done. A journal that does not name the
 * object is not parsed. Throws LEDGER_DAMAGED.
 */
export function appliedStepIn(text: string, path: string, address: Address): Omit<AppliedStep, 'number'> | undefined {
  const named = JSON.stringify(address);
  if (!text.includes(named)) return undefined;
  const records = wholeLines(text).flatMap((line, index) =>
    line.includes(named) ? [parseAnyRecord(line, path, index + 1)] : [],
  );
  const first = records.find((record) => record.type === 'plan');
  const plan = first?.plan;
  const step = plan?.steps.find((one) => one.address === address);
  const done = records.filter((record) => record.type === 'outcome' && record.address === address);
  const last = done.at(-1);
  const whole = step !== undefined && done.length === step.writes.length && !done.some((one) => 'failed' in one);
  if (!whole || plan === undefined || last === undefined) return undefined;
  const { action, reason, message, fields } = step;
  const by = first?.apply === undefined ? {} : { actor: first.apply.actor };
  return { action, reason, message, fields, at: last.at, environment: plan.environment, ...by };
}

function parseAnyRecord(line: string, path: string, number: number): JournalRecord {
  try {
    return JSON.parse(line) as JournalRecord;
  } catch (error) {
    throw damagedLine(path, number, error);
  }
}

/** The beginning and end of every record as it is written. */
const RECORD_LINE = /^\{"type":"(\w+)",.*\}$/s;

function parseStateRecord(line: string, path: string, number: number): StateRecord {
  const record = stateRecordIn(parseAnyRecord(line, path, number));
  if (record === undefined) throw damagedLine(path, number);
  return record;
}

const WAY_OUT =
  'Restore it from a backup. If there is none, `dexsync ledger rebuild` keeps what can still be read, and finds the rest in the workspace as far as it can.';

const damagedLine = (path: string, number: number, cause?: unknown, what = 'is not a record'): DexsyncError =>
  new DexsyncError('LEDGER_DAMAGED', `Line ${number} of the journal ${path} ${what}.`, { hint: WAY_OUT, cause });

const changedLine = (path: string, number: number, line: string): DexsyncError =>
  isJson(line)
    ? damagedLine(path, number, undefined, `was changed after it was written; ${costOf(line)}`)
    : damagedLine(path, number);

const isJson = (line: string): boolean => RECORD_LINE.test(line) && jsonIn(line) !== undefined;

const missingJournal = (journal: string): DexsyncError =>
  new DexsyncError(
    'LEDGER_DAMAGED',
    `The journal ${journal} is missing, so it is unknown what its apply created or imported.`,
    { hint: WAY_OUT },
  );

/** What can no longer be relied on, by the type of the damaged record. */
const COST: Readonly<Record<string, string>> = {
  plan: 'the plan',
  object: 'the owner of %s and what was last applied to it',
  acknowledgement: 'that the manual step of %s was done',
  job: 'whether the rows of %s were committed',
  intent: 'which request was sent for %s',
  outcome: 'the result for %s',
};

function costOf(line: string): string {
  const type = RECORD_LINE.exec(line)?.[1] ?? '';
  const address = /"address":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? 'an object';
  return `it recorded ${(COST[type] ?? 'something that can no longer be read').replace('%s', address)}`;
}
