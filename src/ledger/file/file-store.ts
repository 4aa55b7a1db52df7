import { appendFileSync } from 'node:fs';
import { chmod, type FileHandle, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { throwAsDisk } from '#base/files/disk-error.js';
import { isThere } from '#base/files/is-there.js';
import { makeFolder } from '#base/files/make-folder.js';
import { replaceFile, temporaryBeside } from '#base/files/replace-file.js';
import { syncFolder } from '#base/files/sync-folder.js';
import { workspaceFolder } from '../journal-name.js';
import type { Head, HeadStore, JournalStore, JournalWriter } from '../journal-store.js';
import { journalWriter } from '../journal-writer.js';

const SNAPSHOT = 'snapshot.json';
/** Below the folder of the workspace: journals that a snapshot covers. */
const OLDER = 'older';

/** Which ledger, and what stands around it. */
export interface FileStoreOptions {
  /** The folder of the ledgers. */
  readonly root: string;
  readonly identity: string;
  readonly mayWrite: () => Promise<void>;
  /** The folder of dexsync's data, which is for its owner alone. */
  readonly data: string;
  /** Where the end of the ledger in a folder is kept a second time. */
  readonly headOf?: (folder: string) => HeadStore;
}

/** Journals as files: a folder per workspace, in it one file of JSON lines per apply. */
export function fileStore({ root, identity, mayWrite, data, headOf }: FileStoreOptions): JournalStore {
  const folder = join(root, workspaceFolder(identity));
  const head = headOf?.(folder);
  const older = new Set<string>();
  const place = (name: string): string => (older.has(name) ? join(folder, OLDER, name) : join(folder, name));
  const recent = (): Promise<string[]> => journalNames(folder);
  const begin = async (name: string, pieces: Iterable<string>): Promise<FileHandle> => {
    await mayWrite();
    // Folders of older versions can be read by everybody.
    await chmod(data, 0o700).catch(() => undefined);
    return openFirst(folder, place(name), pieces).catch((error: unknown) =>
      throwAsDisk(error, `The ledger in ${folder}`),
    );
  };
  return {
    workspace: identity,
    ...(head === undefined ? {} : { head: { ...head, write: async (end) => head.write(await synced(end, place)) } }),
    place,
    recent,
    async names() {
      // Those that are put aside meanwhile are listed before or after, never in neither place.
      const [first, aside] = [await recent(), await journalNames(join(folder, OLDER))];
      for (const name of aside) older.add(name);
      return [...new Set([...aside, ...first])].sort();
    },
    async putAside(names) {
      await mayWrite();
      await makeFolder(join(folder, OLDER), 0o700);
      for (const name of names) await rename(join(folder, name), join(folder, OLDER, name));
    },
    async read(name) {
      const text = await readFile(place(name), 'utf8').catch(unlessMoved);
      if (text !== undefined) return text;
      older.add(name);
      return readFile(place(name), 'utf8').catch((error: unknown) => throwAsDisk(error, `The journal ${place(name)}`));
    },
    create: async (name, pieces) => openWriter(await begin(name, pieces), place(name), mayWrite),
    async putWhole(journals) {
      for (const { name, text } of journals) {
        const before = await readFile(place(name), 'utf8').catch(() => undefined);
        if (before === undefined) await (await begin(name, [text])).close();
        else if (before !== text) throw new DexsyncError('LEDGER_DAMAGED', `${place(name)} is there already.`);
      }
    },
    snapshot: () => readFile(place(SNAPSHOT), 'utf8').catch(() => undefined),
    async saveSnapshot(parts) {
      await replaceFile(place(SNAPSHOT), parts, { newMode: 0o600, mayReplace: mayWrite });
    },
  };
}

/** What the head names must outlast it: the lines may come from a process that was killed before they were on the disk. */
async function synced(head: Head, place: (name: string) => string): Promise<Head> {
  const file = await open(place(head.journal), 'r+').catch(() => undefined);
  await file?.datasync().catch(() => undefined);
  await file?.close();
  return head;
}

const journalNames = async (folder: string): Promise<string[]> =>
  (await fileNames(folder)).filter((name) => name.endsWith('.jsonl')).sort();

/** A journal may be put aside between its listing and its reading. */
function unlessMoved(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function fileNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    return throwAsDisk(error, `The ledger in ${folder}`);
  }
}

async function openFirst(folder: string, path: string, pieces: Iterable<string>): Promise<FileHandle> {
  await makeFolder(folder, 0o700);
  const made = await temporaryBeside(path);
  const file = await open(made, 'ax', 0o600);
  try {
    for (const piece of pieces) await file.appendFile(piece);
    await file.sync();
    // A rename would take the place of one that is there; names hold a nonce, so none is made meanwhile.
    if (await isThere(path)) throw Object.assign(new Error('it is there already'), { code: 'EEXIST' });
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
        // Into the memory of the system, which is quicker than another thread is asked; that it is on the disk is waited for.
        appendFileSync(file.fd, lines);
        await file.datasync();
      } catch (error) {
        throwAsDisk(error, `The journal ${path}`);
      }
    },
    close: () => file.close(),
  });
