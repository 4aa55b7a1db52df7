import { statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { diskError } from '#base/files/disk-error.js';
import { refuseEntryName, type TakenNames } from '#base/files/entry-name.js';
import { makeFolder } from '#base/files/make-folder.js';
import { passStream, syncFile } from '#base/files/write-stream.js';
import type { UnpackedFile } from '#core/stream/transfer-event.js';
import { MeasuringStream } from './measure-stream.js';

/** An archive on disk. */
export interface DownloadedArchive {
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
}

interface Member {
  readonly entry: Entry;
  readonly name: string;
}

/**
 * Unpacks an archive into a folder that nobody else writes to. Checks all names before a byte is written, and sizes and
 * checksums during writing: no path leaves the folder, links and encrypted entries are refused, and a broken entry is
 * refused by name. Every file is on disk when this returns. Throws ANSWER_UNEXPECTED, DISK and INTERRUPTED.
 */
export async function unpack(
  archive: DownloadedArchive,
  folder: string,
  taken: TakenNames,
  signal: AbortSignal,
): Promise<UnpackedFile[]> {
  return withArchive(archive, async (zip) => {
    const members = await membersOf(zip, archive, signal);
    for (const { name } of members) {
      const refusal = taken.take(name);
      if (refusal !== undefined) throw refusedEntry(archive, name, refusal);
    }
    await checkSpace(archive, members, folder);
    return extractAll(zip, members, { archive, folder, signal });
  });
}

/**
 * Checks that an archive that is not unpacked can be read, regardless of the names in it. Returns the number of
 * entries; throws ANSWER_UNEXPECTED.
 */
export const checkArchive = (archive: DownloadedArchive, signal: AbortSignal): Promise<number> =>
  withArchive(archive, async (zip) => (await entriesOf(zip, archive, signal)).length);

async function withArchive<T>(archive: DownloadedArchive, use: (zip: ZipFile) => Promise<T>): Promise<T> {
  const options = { autoClose: false, lazyEntries: true, decodeStrings: false, validateEntrySizes: true };
  const zip = await openPromise(archive.path, options).catch((error: unknown) => throwAsBroken(error, archive));
  try {
    return await use(zip);
  } finally {
    zip.close();
  }
}

async function entriesOf(zip: ZipFile, archive: DownloadedArchive, signal: AbortSignal): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      if (signal.aborted) throw interrupted(archive);
      entries.push(entry);
    }
  } catch (error) {
    throwAsBroken(error, archive);
  }
  const packed = entries.reduce((sum, { compressedSize }) => sum + compressedSize, 0);
  if (packed > zip.fileSize) throw brokenArchive(archive, 'its entries overlap');
  checkMeasures(entries, archive);
  return entries;
}

/** Far beyond any export; more would only fill the disk with names. */
const MOST_ENTRIES = 200_000;
/** Real content never shrinks like this; smaller totals are not checked. */
const MOST_RATIO = 500;
const SMALL = 256 * 1024 * 1024;

function checkMeasures(entries: readonly Entry[], archive: DownloadedArchive): void {
  const sum = (size: (entry: Entry) => number): number => entries.reduce((total, entry) => total + size(entry), 0);
  const [packed, whole] = [
    sum(({ compressedSize }) => compressedSize),
    sum(({ uncompressedSize }) => uncompressedSize),
  ];
  if (entries.length > MOST_ENTRIES)
    throw brokenArchive(archive, `it has ${entries.length} entries, more than ${MOST_ENTRIES}`);
  if (whole > SMALL && whole > packed * MOST_RATIO)
    throw brokenArchive(archive, `its ${packed} bytes unpack to ${whole}, more than ${MOST_RATIO} times as many`);
}

async function membersOf(zip: ZipFile, archive: DownloadedArchive, signal: AbortSignal): Promise<Member[]> {
  const entries = await entriesOf(zip, archive, signal);
  const members = entries.map((entry) => {
    const { generalPurposeBitFlag: flags, fileNameRaw, extraFields } = entry;
    const name = getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
    // Entries of folders are skipped; folders are created with the files in them.
    const refusal = refuseEntryName(name.replace(/\/$/, '')) ?? reasonAgainst(entry);
    if (refusal !== undefined) throw refusedEntry(archive, name, refusal);
    return { entry, name };
  });
  return members.filter(({ name }) => !name.endsWith('/'));
}

const FILE_TYPE = 0o170000;
const PLAIN = [0, 0o100000, 0o040000];

/** Recognises links and devices by the upper half of the external attributes, as Unix writes them. */
function reasonAgainst(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return 'it is encrypted';
  if (!PLAIN.includes((entry.externalFileAttributes >>> 16) & FILE_TYPE)) return 'it is a link or a device';
  return undefined;
}

async function checkSpace({ name }: DownloadedArchive, members: readonly Member[], folder: string): Promise<void> {
  const needed = members.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  const { bavail, bsize } = await statfs(folder);
  if (needed <= bavail * bsize) return;
  throw new DexsyncError(
    'DISK',
    `${name} unpacks to ${needed} bytes, but only ${bavail * bsize} are free on the disk.`,
    {
      hint: 'Free some space, then repeat the command: the run is not started again.',
    },
  );
}

interface ExtractTarget {
  readonly archive: DownloadedArchive;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** How many files are flushed to disk at once, so that many small ones share their waits. */
const AT_ONCE = 16;

/** Extracts files one after another, and flushes many at once to disk. */
async function extractAll(zip: ZipFile, members: readonly Member[], target: ExtractTarget): Promise<UnpackedFile[]> {
  const limit = pLimit({ concurrency: AT_ONCE, rejectOnClear: true });
  const files: UnpackedFile[] = [];
  const syncs: Promise<void>[] = [];
  try {
    for (const member of members) {
      const file = await extract(zip, member, target);
      files.push(file);
      if (file.size === 0) continue;
      const sync = limit(syncExtracted, file, target);
      sync.catch(() => undefined);
      syncs.push(sync);
    }
    await Promise.all(syncs);
    return files;
  } finally {
    limit.clearQueue();
    await Promise.allSettled(syncs);
  }
}

async function syncExtracted({ path }: UnpackedFile, { archive, folder, signal }: ExtractTarget): Promise<void> {
  if (signal.aborted) throw interrupted(archive);
  await syncFile(pathIn(folder, path)).catch((error: unknown) => throwAsBroken(error, archive, path));
}

const pathIn = (folder: string, name: string): string => join(folder, ...name.split('/'));

const interrupted = ({ name }: DownloadedArchive): DexsyncError =>
  new DexsyncError('INTERRUPTED', `Interrupted while unpacking ${name}.`);

/** Whether an entry is empty: writing it takes a tenth of the time of reading it as a stream. */
const isEmpty = ({ compressedSize, uncompressedSize, crc32 }: Entry): boolean =>
  compressedSize === 0 && uncompressedSize === 0 && crc32 === 0;

async function extract(
  zip: ZipFile,
  { entry, name }: Member,
  { archive, folder, signal }: ExtractTarget,
): Promise<UnpackedFile> {
  const path = pathIn(folder, name);
  const isCsv = /\.csv$/i.test(name);
  const measure = new MeasuringStream(isCsv ? 'records' : 'bytes');
  try {
    await makeFolder(dirname(path));
    if (isEmpty(entry)) {
      await writeFile(path, '', { flag: 'wx', signal });
      return { path: name, size: 0, ...(isCsv ? { rows: 0 } : {}) };
    }
    await passStream(await zip.openReadStreamPromise(entry), measure, path, signal);
  } catch (error) {
    if (signal.aborted) throw interrupted(archive);
    throwAsBroken(error, archive, name);
  }
  const { size, crc, records } = measure.measurement;
  if (size !== entry.uncompressedSize) {
    throw brokenArchive(archive, `"${name}" has ${size} bytes, not ${entry.uncompressedSize}`);
  }
  if (crc !== entry.crc32) throw brokenArchive(archive, `the checksum of "${name}" is wrong`);
  return { path: name, size, ...(isCsv ? { rows: Math.max(0, records - 1) } : {}) };
}

/** Throws failures of the disk as such, and all others as failures of the archive. */
function throwAsBroken(error: unknown, archive: DownloadedArchive, entry?: string): never {
  if (error instanceof DexsyncError) throw error;
  const why = reasonOf(error).replace(/\.$/, '');
  const reason = entry === undefined ? why : `"${entry}": ${why}`;
  throw diskError(error, entry ?? archive.name) ?? brokenArchive(archive, reason);
}

const brokenArchive = ({ name }: DownloadedArchive, reason: string): DexsyncError =>
  new DexsyncError('ANSWER_UNEXPECTED', `The archive ${name} is broken: ${reason}. Nothing was kept.`, {
    hint: 'Repeat the command to download the archive again. If it is broken again, start a new run.',
  });

const refusedEntry = ({ name }: DownloadedArchive, entry: string, why: string): DexsyncError =>
  new DexsyncError(
    'ANSWER_UNEXPECTED',
    `The archive ${name} contains "${withoutControls(entry)}", which must not be written as a file: ${why}. Nothing was kept.`,
    { hint: 'A service should not send such an archive; look at it with `--no-unpack`.' },
  );

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal must not obey the name of a file.
const withoutControls = (name: string): string => name.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?');
