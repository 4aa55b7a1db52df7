import { createWriteStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { type Table, type TableFormat, tableText } from './table.js';

/** Writes tables into a ZIP archive, one file each, reading them as they are written; returns its size in bytes. */
export async function writeArchive(
  path: string,
  tables: readonly Table[],
  format: TableFormat,
  mtime: Date,
): Promise<number> {
  const zip = new ZipFile();
  const failed = new Promise<never>((_, reject) => {
    zip.on('error', reject);
    for (const table of tables) {
      zip.addReadStreamLazy(`${table.name}.${format.format}`, { mtime }, (give) => {
        give(null, Readable.from(tableText(table, format)).on('error', reject));
      });
    }
  });
  zip.end();
  await Promise.race([pipeline(zip.outputStream, createWriteStream(path)), failed]);
  return statSync(path).size;
}
