import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import type { ExportedView } from '#service/item-exports.js';
import { csvRecords } from '../../../bulk/source/csv-records.js';

/** A row of an exported table: the cell of a column, named in lower case; undefined if there is no such column. */
export type ReadCell = (column: string) => string | undefined;

/**
 * Passes the rows of a view's table, found by its file name (wire-facts 5.1), to `take`, and returns their number.
 * Throws ANSWER_UNEXPECTED if the table, a needed column or part of a row is missing, and FILE_UNREADABLE if not CSV.
 */
export async function readExportTable(
  paths: readonly string[],
  view: ExportedView,
  needed: readonly string[],
  take: (cell: ReadCell) => void,
): Promise<number> {
  const path = tableOf(paths, view);
  if (path === undefined) throw brokenTable(`the export contains no table ${view}`);
  const name = basename(path);
  let columns: ReadonlyMap<string, number> | undefined;
  let count = 0;
  for await (const rows of csvRecords(createReadStream(path), { delimiter: ',', quotes: 'strict' }, name)) {
    for (const { row, cells } of rows) {
      if (columns === undefined) {
        columns = columnsOf(cells, needed, name);
        continue;
      }
      if (cells.length !== columns.size)
        throw brokenTable(`line ${row} of ${name} has ${cells.length} cells, but the header has ${columns.size}`);
      const header = columns;
      take((column) => cells[header.get(column) ?? -1]);
      count += 1;
    }
  }
  if (columns === undefined) throw brokenTable(`${name} is empty`);
  return count;
}

/** The table that is named for the view, or else the only table. */
function tableOf(paths: readonly string[], view: ExportedView): string | undefined {
  const tables = paths.filter((path) => /\.csv$/i.test(path));
  const isNamed = (path: string): boolean => basename(path).slice(0, -'.csv'.length).toUpperCase() === view;
  return tables.find(isNamed) ?? (tables.length === 1 ? tables[0] : undefined);
}

function columnsOf(header: readonly string[], needed: readonly string[], name: string): ReadonlyMap<string, number> {
  const columns = new Map(header.map((column, index) => [column.trim().toLowerCase(), index]));
  const missing = needed.find((column) => !columns.has(column.toLowerCase()));
  if (missing !== undefined) throw brokenTable(`${name} has no column "${missing}"`);
  if (columns.size !== header.length) throw brokenTable(`two columns of ${name} have one name`);
  return columns;
}

const brokenTable = (why: string): DexsyncError => new DexsyncError('ANSWER_UNEXPECTED', `${why}.`);
