import { type Hierarchy, PARENT_COLUMN } from '#core/jobs/source-cells.js';
import { joinKey, KeyIndex } from '../rows/key-index.js';
import { columnNamed } from './headers.js';
import { isBelow, type Place, placeReader, stepProblem } from './levels.js';
import type { RawRow } from './raw-table.js';
import type { CellFault, SourceRow, SourceTable } from './source-table.js';

/** Returns the line of a row, with its parent as an added cell; undefined for an assembly, and for a known line. */
export type FindParent = (row: SourceRow, raw: RawRow) => SourceRow | undefined;

/** Header of the column that is added after those of the file. */
export const parentColumn = ({ parent = PARENT_COLUMN }: Hierarchy): string => parent;

interface Ancestor {
  readonly at: Place;
  readonly number: string;
  readonly entry: number;
}

/**
 * Finds the parents of rows by the rows above them: call it for each row in order, wanted or not. Keeps the ancestors
 * of the last row, the numbers of the assemblies, and 18 bytes for each line.
 */
export function parentFinder(
  table: Pick<SourceTable, 'file' | 'worksheet' | 'headers' | 'headerRow'>,
  hierarchy: Hierarchy,
  listing: Listing,
): FindParent {
  const { length: width } = table.headers;
  const numberAt = columnNamed(table, hierarchy.number, 'hierarchy.number');
  const placeOf = placeReader(table, hierarchy);
  const stack: Ancestor[] = [];
  let top: Place | undefined;
  return (row, raw) => {
    const number = (row.cells[numberAt] ?? '').trim();
    const at = placeOf(row.cells, raw);
    if (at === undefined) return withFault(row, width, 'is empty: the row has no level');
    top ??= at;
    while (stack.length > 0 && !isBelow(at, stack.at(-1)?.at)) stack.pop();
    const above = stack.at(-1);
    stack.push({ at, number, entry: listing.next() });
    const problem = stepProblem(at, above?.at, top);
    if (problem !== undefined) return withFault(row, width, `is empty: ${problem}`);
    if (above === undefined) return hierarchy.top === undefined ? undefined : withCell(row, width, hierarchy.top);
    return listedRow(row, width, above.number, listing.add(above, number));
  };
}

function listedRow(row: SourceRow, width: number, parent: string, line: Line): SourceRow | undefined {
  const found = withCell(row, width, parent);
  const says = `has "${parent}", which is listed further up without this row below it (assemblies with different rows need different numbers)`;
  if (line === 'known') return undefined;
  return line === 'new' ? found : withFault(found, width, says, 'filled');
}

type Line = 'new' | 'known' | 'other';

/** The lines of assemblies so far, in all tables of a source. */
export class Listing {
  readonly #firstLists = new Map<string, number>();
  readonly #lines = new KeyIndex();
  #entries = 0;

  /** Counts a row that may be an assembly. */
  next(): number {
    this.#entries += 1;
    return this.#entries;
  }

  /** Whether a line is in the first list of an assembly, repeats a line of it, or is in a later list only. */
  add({ number: parent, entry: list }: Ancestor, number: string): Line {
    const first = this.#firstLists.get(parent) ?? list;
    this.#firstLists.set(parent, first);
    const key = joinKey([parent, number]);
    if (first !== list) return this.#lines.has(key) ? 'known' : 'other';
    this.#lines.firstRow(key, list);
    return 'new';
  }
}

/** Keeps cells beyond the last header after the added one. */
function withCell(row: SourceRow, width: number, parent: string): SourceRow {
  return { ...row, cells: [...row.cells.slice(0, width), parent, ...row.cells.slice(width)] };
}

function withFault(row: SourceRow, width: number, says: string, cell: 'empty' | 'filled' = 'empty'): SourceRow {
  const fault: CellFault = { index: width, code: 'parent-unknown', says };
  const whole = cell === 'filled' ? row : withCell(row, width, '');
  return { ...whole, faults: [...(row.faults ?? []), fault] };
}
