import { findColumn } from '../source/headers.js';
import { openSource } from '../source/open-source.js';
import type { ChosenKey } from './choose-key.js';
import type { Column } from './column.js';
import type { KnownTable } from './known-table.js';
import { foldNumber, type MakerRow } from './match-parts.js';

/** The columns with makers and their numbers, one pair for each source of a row. */
export type MakerColumns = readonly (readonly [maker: Column | undefined, number: Column])[];

type CellOf = (cells: readonly string[]) => string;

/** Reads the rows that name a part of a maker. Memory follows their number. */
export async function readMakerRows(
  path: string,
  table: KnownTable,
  key: Pick<ChosenKey, 'column' | 'source'>,
  pairs: MakerColumns,
): Promise<readonly MakerRow[]> {
  const columns = { ...table.source.columns, ...key.source.columns };
  const values = { ...table.source.values, ...key.source.values };
  const { headers, rows } = await openSource(path, { ...table.source, columns, values });
  const cellOf = (name: string | undefined): CellOf => {
    const place = name === undefined ? undefined : findColumn(headers, name);
    return (cells) => (place?.is === 'at' ? (cells[place.index] ?? '').trim() : '');
  };
  /** Cells that stand for no value are empty. */
  const textOf = (column: Column | undefined): CellOf => {
    const cell = cellOf(column?.name);
    return (cells) => (column?.placeholders.has(cell(cells)) === true ? '' : cell(cells));
  };
  const keyOf = cellOf(key.column);
  const parts = pairs.map(([maker, number]) => [textOf(maker), textOf(number)] as const);
  const read: MakerRow[] = [];
  for await (const { row, cells } of rows) {
    const named = parts.map(([maker, number]) => ({ maker: maker(cells), number: number(cells) }));
    const filled = named.filter(({ number }) => foldNumber(number) !== '' && !/[\r\n]/.test(number));
    if (filled.length > 0) read.push({ row, key: keyOf(cells), parts: filled });
  }
  return read;
}
