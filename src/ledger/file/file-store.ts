import { appendFileSync } from 'node:fs';
import { chmod, type FileHandle, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { throwAsDisk } from '#base/files/disk-error.js';
import { makeFolder } from '#base/files/make-folder.js';
import { pathExists } from '#base/files/path-exists.js';
import { replaceFile, temporaryBeside } from '#base/files/replace-file.js';
import { syncFolder } from '#base/files/sync-folder.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { workspaceFolder } from '../journal-name.js';
import type { HeadStore, JournalStore, JournalWriter } from '../journal-store.js';
import { journalWriter } from '../journal-writer.js';
import { undefinedIfMissing } from './lease-on-disk.js';

const SNAPSHOT = 'snapshot.json';
/** The folder, below that of the workspace, of journals that a snapshot covers. */
const OLDER = 'older';

/** The ledger, and the folders around it. */
export interface FileStoreOptions {
  /** The folder of the ledgers. */
  readonly root: string;
  readonly identity: string;
  readonly mayWrite: () => Promise<void>;
  /** The folder of dexsync's data, which is for its owner alone. */
  readonly data: string;
  /** The second record of the end of the ledger in a folder. */
  readonly headOf?: (folder: string) => HeadStore;
}

/** Keeps journals as files: a folder per workspace, with one file of JSON lines per apply. */
export function fileStore({ root, identity, mayWrite, data, headOf }: FileStoreOptions): JournalStore {
  const folder = join(root, workspaceFolder(identity));
  const head = headOf?.(folder);
  const older = new Set<string>();
  const place = (name: string): string => (older.has(name) ? join(folder, OLDER, name) : join(folder, name));
  const begin = async (name: string, pieces: Iterable<string>): Promise<FileHandle> => {
    await mayWrite();
    // Older versions created folders that everybody can read.
    await chmod(data, 0o700).catch(() => undefined);
    return openFirst(folder, place(name), pieces).catch(asDisk(folder));
  };
  return {
    workspace: identity,
    ...omitUndefined({ head }),
    place,
    flush: (name) => flush(place(name)),
    ...reading(folder, older, place),
    async putAside(names) {
      await mayWrite();
      await makeFolder(join(folder, OLDER), 0o700);
      for (const name of names) await rename(join(folder, name), join(folder, OLDER, name));
    },
    create: async (name, pieces) => openWriter(await begin(name, pieces), place(name), mayWrite),
    async putWhole(journals) {
      for (const { name, text } of journals) {
        const before = await readFile(place(name), 'utf8').catch(() => undefined);
        if (before === undefined) await (await begin(name, [text])).close();
        else if (before !== text) throw new DexsyncError('LEDGER_DAMAGED', `${place(name)} is there already.`);
      }
    },
    async saveSnapshot(parts) {
      await replaceFile(place(SNAPSHOT), parts, { newMode: 0o600, mayReplace: mayWrite });
    },
  };
}

type Reading = Pick<JournalStore, 'recent' | 'names' | 'read' | 'snapshot'>;

/** Reads the journals of a folder, and notes in `older` those that turn out to be put aside. */
function reading(folder: string, older: Set<string>, place: JournalStore['place']): Reading {
  const recent = (): Promise<string[]> => journalNames(folder);
  return {
    recent,
    async names() {
      // Journals that are put aside meanwhile are listed in one of the two places, or in both.
      const [first, aside] = [await recent(), await journalNames(join(folder, OLDER))];
      for (const name of aside) older.add(name);
      return [...new Set([...aside, ...first])].sort();
    },
    async read(name) {
      // It may be put aside between its listing and its reading.
      const text = await readFile(place(name), 'utf8').catch(undefinedIfMissing);
      if (text !== undefined) return text;
      older.add(name);
      return readFile(place(name), 'utf8').catch((error: unknown) => throwAsDisk(error, `The journal ${place(name)}`));
    },
    snapshot: () => readFile(place(SNAPSHOT), 'utf8').catch(() => undefined),
  };
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+').catch(() => undefined);
  await file?.datasync().catch(() => undefined);
  await file?.close();
}

const journalNames = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch(undefinedIfMissing).catch(asDisk(folder));
  return (names ?? []).filter((name) => name.endsWith('.jsonl')).sort();
};

const asDisk =
  (folder: string) =>
  (error: unknown): never =>
    throwAsDisk(error, `The ledger in ${folder}`);

async function openFirst(folder: string, path: string, pieces: Iterable<string>): Promise<FileHandle> {
  await makeFolder(folder, 0o700);
  const made = await temporaryBeside(path);
  const file = await open(made, 'ax', 0o600);
  try {
    for (const piece of pieces) await file.appendFile(piece);
    await file.sync();
    // A rename would replace an existing journal; names contain a nonce, so none appears meanwhile.
    if (await pathExists(path)) throw Object.assign(new Error('it is there already'), { code: 'EEXIST' });
    await rename(made, path);
  } catch (error) {
    await file.close();
    await rm(made, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
  return file;
}

const openWriter = (file: FileHandle, path: string, mayWrite: () => Promise<void>): JournalWriter =>
  journalWriter({
    async write(lines) {
      try {
        await mayWrite();
        // Synchronous: the system's memory is faster than asking another thread. Only the flush to disk is awaited.
        appendFileSync(file.fd, lines);
        await file.datasync();
      } catch (error) {
        throwAsDisk(error, `The journal ${path}`);
      }
    },
    close: () => file.close(),
  });
