import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { SourceError, UNREADABLE } from './source.js';

/** A file in an archive, before it is unpacked: its uncompressed size in bytes. */
export interface ArchiveEntry {
  readonly size: number;
}

/** Lists the files of a ZIP archive by name, without folders. Throws `SourceError` if it cannot be read. */
export async function listEntries(path: string): Promise<Map<string, ArchiveEntry>> {
  const entries = new Map<string, ArchiveEntry>();
  await eachFile(path, async (entry) => {
    if (entries.has(entry.fileName)) throw new Error(`it has two entries "${entry.fileName}"`);
    entries.set(entry.fileName, { size: entry.uncompressedSize });
  });
  return entries;
}

/** Extracts the entries for which `placeOf` returns a path. */
export async function extractEntries(path: string, placeOf: (name: string) => string | undefined): Promise<void> {
  await eachFile(path, async (entry, zip) => {
    const place = placeOf(entry.fileName);
    if (place !== undefined) await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(place));
  });
}

async function eachFile(path: string, take: (entry: Entry, zip: ZipFile) => Promise<void>): Promise<void> {
  try {
    const zip = await openPromise(path, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith('/')) await take(entry, zip);
    }
  } catch (error) {
    throw new SourceError(UNREADABLE, `The archive of files cannot be read: ${(error as Error).message}`);
  }
}
