import { crc32 } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';
import { unreadableFile } from './unreadable-file.js';

/** Locations of the parts of a workbook in its ZIP archive. */
export interface WorkbookParts {
  readonly path: string;
  /** Name of the workbook in messages. */
  readonly file: string;
  /** By name in lower case, as names of parts are compared (ECMA-376 part 2, 6.2.2.3). */
  readonly entries: ReadonlyMap<string, readonly Entry[]>;
}

/** Shared strings are held in memory; a million different part numbers take a tenth of this. */
const MOST_HELD_BYTES = 256 * 1024 * 1024;
/** Far beyond any workbook; more would only fill the memory with names. */
const MOST_PARTS = 100_000;

/** Reads the directory of the archive without unpacking anything. */
export async function findParts(path: string, file: string): Promise<WorkbookParts> {
  const entries = new Map<string, readonly Entry[]>();
  const zip = await openZip(path);
  try {
    if (zip.entryCount > MOST_PARTS) throw new Error(`it has more than ${MOST_PARTS} parts`);
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.toLowerCase();
      entries.set(name, [entry, ...(entries.get(name) ?? [])].slice(0, 2));
    }
  } finally {
    zip.close();
  }
  return { path, file, entries };
}

/** Unpacks the bytes of a part; their count and checksum are checked at the end. */
export async function* partBytes(parts: WorkbookParts, name: string): AsyncGenerator<Buffer> {
  const entry = entryOf(parts, name);
  if (entry === undefined) throw new Error(`its part "${name}" is missing`);
  const zip = await openZip(parts.path);
  try {
    let crc = 0;
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      crc = crc32(chunk, crc);
      yield chunk;
    }
    if (crc !== entry.crc32) throw new Error(`the checksum of "${name}" is wrong`);
  } finally {
    zip.close();
  }
}

/** Unpacks a part that becomes an object in memory; nothing if it is absent. Refuses one that would fill the memory. */
export async function* boundedPartBytes(
  parts: WorkbookParts,
  name: string,
  holds: string,
  most = MOST_HELD_BYTES,
): AsyncGenerator<Buffer> {
  const size = entryOf(parts, name)?.uncompressedSize;
  if (size === undefined) return;
  if (size > most) {
    throw unreadableFile(
      `${parts.file} unpacks to ${megabytes(size)} of ${holds}, but at most ${megabytes(most)} are read.`,
      'Save it as .csv.',
    );
  }
  yield* partBytes(parts, name);
}

const openZip = (path: string) => openPromise(path, { lazyEntries: true, autoClose: false });

/** Refuses two parts with one name, since programs differ in which one they read. */
function entryOf({ entries }: WorkbookParts, name: string): Entry | undefined {
  const [entry, other] = entries.get(name.toLowerCase()) ?? [];
  if (other !== undefined) throw new Error(`it has "${name}" twice`);
  return entry;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
