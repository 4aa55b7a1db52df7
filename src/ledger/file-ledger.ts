import { chmod, type FileHandle, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DexsyncError, throwAsDisk } from '../errors.js';
import { makeFolder } from '../files/make-folder.js';
import { syncFolder } from '../files/sync-folder.js';
import type { Address } from '../model/address.js';
import type { Plan } from '../model/plan.js';
import type { ApplyFacts } from './apply-facts.js';
import { chained, follow, linesOf, type Previous } from './chain.js';
import { fold } from './fold.js';
import type { Applied, AppliedPlan, Journal, Ledger, StoredJournal } from './ledger.js';
import { parseJournal } from './parse-journal.js';
import { type JournalRecord, type StateRecord, stateRecordIn } from './record.js';

/**
 * A ledger as files: a folder per workspace, in it one journal of JSON lines per apply, named so that they sort by time.
 * `mayWrite` is asked before anything is written, and throws where that is no longer this process's to do.
 */
export function fileLedger(root: string, identity: string, mayWrite: () => Promise<void> = free): Ledger {
  const folder = join(root, 'ledger', folderName(identity));
  return {
    async state() {
      const names = await journalsIn(folder);
      const journals = await Promise.all(names.map((name) => readJournal(folder, name)));
      checkSequence(journals);
      return fold(journals.map(({ records }) => records));
    },
    async lastApplied(address) {
      const names = await journalsIn(folder);
      for (let number = names.length; number > 0; number -= 1) {
        const path = join(folder, names[number - 1] ?? '');
        const found = appliedIn(await readFile(path, 'utf8'), path, address);
        if (found !== undefined) return { ...found, number };
      }
      return undefined;
    },
    async journals() {
      return (await journalsIn(folder)).map((name) => storedJournal(folder, name));
    },
    async applied(nonce) {
      const name = (await namesIn(folder)).find((one) => one.slice(one.indexOf('-') + 1) === `${nonce}.jsonl`);
      return name === undefined ? undefined : appliedPlan(join(folder, name));
    },
    async begin(plan, at, apply) {
      await mayWrite();
      // Folders of older versions can be read by everybody.
      await chmod(root, 0o700).catch(() => undefined);
      const names = await journalsIn(folder);
      const path = join(folder, `${sequenceAfter(names)}_${at.replaceAll(/[-:.]/g, '')}-${plan.nonce}.jsonl`);
      const previous = await previousOf(folder, names.at(-1));
      const first = chained(firstRecord(plan, at, apply, previous), '');
      const file = await begun(folder, path, first.line).catch((error: unknown) =>
        throwAsDisk(error, `The ledger in ${folder}`),
      );
      return openJournal(file, path, first.chain, mayWrite);
    },
  };
}

const free = async (): Promise<void> => undefined;

/** Host, port and workspace id, in characters that every file system takes. */
const folderName = (identity: string): string => identity.replaceAll(/[^A-Za-z0-9._-]/g, '_');

/** Journals are in the order of their numbers, whatever a clock said; older ones have none, and come first. */
const SEQUENCE = /^j(\d{8})_/;

function sequenceAfter(names: readonly string[]): string {
  const last = Number(SEQUENCE.exec(names.at(-1) ?? '')?.[1] ?? names.length);
  return `j${String(last + 1).padStart(8, '0')}`;
}

async function previousOf(folder: string, journal: string | undefined): Promise<Previous | undefined> {
  if (journal === undefined) return undefined;
  const { links } = follow(linesOf(await readText(join(folder, journal))));
  return { journal, chain: links.at(-1) ?? '' };
}

const readText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: unknown) => throwAsDisk(error, `The journal ${path}`));

/** The facts come first: they are read without the plan, which may be large. */
const firstRecord = (
  plan: Plan,
  at: string,
  apply: ApplyFacts | undefined,
  previous: Previous | undefined,
): JournalRecord => ({
  type: 'plan',
  at,
  ...(previous === undefined ? {} : { previous }),
  ...(apply === undefined ? {} : { apply }),
  plan,
});

async function begun(folder: string, path: string, plan: string): Promise<FileHandle> {
  await makeFolder(folder, 0o700);
  const file = await open(`${path}.new`, 'ax', 0o600);
  try {
    await file.appendFile(plan);
    await file.sync();
    await rename(`${path}.new`, path);
  } catch (error) {
    await file.close();
    throw error;
  }
  await syncFolder(folder);
  return file;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    return throwAsDisk(error, `The ledger in ${folder}`);
  }
}

const journalsIn = async (folder: string): Promise<string[]> =>
  (await namesIn(folder)).filter((name) => name.endsWith('.jsonl')).sort();

function storedJournal(folder: string, name: string): StoredJournal {
  const [, date, hours, minutes, rest, milliseconds] =
    /^(?:j\d{8}_)?(\d{8})T(\d\d)(\d\d)(\d\d)(\d{3})Z-/.exec(name) ?? [];
  const day = date?.replace(/^(....)(..)(..)$/, '$1-$2-$3');
  return {
    name,
    ...(day === undefined ? {} : { begun: `${day}T${hours}:${minutes}:${rest}.${milliseconds}Z` }),
    text: () => readFile(join(folder, name), 'utf8'),
  };
}

interface ReadJournal {
  readonly path: string;
  readonly name: string;
  readonly records: readonly StateRecord[];
  readonly links: readonly string[];
  readonly previous?: Previous;
}

/** Of a journal the state needs jobs and objects alone; its plan, which may be large, is not parsed. */
async function readJournal(folder: string, name: string): Promise<ReadJournal> {
  const path = join(folder, name);
  const lines = linesOf(await readText(path));
  const { links, broken } = follow(lines);
  const records = lines.slice(0, broken).flatMap((line, index) => {
    const type = RECORD.exec(line)?.[1];
    if (type === undefined) throw damaged(path, index + 1);
    return type === 'job' || type === 'object' ? [parseRecord(line, path, index + 1)] : [];
  });
  if (broken !== undefined) throw changed(path, broken + 1, lines[broken] ?? '');
  const previous = previousIn(lines[0] ?? '');
  return { path, name, records, links, ...(previous === undefined ? {} : { previous }) };
}

/** It stands before the plan, which is not parsed. */
function previousIn(line: string): Previous | undefined {
  const found = /^\{"type":"plan","at":"[^"]*","previous":(\{[^{}]*\}),/.exec(line)?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as Previous);
}

/** Each journal names the one before it. Lines that were added to that one later are no break; a line that is gone is. */
function checkSequence(journals: readonly ReadJournal[]): void {
  const byName = new Map(journals.map((journal) => [journal.name, journal]));
  for (const { previous } of journals) {
    if (previous === undefined) continue;
    const before = byName.get(previous.journal);
    if (before === undefined) throw missing(previous.journal);
    const holds = previous.chain === '' || before.links.includes(previous.chain);
    if (!holds) throw damaged(before.path, before.links.length + 1, undefined, 'is gone, or one before it was changed');
  }
}

/** A journal without an end is one of an apply that was broken off. */
async function appliedPlan(path: string): Promise<AppliedPlan> {
  const { at, apply, records } = parseJournal(await readText(path));
  if (at === undefined) throw damaged(path, 1);
  const by = apply === undefined ? {} : { by: apply.actor.login };
  return { at, ...by, ended: records.some(({ type }) => type === 'end') ? 'yes' : 'no' };
}

/** A journal that does not name the object is not parsed. */
function appliedIn(text: string, path: string, address: Address): Omit<Applied, 'number'> | undefined {
  const named = JSON.stringify(address);
  if (!text.includes(named)) return undefined;
  const records = linesOf(text).flatMap((line, index) =>
    line.includes(named) ? [anyRecord(line, path, index + 1)] : [],
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

function anyRecord(line: string, path: string, number: number): JournalRecord {
  try {
    return JSON.parse(line) as JournalRecord;
  } catch (error) {
    throw damaged(path, number, error);
  }
}

/** How every record begins and ends, as it is written. */
const RECORD = /^\{"type":"(\w+)",.*\}$/s;

function parseRecord(line: string, path: string, number: number): StateRecord {
  try {
    const record = stateRecordIn(JSON.parse(line));
    if (record !== undefined) return record;
  } catch (error) {
    throw damaged(path, number, error);
  }
  throw damaged(path, number);
}

const WAY_OUT =
  'Restore the file from a backup. Without one, move the folder of the ledger away: objects are then taken over with --adopt, ' +
  'and imports are matched with the runs of the workspace.';

const damaged = (path: string, number: number, cause?: unknown, what = 'is not a record'): DexsyncError =>
  new DexsyncError('LEDGER_DAMAGED', `Line ${number} of the journal ${path} ${what}.`, { hint: WAY_OUT, cause });

const changed = (path: string, number: number, line: string): DexsyncError =>
  isJson(line)
    ? damaged(path, number, undefined, `was changed after it was written; ${costOf(line)}`)
    : damaged(path, number);

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return RECORD.test(line);
  } catch {
    return false;
  }
}

const missing = (journal: string): DexsyncError =>
  new DexsyncError(
    'LEDGER_DAMAGED',
    `The journal ${journal} is missing; nobody knows what its apply made or imported.`,
    {
      hint: WAY_OUT,
    },
  );

/** What cannot be relied on any more. */
const COST: Readonly<Record<string, string>> = {
  plan: 'what was planned',
  object: 'whose %s is and what was last applied to it',
  job: 'whether the rows of %s were committed',
  intent: 'what was asked of the service for %s',
  outcome: 'what became of %s',
};

function costOf(line: string): string {
  const type = RECORD.exec(line)?.[1] ?? '';
  const address = /"address":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? 'an object';
  return `it said ${(COST[type] ?? 'something that cannot be read any more').replace('%s', address)}`;
}

/** Records that are appended while the disk is busy share the next sync. After one that failed, none is written any more. */
function openJournal(file: FileHandle, path: string, first: string, mayWrite: () => Promise<void>): Journal {
  let chain = first;
  let waiting: string[] = [];
  let flushing: Promise<void> = Promise.resolve();
  let scheduled: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    const lines = waiting.join('');
    waiting = [];
    scheduled = undefined;
    try {
      await mayWrite();
      await file.appendFile(lines);
      await file.datasync();
    } catch (error) {
      throwAsDisk(error, `The journal ${path}`);
    }
  };
  return {
    append(record) {
      const written = chained(record, chain);
      chain = written.chain;
      waiting.push(written.line);
      scheduled ??= flushing = flushing.then(flush);
      return scheduled;
    },
    async close() {
      // Whoever appended was told of a failure.
      await flushing.catch(() => undefined);
      await file.close();
    },
  };
}
