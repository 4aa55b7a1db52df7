import { openPromise } from 'yauzl';
import { unreadable } from './sniff.js';

/** Shared strings are held in memory; a million different part numbers take a tenth of this. */
const MOST_SHARED_BYTES = 256 * 1024 * 1024;
/** Spreadsheet programs take 32,767 characters. */
const MOST_CELL_CHARACTERS = 1_000_000;

/** Refuses a workbook whose shared strings would fill the memory, by its own list of contents: before one is unpacked. */
export async function refuseHuge(path: string, file: string): Promise<void> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  try {
    for await (const { fileName, uncompressedSize } of zip.eachEntry()) {
      if (!/(^|\/)sharedStrings\.xml$/i.test(fileName) || uncompressedSize <= MOST_SHARED_BYTES) continue;
      const [size, most] = [uncompressedSize, MOST_SHARED_BYTES].map(
        (bytes) => `${Math.round(bytes / 1024 / 1024)} MB`,
      );
      throw unreadable(`${file} unpacks to ${size} of shared texts, and at most ${most} are read.`, 'Save it as .csv.');
    }
  } finally {
    zip.close();
  }
}

export function refuseHugeCell(length: number, row: number): void {
  if (length > MOST_CELL_CHARACTERS) {
    throw new Error(`row ${row} has a cell of more than ${MOST_CELL_CHARACTERS} characters`);
  }
}
