import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { throwAsDisk } from '../errors.js';
import { followChain, type PreviousJournal, wholeLines } from './chain.js';
import { foldJournals } from './fold.js';
import type { Ledger, StoredJournal } from './ledger.js';
import { appliedStepIn, checkSequence, readAppliedPlan, readJournalState, readJournalText } from './read-journal.js';
import { beginJournal } from './write-journal.js';

/**
 * A ledger as files: a folder per workspace, in it one journal of JSON lines per apply, named so that they sort by time.
 * `mayWrite` is asked before anything is written, and throws where that is no longer this process's to do.
 */
export function fileLedger(root: string, identity: string, mayWrite: () => Promise<void> = allowWrite): Ledger {
  const folder = join(root, 'ledger', folderName(identity));
  return {
    async state() {
      const names = await journalNames(folder);
      const journals = await Promise.all(names.map((name) => readJournalState(folder, name)));
      checkSequence(journals);
      return foldJournals(journals.map(({ records }) => records));
    },
    async lastApplied(address) {
      const names = await journalNames(folder);
      for (let number = names.length; number > 0; number -= 1) {
        const path = join(folder, names[number - 1] ?? '');
        const found = appliedStepIn(await readFile(path, 'utf8'), path, address);
        if (found !== undefined) return { ...found, number };
      }
      return undefined;
    },
    async journals() {
      return (await journalNames(folder)).map((name) => toStoredJournal(folder, name));
    },
    async applyOf(nonce) {
      const name = (await fileNames(folder)).find((one) => one.slice(one.indexOf('-') + 1) === `${nonce}.jsonl`);
      return name === undefined ? undefined : readAppliedPlan(join(folder, name));
    },
    async begin(plan, at, apply) {
      await mayWrite();
      // Folders of older versions can be read by everybody.
      await chmod(root, 0o700).catch(() => undefined);
      const names = await journalNames(folder);
      const path = join(folder, `${sequenceAfter(names)}_${at.replaceAll(/[-:.]/g, '')}-${plan.nonce}.jsonl`);
      const previous = await linkToLast(folder, names.at(-1));
      return beginJournal(folder, path, { plan, at, apply, previous }, mayWrite);
    },
  };
}

const allowWrite = async (): Promise<void> => undefined;

/** Host, port and workspace id, in characters that every file system takes. */
const folderName = (identity: string): string => identity.replaceAll(/[^A-Za-z0-9._-]/g, '_');

/** Journals are in the order of their numbers, whatever a clock said; older ones have none, and come first. */
const SEQUENCE = /^j(\d{8})_/;

function sequenceAfter(names: readonly string[]): string {
  const last = Number(SEQUENCE.exec(names.at(-1) ?? '')?.[1] ?? names.length);
  return `j${String(last + 1).padStart(8, '0')}`;
}

async function linkToLast(folder: string, journal: string | undefined): Promise<PreviousJournal | undefined> {
  if (journal === undefined) return undefined;
  const { links } = followChain(wholeLines(await readJournalText(join(folder, journal))));
  return { journal, chain: links.at(-1) ?? '' };
}

async function fileNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    return throwAsDisk(error, `The ledger in ${folder}`);
  }
}

const journalNames = async (folder: string): Promise<string[]> =>
  (await fileNames(folder)).filter((name) => name.endsWith('.jsonl')).sort();

function toStoredJournal(folder: string, name: string): StoredJournal {
  const [, date, hours, minutes, rest, milliseconds] =
    /^(?:j\d{8}_)?(\d{8})T(\d\d)(\d\d)(\d\d)(\d{3})Z-/.exec(name) ?? [];
  const day = date?.replace(/^(....)(..)(..)$/, '$1-$2-$3');
  return {
    name,
    ...(day === undefined ? {} : { begun: `${day}T${hours}:${minutes}:${rest}.${milliseconds}Z` }),
    text: () => readFile(join(folder, name), 'utf8'),
  };
}
