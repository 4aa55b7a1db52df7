import type { ImportSource } from '../../jobs/source.js';
import { conditionsOf } from './conditions.js';
import { type FillDown, filledColumns } from './fill-down.js';
import { columnNamed } from './headers.js';
import type { Range } from './range.js';
import type { RawRow, RawTable } from './raw-table.js';
import { unreadable } from './sniff.js';
import { type CellFault, isBlank, type SourceRow, type SourceTable } from './source-table.js';

export type Headed = Pick<SourceTable, 'file' | 'worksheet' | 'headers' | 'headerRow'>;

/** What becomes of a row: nothing more is read after `end`. */
export type Step = (raw: RawRow, add: (row: SourceRow) => void) => 'more' | 'end';

/** The cells of the columns that are read, from all cells of a row. */
export type Project = (raw: RawRow) => RawRow;

export interface Steps {
  readonly raw: RawTable;
  readonly source: ImportSource;
  readonly range: Range;
  readonly project: Project;
  readonly headerHint: string | undefined;
  /** The last line of the header. */
  readonly after: number;
  readonly onHidden: () => void;
}

/** The options of a source in their order: range, blank rows, hidden rows, too wide rows, stopAt, fillDown, where. */
export function rowSteps(table: Headed, { raw, source, range, project, headerHint, after, onHidden }: Steps): Step {
  const { skipBlank = true, stopAt } = source;
  const isLast = stopAt === undefined || stopAt === 'blank' ? undefined : lastRow(table, stopAt);
  const fill: FillDown | undefined = Array.isArray(source.fillDown) ? filledColumns(table, source.fillDown) : undefined;
  const isWanted = source.where === undefined ? undefined : conditionsOf(table, source.where);
  const fit = raw.form === 'text' ? textFit(table, raw.delimiter ?? ',', headerHint) : sheetFit(table.headers.length);
  const blank = new Array<string>(table.headers.length).fill('');
  let end = Math.max(after, range.top - 1);

  return (given, add) => {
    if (given.row < range.top) return 'more';
    if (given.row > range.bottom) return 'end';
    const projected = project(given);
    const isEmptyRow = isBlank(projected.cells) && projected.faults === undefined;
    const gap = projected.row - end - 1;
    if (stopAt === 'blank' && (gap > 0 || isEmptyRow)) return 'end';
    if (!skipBlank && isWanted?.(blank) !== false) {
      for (let row = end + 1; row < projected.row; row += 1) add({ row, cells: blank });
    }
    end = projected.end ?? projected.row;
    if (isEmptyRow && skipBlank) return 'more';
    if (given.hidden !== undefined) {
      if (source.hidden === 'skip') return 'more';
      onHidden();
    }
    const row = fit(projected);
    if (isLast?.(row.cells)) return 'end';
    const filled = fill === undefined ? row : { ...row, cells: fill(row.row, row.cells) };
    if (isWanted === undefined || isWanted(filled.cells)) add(filled);
    return 'more';
  };
}

function lastRow(table: Headed, { column, value }: { column: string; value: string }) {
  const index = columnNamed(table, column, 'stopAt');
  return (cells: readonly string[]): boolean => (cells[index] ?? '').trim() === value.trim();
}

/** Too many cells are a fault of the file: some value holds the delimiter, and all behind it stand in wrong columns. */
function textFit(
  { file, headers }: Headed,
  delimiter: string,
  headerHint: string | undefined,
): (raw: RawRow) => SourceRow {
  const width = headers.length;
  return (raw) => {
    const { row, cells } = raw;
    if (cells.length === width) return raw.end === undefined ? raw : { row, cells };
    if (cells.length < width) return padded(row, cells, width);
    if (isBlank(cells.slice(width))) return { row, cells: cells.slice(0, width) };
    throw unreadable(
      `${file}:${row}: this row has ${cells.length} cells, but the header has ${width}.`,
      delimiterHint(headers) ?? headerHint ?? `Quote values that hold the delimiter ${JSON.stringify(delimiter)}.`,
    );
  };
}

/** Too few cells are a fault of the row, not of the file: many tables end with a summary that is narrower than they are. */
function padded(row: number, cells: readonly string[], width: number): SourceRow {
  const { length: index } = cells;
  const says = `is missing: the row has ${index} ${index === 1 ? 'cell' : 'cells'}, and the header has ${width}`;
  const fault: CellFault = { index, code: 'row-short', says };
  return { row, cells: [...cells, ...new Array<string>(width - index).fill('')], faults: [fault] };
}

const sheetFit =
  (width: number): ((raw: RawRow) => SourceRow) =>
  (raw) => {
    const { row, cells, faults } = raw;
    const missing = width - cells.length;
    if (missing <= 0 && raw.hidden === undefined) return raw;
    const whole = missing > 0 ? [...cells, ...new Array<string>(missing).fill('')] : cells;
    return faults === undefined ? { row, cells: whole } : { row, cells: whole, faults };
  };

/** A header of one cell that holds another delimiter tells why nothing fits. */
export function delimiterHint(headers: readonly string[]): string | undefined {
  const other = headers.length === 1 ? [';', '\t', '|', ','].find((mark) => headers[0]?.includes(mark)) : undefined;
  if (other === undefined) return undefined;
  return `The header is one cell that holds ${JSON.stringify(other)}: set \`delimiter: ${JSON.stringify(other)}\`.`;
}
