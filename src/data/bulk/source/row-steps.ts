import type { Condition, ImportSource } from '#core/jobs/source.js';
import { type AddedColumns, addedColumns } from './added-columns.js';
import { blockSteps } from './blocks.js';
import type { CellRange } from './cell-range.js';
import { cellConverter, dateFaults } from './convert-cells.js';
import { columnFiller, type FillDown } from './fill-down.js';
import { type FindParent, type Listing, parentFinder } from './find-parents.js';
import { columnNamed } from './headers.js';
import { hasTitles, placeFiller } from './place-columns.js';
import type { Projection, RawRow, RawTable, RowStep, TakeRow } from './raw-table.js';
import { type CellFault, isBlank, type SourceRow, type TableHead } from './source-table.js';
import { rowSplitter } from './split-rows.js';
import { type Head, isComment } from './table-head.js';
import { unreadableFile } from './unreadable-file.js';
import { joinWrappedRows } from './wrapped-rows.js';

/** Input of the steps of a row, besides the header. */
export interface RowStepsInput {
  readonly raw: RawTable;
  readonly source: ImportSource;
  readonly range: CellRange;
  readonly project: Projection;
  readonly headerHint: string | undefined;
  readonly head: Pick<Head, 'above' | 'after' | 'headerTexts'>;
  /** Number of columns of the file, which those with the place of a row follow. */
  readonly width: number;
  /** The place of each header in the rows of the file. */
  readonly columns: readonly number[];
  /** Shared by the worksheets of a source. */
  readonly listing: Listing;
  readonly onHidden: () => void;
}

/** Applies the options of a source in their order: range, comment, wrapped rows, blocks, blank rows, hidden rows, too wide rows,
 * stopAt, splitRows, fillDown, where, then the conversions of cells: numbers, dates, values, columns with theirs, hierarchy. */
export function rowSteps(table: TableHead, steps: RowStepsInput): RowStep {
  const { source, range, project, head, columns, listing } = steps;
  const findParent: FindParent | undefined =
    source.hierarchy && parentFinder(wholeTable(table, addedColumns(table, source)), source.hierarchy, listing);
  const comments: CommentRows = { from: 0, to: 0 };
  const begin = (after: number, title: string): RowStep =>
    tableSteps(table, steps, findParent, { after, title, comments });
  const whole = hasTitles(source) ? blockSteps({ project, ...head }, begin) : begin(head.after, '');
  const step = source.wrapped === undefined ? whole : joinWrappedRows(table, source.wrapped, columns, whole);
  return (given, add) => {
    if (given !== undefined && given.row > range.bottom) return 'end';
    if (given === undefined) return step(given, add);
    const isComments = isComment(given, source);
    if (isComments) noteComment(comments, given.row);
    return isComments || given.row < range.top ? 'more' : step(given, add);
  };
}

/** The last comments without a row between them. */
interface CommentRows {
  from: number;
  to: number;
}

function noteComment(comments: CommentRows, row: number): void {
  if (row !== comments.to + 1) comments.from = row;
  comments.to = row;
}

/** Handles the rows below one header. */
function tableSteps(
  table: TableHead,
  { raw, source, range, project, headerHint, width, onHidden }: RowStepsInput,
  findParent: FindParent | undefined,
  {
    after,
    title,
    comments,
  }: { readonly after: number; readonly title: string; readonly comments: Readonly<CommentRows> },
): RowStep {
  const toWidth =
    raw.form === 'text' ? textFit(table, width, source, raw.delimiter ?? ',', headerHint) : sheetFit(width);
  const fill = placeFiller(table, source, width, title);
  const toRow = fill === undefined ? toWidth : (projected: RawRow) => fill(toWidth(projected));
  const take = rowSplitter(table, source, valueSteps(table, source, findParent));
  const blanks = blankSteps(table.headers.length, Math.max(after, range.top - 1), source, comments, take);
  return (given, add) => {
    if (given === undefined) return 'end';
    const projected = project(given);
    const is = blanks(projected, add);
    if (is !== 'row') return is;
    if (given.hidden !== undefined) {
      if (source.hidden === 'skip') return 'more';
      onHidden();
    }
    return take(toRow(projected), projected, add);
  };
}

/** The table with the columns that are computed from its cells. */
const wholeTable = (table: TableHead, added: AddedColumns | undefined): TableHead =>
  added === undefined ? table : { ...table, headers: [...table.headers, ...added.headers] };

/** Applies the steps that depend on cells: the end of the table, empty cells to fill, wanted rows, and conversions. */
function valueSteps(table: TableHead, source: ImportSource, findParent: FindParent = (row) => row): TakeRow {
  const { stopAt, fillDown, where } = source;
  const isLast = stopAt === undefined || stopAt === 'blank' ? () => false : lastRowTest(table, stopAt);
  const fill: FillDown | undefined = Array.isArray(fillDown) ? columnFiller(table, fillDown) : undefined;
  const faultsIn = dateFaults(table, source);
  const added = addedColumns(table, source);
  const whole = wholeTable(table, added);
  const width = table.headers.length;
  const convert = cellConverter(whole, source, (column) => column < width);
  const convertAdded = cellConverter(whole, source, (column) => column >= width);
  const isWanted = where === undefined ? () => true : conditionsOf(whole, where, width);
  const make = (cells: readonly string[]): readonly string[] => {
    const converted = convert?.(cells) ?? cells;
    const all = added?.add(converted) ?? converted;
    return convertAdded?.(all) ?? all;
  };
  return (row, raw, add) => {
    if (isLast(row.cells)) return 'end';
    const filled = fill === undefined ? row : { ...row, cells: fill(row.row, row.cells) };
    const cells = make(filled.cells);
    const faults = faultsIn?.(filled.cells) ?? [];
    const checked = faults.length === 0 ? filled : { ...filled, faults: [...(filled.faults ?? []), ...faults] };
    const found = findParent(cells === checked.cells ? checked : { ...checked, cells }, raw);
    if (found !== undefined && isWanted(filled.cells, cells)) add(found);
    return 'more';
  };
}

/** Tests whether a row meets all conditions of `where`: on its cells in the file, of which there are `width`, or on added ones. */
function conditionsOf(
  table: TableHead,
  where: NonNullable<ImportSource['where']>,
  width: number,
): (ofFile: readonly string[], converted: readonly string[]) => boolean {
  const all = Object.entries(where).map(([column, condition]) => {
    const index = columnNamed(table, column, 'where');
    const { values, wanted } = conditionValues(condition);
    return (ofFile: readonly string[], converted: readonly string[]) =>
      values.has(((index < width ? ofFile : converted)[index] ?? '').trim()) === wanted;
  });
  return (ofFile, converted) => all.every((holds) => holds(ofFile, converted));
}

function conditionValues(condition: Condition): { values: ReadonlySet<string>; wanted: boolean } {
  const negated = typeof condition === 'object' && !Array.isArray(condition);
  const values = negated ? (condition as { not: string | string[] }).not : (condition as string | string[]);
  return { values: new Set([values].flat().map((value) => value.trim())), wanted: !negated };
}

/** Skips rows without a value, takes them, or ends the table there, also for rows that the file leaves out. */
function blankSteps(
  width: number,
  before: number,
  { skipBlank = true, stopAt }: ImportSource,
  comments: Readonly<CommentRows>,
  take: TakeRow,
) {
  const cells = new Array<string>(width).fill('');
  let end = before;
  const takeBlanks = (first: number, next: number, add: (row: SourceRow) => void): 'more' | 'end' => {
    for (let row = first; row < next; row += 1) if (take({ row, cells }, { row, cells }, add) === 'end') return 'end';
    return 'more';
  };
  /** Whether blank rows are left out above a row, and not only comments. */
  const isBelowBlank = ({ row }: RawRow): boolean =>
    row > end + 1 && !(comments.from <= end + 1 && comments.to === row - 1);
  return (given: RawRow, add: (row: SourceRow) => void): 'more' | 'end' | 'row' => {
    const isRow = !isBlank(given.cells) || given.faults !== undefined;
    if (stopAt === 'blank' && (!isRow || isBelowBlank(given))) return 'end';
    const first = end + 1;
    end = given.end ?? given.row;
    const all = skipBlank ? 'more' : takeBlanks(first, isRow ? given.row : given.row + 1, add);
    return isRow && all === 'more' ? 'row' : all;
  };
}

function lastRowTest(table: TableHead, { column, value }: { column: string; value: string }) {
  const index = columnNamed(table, column, 'stopAt');
  return (cells: readonly string[]): boolean => (cells[index] ?? '').trim() === value.trim();
}

/** Too many cells are a fault of the file: a value contains the delimiter, and later cells are in wrong columns. */
function textFit(
  { file, headers }: TableHead,
  width: number,
  { shortRows }: ImportSource,
  delimiter: string,
  headerHint: string | undefined,
): (raw: RawRow) => SourceRow {
  return (raw) => {
    const { row, cells } = raw;
    if (cells.length === width) return raw.end === undefined ? raw : { row, cells };
    if (cells.length < width) return padRow(row, cells, width, shortRows);
    if (isBlank(cells.slice(width))) return { row, cells: cells.slice(0, width) };
    throw unreadableFile(
      `${file}:${row}: this row has ${cells.length} cells, but the header has ${width}.`,
      delimiterHint(headers) ?? headerHint ?? `Quote values that contain the delimiter ${JSON.stringify(delimiter)}.`,
    );
  };
}

/** Too few cells are a fault of the row, not of the file: many tables end with a narrower summary. */
function padRow(row: number, cells: readonly string[], width: number, shortRows: ImportSource['shortRows']): SourceRow {
  const { length: index } = cells;
  const whole = [...cells, ...new Array<string>(width - index).fill('')];
  if (shortRows === 'allow') return { row, cells: whole };
  const says = `is missing: the row has ${index} ${index === 1 ? 'cell' : 'cells'}, but the header has ${width}`;
  const fault: CellFault = { index, code: 'row-short', says };
  return { row, cells: whole, faults: [fault] };
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

/** A header of one cell that contains another delimiter explains why nothing fits. */
export function delimiterHint(headers: readonly string[]): string | undefined {
  const other = headers.length === 1 ? [';', '\t', '|', ','].find((mark) => headers[0]?.includes(mark)) : undefined;
  if (other === undefined) return undefined;
  return `The header is one cell that contains ${JSON.stringify(other)}: set \`delimiter: ${JSON.stringify(other)}\`.`;
}
