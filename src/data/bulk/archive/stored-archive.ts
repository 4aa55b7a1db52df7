import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { DexsyncError } from '#base/errors.js';
import type { ArchiveEntry } from './row-files.js';

/** A ZIP archive that is written while it is read. Each `open` gives the same bytes. */
export interface StoredArchive {
  readonly size: number;
  open(): Readable;
}

/** A fixed time keeps entries identical in every upload, and hides our times from the service. */
const MTIME = new Date(Date.UTC(1980, 0, 2));
const CHUNK = 256 * 1024;
const STORED = { compress: false, mtime: MTIME, mode: 0o100644 } as const;

/** Packs the files without compression, so that the size is known before any of them is read. */
export async function packArchive(entries: readonly ArchiveEntry[]): Promise<StoredArchive> {
  return { size: await sizeOf(entries), open: () => streamOf(entries) };
}

function sizeOf(entries: readonly ArchiveEntry[]): Promise<number> {
  const zip = new ZipFile();
  for (const { name, size } of entries) zip.addReadStreamLazy(name, { ...STORED, size }, () => undefined);
  return new Promise((known) => zip.end(undefined, known as () => void));
}

/** Files are opened one after another, when their turn comes. */
function streamOf(entries: readonly ArchiveEntry[]): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let current = '';
  const fail = (error: Error): void => void output.destroy(changedFile(current, error));
  zip.on('error', fail);
  for (const { name, path, size } of entries) {
    zip.addReadStreamLazy(name, { ...STORED, size }, (give) => {
      current = name;
      give(null, createReadStream(path, { highWaterMark: CHUNK }).on('error', fail));
    });
  }
  zip.end();
  return output;
}

const changedFile = (name: string, cause: Error): DexsyncError =>
  new DexsyncError('FILE_CHANGED', `The file "${name}" changed during the upload or cannot be read: ${cause.message}`, {
    hint: 'Repeat the import when no program is writing to the files.',
    cause,
  });

/**
 * sha-256, hexadecimal, of names and contents. Together with the rows it decides whether two imports are the same work.
 * Reads every file once.
 */
export async function archiveDigest(entries: readonly ArchiveEntry[]): Promise<string> {
  const digest = createHash('sha256');
  for (const { name, path, size } of entries) {
    digest.update(`${JSON.stringify([name, size])}\n`);
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) digest.update(chunk as Buffer);
  }
  return digest.digest('hex');
}
