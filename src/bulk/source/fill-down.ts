import type { ImportSource } from '../../jobs/source.js';
import { columnNamed } from './headers.js';
import type { MergedRange, RawRow } from './raw-table.js';
import { isEmpty, type SourceTable } from './source-table.js';

/** Gives the cells of a row as they are to be read; called for each row in order. */
export type FillDown = (row: number, cells: readonly string[]) => readonly string[];

/** Empty cells of the named columns take the value above them. */
export function filledColumns(
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

/** The cells of the first column of each merged range take the value of its uppermost one. Columns as the sheet counts. */
export function filledRanges(merged: readonly MergedRange[]): (row: RawRow) => RawRow {
  const tall = merged.filter(({ top, bottom }) => bottom > top).sort((a, b) => a.top - b.top);
  const open = new Map<MergedRange, string>();
  let next = 0;
  return (raw) => {
    const { row } = raw;
    for (let range = tall[next]; range !== undefined && range.top <= row; range = tall[++next]) {
      if (range.bottom >= row) open.set(range, range.top === row ? (raw.cells[range.left] ?? '') : '');
    }
    if (open.size === 0) return raw;
    const cells = [...raw.cells];
    for (const [range, value] of open) {
      while (cells.length <= range.left) cells.push('');
      if (row > range.top) cells[range.left] = value;
      if (row >= range.bottom) open.delete(range);
    }
    return { ...raw, cells };
  };
}
