import type { ImportSource } from '#core/jobs/source.js';
import type { CellRange } from './cell-range.js';
import { openTable } from './open-table.js';
import type { RawTable } from './raw-table.js';
import { readCsv } from './read-csv.js';
import { readOds } from './read-ods.js';
import { readXls } from './read-xls.js';
import { readXlsx } from './read-xlsx.js';
import { sniff } from './sniff.js';
import type { SourceTable } from './source-table.js';
import { steadyFile } from './steady-file.js';

/**
 * Opens the table that `source` describes, in the file at `path`. The content decides how it is read, not the name.
 * The header row is the first row that is not blank from `headerRow` on.
 */
export async function openSource(path: string, source: ImportSource): Promise<SourceTable> {
  const raw = await openRawTable(path, source);
  const steady = await steadyFile(path, source.file);
  const isAsked = source.fillDown === 'merged' || (typeof source.header === 'object' && source.header.rows > 1);
  const merged = isAsked ? await mergedRanges(path, source) : [];
  return openTable({ raw, source, merged, steady });
}

/** Opens all rows of a file, of which a source may want only some. */
export async function openRawTable(path: string, source: ImportSource): Promise<RawTable> {
  const found = await sniff(path, source.file);
  switch (found.form) {
    case 'xlsx':
      return readXlsx(path, source);
    case 'ods':
      return readOds(path, source);
    case 'xls':
      return readXls(path, source, found.size);
    default:
      return readCsv(path, source, found);
  }
}

/** Reads all rows once more, since the merged ranges come after them. */
async function mergedRanges(path: string, source: ImportSource): Promise<readonly CellRange[]> {
  const raw = await openRawTable(path, source);
  for await (const _ of raw.batches);
  return raw.merged();
}
