import type { ImportSource } from '#core/jobs/source.js';
import type { CellRange } from './cell-range.js';
import { columnNamed } from './headers.js';
import type { RawRow } from './raw-table.js';
import { isEmpty, type SourceTable } from './source-table.js';

/** Returns the cells of a row after filling; called for each row in order. */
export type FillDown = (row: number, cells: readonly string[]) => readonly string[];

/** Fills empty cells of the named columns with the value above them. */
export function columnFiller(
  table: Pick<SourceTable, 'file' | 'worksheet' | 'headers' | 'headerRow'>,
  columns: Exclude<ImportSource['fillDown'], 'merged' | undefined>,
): FillDown {
  const above = new Map(columns.map((name) => [columnNamed(table, name, 'fillDown'), '']));
  return (_, cells) => {
    const filled = [...cells];
    for (const [index, value] of above) {
      const cell = filled[index] ?? '';
      if (isEmpty(cell)) filled[index] = value;
      else above.set(index, cell);
    }
    return filled;
  };
}

/** Fills the first column of each merged range with the value of its uppermost cell. Columns as in the sheet. */
export function rangeFiller(merged: readonly CellRange[]): (row: RawRow) => RawRow {
  const tall = merged.filter(({ top, bottom }) => bottom > top).sort((a, b) => a.top - b.top);
  const open = new Map<CellRange, string>();
  let next = 0;
  const begin = ({ row, cells }: RawRow): void => {
    for (let range = tall[next]; range !== undefined && range.top <= row; range = tall[next]) {
      open.set(range, range.top === row ? (cells[range.left] ?? '') : '');
      next += 1;
    }
  };
  return (raw) => {
    begin(raw);
    for (const range of open.keys()) if (range.bottom < raw.row) open.delete(range);
    return open.size === 0 ? raw : { ...raw, cells: fillRow(raw, open) };
  };
}

function fillRow({ row, cells: given }: RawRow, open: ReadonlyMap<CellRange, string>): readonly string[] {
  const cells = [...given];
  for (const [{ left, top }, value] of open) {
    if (row === top) continue;
    while (cells.length <= left) cells.push('');
    cells[left] = value;
  }
  return cells;
}
