import { type FileHandle, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DexsyncError, throwAsDisk } from '../errors.js';
import { makeFolder } from '../make-folder.js';
import type { Address } from '../model/address.js';
import type { Plan } from '../model/plan.js';
import type { ApplyFacts } from './apply-facts.js';
import { fold } from './fold.js';
import type { Applied, AppliedPlan, Journal, Ledger, StoredJournal } from './ledger.js';
import { parseJournal } from './parse-journal.js';
import { type JournalRecord, type StateRecord, stateRecordIn } from './record.js';
import { syncFolder } from './sync-folder.js';

/**
 * A ledger as files: a folder per workspace, in it one journal of JSON lines per apply, named so that they sort by time.
 * `mayWrite` is asked before anything is written, and throws where that is no longer this process's to do.
 */
export function fileLedger(root: string, identity: string, mayWrite: () => Promise<void> = free): Ledger {
  const folder = join(root, 'ledger', folderName(identity));
  return {
    async state() {
      const names = await journalsIn(folder);
      return fold(await Promise.all(names.map((name) => readJournal(join(folder, name)))));
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
      const path = join(folder, `${at.replaceAll(/[-:.]/g, '')}-${plan.nonce}.jsonl`);
      const file = await begun(folder, path, lineOf(firstRecord(plan, at, apply))).catch((error: unknown) =>
        throwAsDisk(error, `The ledger in ${folder}`),
      );
      return openJournal(file, path, mayWrite);
    },
  };
}

const free = async (): Promise<void> => undefined;

/** Host, port and workspace id, in characters that every file system takes. */
const folderName = (identity: string): string => identity.replaceAll(/[^A-Za-z0-9._-]/g, '_');

const lineOf = (record: JournalRecord): string => `${JSON.stringify(record)}\n`;

/** The facts come first: they are read without the plan, which may be large. */
const firstRecord = (plan: Plan, at: string, apply: ApplyFacts | undefined): JournalRecord => ({
  type: 'plan',
  at,
  ...(apply === undefined ? {} : { apply }),
  plan,
});

async function begun(folder: string, path: string, plan: string): Promise<FileHandle> {
  await makeFolder(folder);
  const file = await open(`${path}.new`, 'ax');
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
  const [, date, hours, minutes, rest, milliseconds] = /^(\d{8})T(\d\d)(\d\d)(\d\d)(\d{3})Z-/.exec(name) ?? [];
  const day = date?.replace(/^(....)(..)(..)$/, '$1-$2-$3');
  return {
    name,
    ...(day === undefined ? {} : { begun: `${day}T${hours}:${minutes}:${rest}.${milliseconds}Z` }),
    text: () => readFile(join(folder, name), 'utf8'),
  };
}

/** Of a journal the state needs jobs and objects alone; its plan, which may be large, is not parsed. */
async function readJournal(path: string): Promise<StateRecord[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => throwAsDisk(error, `The journal ${path}`));
  const lines = text.split('\n');
  lines.pop(); // What follows the last line break: nothing, or a record that was never promised to be durable.
  return lines.flatMap((line, index) => {
    const type = RECORD.exec(line)?.[1];
    if (type === undefined) throw damaged(path, index + 1);
    return type === 'job' || type === 'object' ? [parseRecord(line, path, index + 1)] : [];
  });
}

/** A journal without an end is one of an apply that was broken off. */
async function appliedPlan(path: string): Promise<AppliedPlan> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => throwAsDisk(error, `The journal ${path}`));
  const { at, apply, records } = parseJournal(text);
  if (at === undefined) throw damaged(path, 1);
  const by = apply === undefined ? {} : { by: apply.actor.login };
  return { at, ...by, ended: records.some(({ type }) => type === 'end') ? 'yes' : 'no' };
}

/** A journal that does not name the object is not parsed. */
function appliedIn(text: string, path: string, address: Address): Omit<Applied, 'number'> | undefined {
  const named = JSON.stringify(address);
  if (!text.includes(named)) return undefined;
  const lines = text.split('\n').slice(0, -1);
  const records = lines.flatMap((line, index) => (line.includes(named) ? [anyRecord(line, path, index + 1)] : []));
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

/** How every record begins and ends, as `lineOf` writes it. */
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

const damaged = (path: string, number: number, cause?: unknown): DexsyncError =>
  new DexsyncError('LEDGER_DAMAGED', `Line ${number} of the journal ${path} is not a record.`, {
    hint: 'Restore the file from a backup. It tells whose each object is and which imports were committed; without it they could run twice.',
    cause,
  });

/** Records that are appended while the disk is busy share the next sync. After one that failed, none is written any more. */
function openJournal(file: FileHandle, path: string, mayWrite: () => Promise<void>): Journal {
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
      waiting.push(lineOf(record));
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
