import type { ImportSource } from '#core/jobs/source.js';
import { findColumn } from '../source/headers.js';
import { openSource } from '../source/open-source.js';

/** Of longer lists nobody reads which rows are alike. */
export const MOST_ALIKE = 20_000;

/** Reads the cells of these columns row by row, without outer white space; those of a missing column are empty. */
export async function eachRowCells(
  path: string,
  source: ImportSource,
  columns: readonly string[],
  onRow: (cells: readonly string[], row: number) => void,
): Promise<void> {
  const { headers, rows } = await openSource(path, source);
  const places = columns.map((name) => {
    const place = findColumn(headers, name);
    return place?.is === 'at' ? place.index : -1;
  });
  for await (const { row, cells } of rows)
    onRow(
      places.map((index) => (cells[index] ?? '').trim()),
      row,
    );
}
