import type { Hierarchy } from '#core/jobs/source-cells.js';
import { columnNamed } from './headers.js';
import type { RawRow } from './raw-table.js';
import { isEmpty, type SourceTable } from './source-table.js';

/** Place of a row in a tree: its level, or its dotted number. */
export type Place = number | string;

type Named = Pick<SourceTable, 'file' | 'worksheet' | 'headers' | 'headerRow'>;

/** Creates a reader for the place of a row; undefined if its cell has none. */
export function placeReader(
  table: Named,
  { level, path, outline }: Hierarchy,
): (cells: readonly string[], raw: RawRow) => Place | undefined {
  if (outline === true) return (_, raw) => raw.outline ?? 0;
  if (path !== undefined) {
    const index = columnNamed(table, path, 'hierarchy.path');
    return (cells) => dottedNumber(cells[index] ?? '');
  }
  const columns = [level ?? []].flat().map((name) => columnNamed(table, name, 'hierarchy.level'));
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) return (cells) => levelIn(cells[only] ?? '');
  return (cells) => {
    const first = columns.findIndex((column) => !isEmpty(cells[column] ?? ''));
    return first === -1 ? undefined : first;
  };
}

/** Reads levels: `1`, `..2` and `-- 3`, and also `. .`, which is 2. */
function levelIn(cell: string): number | undefined {
  const [, marks = '', digits = ''] = /^([\s.\-–—+>*]*)(\d{0,3})$/.exec(cell.trim()) ?? [];
  if (digits !== '') return Number(digits);
  const count = marks.replace(/\s/g, '').length;
  return count === 0 ? undefined : count;
}

/** Reads `1.2.3`; a dot at its end has no meaning. */
function dottedNumber(cell: string): string | undefined {
  const [, path] = /^(\w+(?:\.\w+)*)\.?$/.exec(cell.trim()) ?? [];
  return path;
}

/** Whether a place is anywhere below another. */
export const isBelow = (at: Place, above: Place | undefined): boolean =>
  typeof at === 'number' ? at > Number(above) : at.startsWith(`${above}.`);

/** Reason why the row above cannot be the parent; undefined if it can. `top`: the place of the first row. */
export function stepProblem(at: Place, above: Place | undefined, top: Place): string | undefined {
  if (typeof at === 'number') {
    const expected = above === undefined ? Number(top) : Number(above) + 1;
    return at === expected ? undefined : `the row has level ${at}, and no row above it has level ${at - 1}`;
  }
  const depth = (path: Place): number => String(path).split('.').length;
  const parent = at.split('.').slice(0, -1).join('.');
  const fits = above === undefined ? depth(at) === depth(top) : parent === above;
  return fits ? undefined : `the row is "${at}", and no row "${parent}" is above it`;
}
