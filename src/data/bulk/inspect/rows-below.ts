import { findColumn } from '../source/headers.js';
import { isBelow, type Place, placeReader } from '../source/levels.js';
import { openSource } from '../source/open-source.js';
import type { Draft } from './draft.js';

/** Cells of a column that mark rows. */
export interface MarkedCells {
  readonly column: string;
  readonly values: readonly string[];
}

/** Whether others are below a marked row in the tree of a BOM: without it they would belong to other rows. */
export async function haveRowsBelow(path: string, draft: Draft, marks: readonly MarkedCells[]): Promise<boolean> {
  const { hierarchy, ...source } = draft.source;
  if (hierarchy === undefined) return false;
  // The outline is a fact of rows, which are not known here.
  if (hierarchy.outline === true) return true;
  const table = await openSource(path, source);
  const placeOf = placeReader(table, hierarchy);
  const cellsOf = marks.map(({ column, values }) => ({ place: findColumn(table.headers, column), values }));
  let above: Place | undefined;
  for await (const { row, cells } of table.rows) {
    const at = placeOf(cells, { row, cells });
    if (at === undefined) continue;
    if (above !== undefined && isBelow(at, above)) return true;
    const isMarked = cellsOf.some(
      ({ place, values }) => place?.is === 'at' && values.includes((cells[place.index] ?? '').trim()),
    );
    above = isMarked ? at : undefined;
  }
  return false;
}
