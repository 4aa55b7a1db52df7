import { hash, randomUUID } from 'node:crypto';
import { readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { reasonOf } from '../../errors.js';
import { makeFolder } from '../../files/make-folder.js';
import { isObject, jsonIn } from '../../model/json.js';
import type { Head, HeadStore } from '../journal-store.js';

/** Where the head of a ledger of files is kept. */
export interface FileHeadOptions {
  /** The ledger of one workspace. */
  readonly folder: string;
  /** The folder of dexsync's data, which notes that this machine has a head: a fresh one has none, and misses none. */
  readonly data: string;
  /** What clones of a project on this machine have in common. */
  readonly state: () => Promise<string>;
  readonly warn: (message: string) => void;
}

const HEADS = 'heads';

/** A file for each folder of a ledger: clones of a project have ledgers of their own. */
export function fileHead({ folder, data, state, warn }: FileHeadOptions): HeadStore {
  const name = canonicalPath(folder).then((path) => hash('sha256', path).slice(0, 32));
  const path = async (): Promise<string> => join(await state(), HEADS, `${await name}.json`);
  const note = async (): Promise<string> => join(data, HEADS, await name);
  const readKept = async (): Promise<Head | undefined> =>
    parseHead(await readFile(await path(), 'utf8').catch(() => ''));
  let isMissed = false;
  return {
    async read() {
      const head = await readKept();
      if (head === undefined && !isMissed && (await readFile(await note(), 'utf8').catch(() => '')) === hostname()) {
        isMissed = true;
        warn(
          `${await path()} is gone or cannot be read: there this machine noted where the ledger in ${folder} ends. Whether the ledger is complete is unknown; it is noted again from now on.`,
        );
      }
      return head;
    },
    async write(head) {
      try {
        const before = await readKept();
        if (before !== undefined && (before.journal > head.journal || isSame(before, head))) return;
        await putFile(await path(), `${JSON.stringify({ folder, ...head })}\n`);
        if (before === undefined) await putFile(await note(), hostname());
      } catch (error) {
        warn(
          `Where the ledger in ${folder} ends cannot be noted in the state folder (${reasonOf(error)}): journals that get lost will not be missed.`,
        );
      }
    },
    async forget() {
      for (const file of [await path(), await note()]) await rm(file, { force: true });
    },
  };
}

const isSame = (one: Head, other: Head): boolean => one.journal === other.journal && one.chain === other.chain;

/** Seen as it was or whole. It need not be durable: an older one misses less, and one that is torn is none. */
async function putFile(path: string, text: string): Promise<void> {
  const made = `${path}.${randomUUID()}.part`;
  await makeFolder(dirname(path), 0o700);
  await writeFile(made, text, { mode: 0o600 });
  await rename(made, path);
}

function parseHead(text: string): Head | undefined {
  const value = jsonIn(text);
  if (!isObject(value)) return undefined;
  const { workspace, applies, journal, chain } = value;
  if (typeof workspace !== 'string' || typeof journal !== 'string' || typeof chain !== 'string') return undefined;
  return { workspace, applies: Number(applies), journal, chain };
}

/** The same before and after the folder is made or lost. */
async function canonicalPath(path: string): Promise<string> {
  const parent = dirname(path);
  return realpath(path).catch(async () => (parent === path ? path : join(await canonicalPath(parent), basename(path))));
}
