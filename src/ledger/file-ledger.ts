import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { throwAsDisk } from '../errors.js';
import { follow, linesOf, type Previous } from './chain.js';
import { fold } from './fold.js';
import type { Ledger, StoredJournal } from './ledger.js';
import { appliedIn, appliedPlan, checkSequence, readJournal, readText } from './read-journal.js';
import { beginJournal } from './write-journal.js';

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
      return beginJournal(folder, path, { plan, at, apply, previous }, mayWrite);
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
