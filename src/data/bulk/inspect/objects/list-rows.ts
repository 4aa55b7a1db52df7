import type { RowSource } from '#core/jobs/source.js';
import type { RowTable, TableRow } from '#core/manifest/row-table.js';
import { findList } from '../../find-list.js';
import type { Column } from '../column.js';

/** Reads all rows of a list, as a manifest of rows reads them. */
export async function readListTable(path: string, source: RowSource): Promise<RowTable> {
  const found = await findList(path, source);
  const { name, headers, find, batches } = await found.open();
  const rows: TableRow[] = [];
  for await (const batch of batches) rows.push(...batch);
  return { name, headers, find, rows };
}

/** The value of a cell; empty if it stands for no value. */
export function cellValue({ cells }: TableRow, { index, placeholders }: Column): string {
  const cell = (cells[index] ?? '').trim();
  return placeholders.has(cell) ? '' : cell;
}

/** What a reference to these columns makes of a row. */
export const joinCells = (row: TableRow, columns: readonly Column[]): string =>
  columns
    .map((column) => cellValue(row, column))
    .join(' ')
    .trim();

/** The references that `joinCells` computes. */
export const referenceTo = (...columns: readonly Column[]): string =>
  columns.map(({ name }) => `\${row.${name}}`).join(' ');

/** Rows of the objects of a list, by name. */
export type NamedRows = ReadonlyMap<string, readonly TableRow[]>;

/** Rows by what they say; those that say nothing are left out. */
export function rowsBy(rows: readonly TableRow[], said: (row: TableRow) => string): NamedRows {
  const found = new Map<string, TableRow[]>();
  for (const row of rows) {
    const text = said(row);
    if (text === '') continue;
    const known = found.get(text);
    if (known === undefined) found.set(text, [row]);
    else known.push(row);
  }
  return found;
}

/** Rows of one object that say different things, as a sentence without its end; undefined if all agree. */
export function difference(groups: NamedRows, said: (row: TableRow) => string): string | undefined {
  for (const [name, rows] of groups) {
    const [first, other] = [...rowsBy(rows, said)].map(([text, [row]]) => ({ text, row: row?.row }));
    if (first !== undefined && other !== undefined)
      return `rows ${first.row} and ${other.row} of "${name}" say "${first.text}" and "${other.text}"`;
  }
  return undefined;
}
