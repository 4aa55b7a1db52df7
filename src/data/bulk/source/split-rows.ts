import type { ImportSource } from '#core/jobs/source.js';
import { columnNamed } from './headers.js';
import type { TakeRow } from './raw-table.js';
import type { CellFault, TableHead } from './source-table.js';

/** Divides a cell at a text, or at its line breaks; a break at the end divides nothing. */
export const splitValues = (cell: string, at: string | undefined): string[] =>
  cell
    .trim()
    .split(at ?? /\r\n|\r|\n/)
    .map((part) => part.trim());

/** Makes rows of one that has several values in the columns of `splitRows`: the first of each, the second, and so on. */
export function rowSplitter(table: TableHead, { splitRows }: ImportSource, take: TakeRow): TakeRow {
  if (splitRows === undefined) return take;
  const places = splitRows.columns.map((name) => columnNamed(table, name, 'splitRows'));
  return (row, raw, add) => {
    const values = places.map((place) => splitValues(row.cells[place] ?? '', splitRows.at));
    const most = values.reduce((count, { length }) => Math.max(count, length), 1);
    if (most === 1) return take(row, raw, add);
    const uneven = values.flatMap(({ length }, column): CellFault[] =>
      length === 1 || length === most
        ? []
        : [
            {
              index: places[column] ?? -1,
              code: 'values-uneven',
              says: `has ${length} values, but another has ${most}`,
            },
          ],
    );
    const faults = uneven.length === 0 ? row : { ...row, faults: [...(row.faults ?? []), ...uneven] };
    for (let part = 0; part < most; part += 1) {
      const cells = [...row.cells];
      for (const [column, place] of places.entries())
        cells[place] = values[column]?.[part] ?? values[column]?.[0] ?? '';
      if (take({ ...faults, cells }, raw, add) === 'end') return 'end';
    }
    return 'more';
  };
}
