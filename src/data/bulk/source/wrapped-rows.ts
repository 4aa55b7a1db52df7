import { columnNamed } from './headers.js';
import type { RawRow, RowStep } from './raw-table.js';
import { isEmpty, type TableHead } from './source-table.js';

/**
 * Joins rows that continue the row above them: all their values are in the columns of `wrapped`. `columns`: the place of
 * each header in the rows of the file.
 */
export function joinWrappedRows(
  table: TableHead,
  wrapped: readonly string[],
  columns: readonly number[],
  step: RowStep,
): RowStep {
  const places = new Set(wrapped.map((name) => columns[columnNamed(table, name, 'wrapped')] ?? -1));
  let held: RawRow | undefined;
  return (given, add) => {
    if (held !== undefined && given !== undefined && continues(given, held, columns, places)) {
      held = joined(held, given, places);
      return 'more';
    }
    const whole = held;
    held = given;
    if (whole !== undefined && step(whole, add) === 'end') {
      held = undefined;
      return 'end';
    }
    return given === undefined ? step(undefined, add) : 'more';
  };
}

/** Blank rows end a row, and cells outside the table count for nothing. */
function continues(
  { row, cells, faults }: RawRow,
  above: RawRow,
  columns: readonly number[],
  places: ReadonlySet<number>,
): boolean {
  const filled = columns.filter((column) => !isEmpty(cells[column] ?? ''));
  return (
    faults === undefined &&
    filled.length > 0 &&
    filled.every((column) => places.has(column)) &&
    row === (above.end ?? above.row) + 1
  );
}

const joined = (above: RawRow, { row, end = row, cells }: RawRow, places: ReadonlySet<number>): RawRow => ({
  ...above,
  end,
  cells: above.cells.map((cell, column) => (places.has(column) ? joinTexts(cell, cells[column] ?? '') : cell)),
});

/** A list goes on behind a comma, other texts behind a space. */
function joinTexts(above: string, below: string): string {
  const [first, second] = [above.trim().replace(/[,;]+$/, ''), below.trim().replace(/^[,;]+\s*/, '')];
  if (first === '' || second === '') return first + second;
  return `${first}${/[,;]/.test(above + below) ? ',' : ' '}${second}`;
}
