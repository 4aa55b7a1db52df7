import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { throwAsDisk } from '#base/files/disk-error.js';
import { makeFolder } from '#base/files/make-folder.js';
import { syncFolder } from '#base/files/sync-folder.js';
import { naturalOrder } from '#base/natural-order.js';
import type { DocumentStore, KeptDocument, Shelf } from '../document-store.js';
import { isInTheWay, isMissingFile, undefinedIfMissing } from './lease-on-disk.js';

const NOTE = 'review-';
/** Prefix of entries that are being added or removed; no document has such a name. */
const HIDDEN = '.';

/** Keeps documents as folders, which a rename adds and removes atomically. */
export function fileDocuments(folder: string, shelf: Shelf): DocumentStore {
  const root = join(folder, shelf.folder);
  const placeOf = (name: string): string => join(root, name);
  const known: KnownNotes = new Map();
  const onDisk = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => throwAsDisk(error, `The saved ${shelf.what}s in ${root}`));
  return {
    names: async () => (await onDisk(namesIn(root))).filter((name) => !name.startsWith(HIDDEN)),
    read: (name) => onDisk(readIn(placeOf(name), shelf, known)),
    add: (name, text) => onDisk(addTo(root, name, text, shelf)),
    addNote: (name, note) => onDisk(addNoteTo(root, name, note, shelf)),
    remove: (name) => onDisk(removeFrom(root, name)),
  };
}

/** The texts of notes that a process has read, by their paths: notes never change. */
type KnownNotes = Map<string, string>;

/** How many notes are read at once. */
const AT_ONCE = 16;

const listed = async (folder: string): Promise<string[]> => (await readdir(folder).catch(undefinedIfMissing)) ?? [];

const namesIn = async (folder: string): Promise<string[]> => (await listed(folder)).sort(naturalOrder);

async function readIn(folder: string, { file }: Shelf, known: KnownNotes): Promise<KeptDocument | undefined> {
  const limit = pLimit(AT_ONCE);
  try {
    const text = await readFile(join(folder, file), 'utf8');
    const names = (await namesIn(folder)).filter((name) => name.startsWith(NOTE));
    const reads = names.map(
      (name) => known.get(join(folder, name)) ?? limit(() => readNote(join(folder, name), known)),
    );
    return { text, notes: await Promise.all(reads) };
  } catch (error) {
    // It may be removed between two reads.
    return undefinedIfMissing(error);
  }
}

async function readNote(path: string, known: KnownNotes): Promise<string> {
  const text = await readFile(path, 'utf8');
  known.set(path, text);
  return text;
}

async function addTo(root: string, name: string, text: string, { taken, file }: Shelf): Promise<void> {
  const made = join(root, `${HIDDEN}new-${randomUUID()}`);
  await makeFolder(root, 0o700);
  await mkdir(made, { mode: 0o700 });
  try {
    await writeFile(join(made, file), text, { flag: 'wx', flush: true, mode: 0o600 });
    await syncFolder(made);
    await rename(made, join(root, name));
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    throw isInTheWay(error) ? taken(name) : error;
  }
  await syncFolder(root);
}

/** Two notes that are added at once get the same number and different names, so both are kept. */
async function addNoteTo(root: string, name: string, note: string, shelf: Shelf): Promise<void> {
  const folder = join(root, name);
  const there = await listed(folder);
  if (!there.includes(shelf.file)) throw shelf.missing(name);
  const count = there.filter((one) => one.startsWith(NOTE)).length;
  const made = join(root, `${HIDDEN}note-${randomUUID()}`);
  const own = `${NOTE}${String(count + 1).padStart(6, '0')}-${randomUUID()}.json`;
  try {
    await writeFile(made, note, { flag: 'wx', flush: true, mode: 0o600 });
    await rename(made, join(folder, own));
  } catch (error) {
    await rm(made, { force: true });
    throw isMissingFile(error) ? shelf.missing(name) : error;
  }
  await syncFolder(folder);
}

async function removeFrom(root: string, name: string): Promise<void> {
  const gone = join(root, `${HIDDEN}gone-${randomUUID()}`);
  await rename(join(root, name), gone).catch(undefinedIfMissing);
  await syncFolder(root);
  await rm(gone, { recursive: true, force: true });
}
