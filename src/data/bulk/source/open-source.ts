import type { ImportSource } from '#core/jobs/source.js';
import type { CellRange } from './cell-range.js';
import { type OpenedTable, openTable } from './open-table.js';
import { openWorksheets } from './open-worksheets.js';
import type { RawTable } from './raw-table.js';
import { readCsv } from './read-csv.js';
import { readOds } from './read-ods.js';
import { readXls } from './read-xls.js';
import { readXlsx } from './read-xlsx.js';
import { sniff } from './sniff.js';
import type { SourceTable } from './source-table.js';
import { steadyFile } from './steady-file.js';
import { areSeveral, worksheetsNamed } from './workbook.js';

/**
 * Opens the table that `source` describes, in the file at `path`. The content decides how it is read, not the name.
 * The header row is the first row that is not blank from `headerRow` on.
 */
export async function openSource(path: string, source: ImportSource): Promise<SourceTable> {
  const raw = await openRawTable(path, source);
  const steady = await steadyFile(path, source.file);
  const openFrom = async (from: RawTable, one: ImportSource, first?: OpenedTable) =>
    openTable({ raw: from, source: one, merged: await mergedRanges(path, one), steady, ...(first && { first }) });
  if (!areSeveral(source.worksheet) || raw.worksheets === undefined)
    return (await openFrom(raw, source)) as OpenedTable;
  await raw.batches.return(undefined);
  const names = worksheetsNamed(raw.worksheets, source.worksheet, source.file).map(({ name }) => name);
  return openWorksheets(names, async (worksheet, first) => {
    const one = { ...source, worksheet };
    return openFrom(await openRawTable(path, one), one, first);
  });
}

/** Opens all rows of a file, of which a source may want only some; of several worksheets, the first. */
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

/** Reads all rows once more if a source needs the merged ranges, since these come after the rows. */
async function mergedRanges(path: string, source: ImportSource): Promise<readonly CellRange[]> {
  const isAsked = source.fillDown === 'merged' || (typeof source.header === 'object' && source.header.rows > 1);
  if (!isAsked) return [];
  const raw = await openRawTable(path, source);
  for await (const _ of raw.batches);
  return raw.merged();
}
