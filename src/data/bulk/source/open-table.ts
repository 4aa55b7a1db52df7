import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportSource } from '#core/jobs/source.js';
import { type CellRange, columnLetters, parseRange } from './cell-range.js';
import { rangeFiller } from './fill-down.js';
import { Listing, parentColumn } from './find-parents.js';
import { betterHeader, type HeaderLine, LOOKED_AT } from './header-guess.js';
import { renameHeaders } from './headers.js';
import { isPlaceColumn, withPlaceColumns } from './place-columns.js';
import type { Projection, RawRow, RawTable, RowStep } from './raw-table.js';
import { rowSteps } from './row-steps.js';
import {
  nameOfTable,
  type SourceNote,
  type SourceRow,
  type SourceTable,
  type TableHead,
  tablePlace,
} from './source-table.js';
import { findHead } from './table-head.js';
import { unreadableFile } from './unreadable-file.js';

interface OpenTableInput {
  readonly raw: RawTable;
  readonly source: ImportSource;
  /** Only for `fillDown: merged` or a header of several rows. */
  readonly merged: readonly CellRange[];
  /** Throws if the file changed since it was opened. */
  readonly steady: () => Promise<void>;
  /** The first worksheet of the source, if this is a further one. */
  readonly first?: OpenedTable;
}

/** A table, and what further worksheets of its source share with it. */
export interface OpenedTable extends SourceTable {
  readonly headerTexts: readonly string[];
  readonly listing: Listing;
}

/**
 * Opens the table that a source describes within a file: finds its header row, and reads the requested rows. Undefined
 * for a further worksheet without a value.
 */
export async function openTable(input: OpenTableInput): Promise<OpenedTable | undefined> {
  const { raw, source, merged, steady, first } = input;
  // The header of a further worksheet is found by its texts, and may be above the range.
  const range = first === undefined ? rangeIn(source) : { ...rangeIn(source), top: 1 };
  const projectPlain = (): Projection => projectionOf(raw, source, range, []);
  const expected = omitUndefined({ expected: first?.headerTexts });
  const head = await findHead({ raw, source, range, merged, project: projectPlain, ...expected });
  if (head === undefined) return undefined;
  const { header, rest, headerTexts } = head;
  const project = projectionOf(raw, source, range, source.fillDown === 'merged' ? merged : []);
  const line: HeaderLine = { row: header.row, cells: project(header).cells };
  const columns = columnsOf(raw, source, range, header.cells.length);
  const letters = columns.map(columnLetters);
  const ofFile = headOf(raw, source, line, letters);
  const table = withPlaceColumns(ofFile, source);
  const { length: width } = ofFile.headers;
  const listing = first?.listing ?? new Listing();
  const below = rest.slice(0, LOOKED_AT).map(projectPlain());
  const headerHint = hintOf(source, line, below);
  let hiddenRows = 0;
  const onHidden = (): void => {
    hiddenRows += 1;
  };
  const step = rowSteps(table, { raw, source, range, project, headerHint, head, width, columns, listing, onHidden });
  const batches = batchesOf(rest, raw, step, steady);
  return {
    ...table,
    ...{ headerTexts, listing, nearby: [...head.above.map(projectPlain()), ...below] },
    headers: [...table.headers, ...addedHeaders(source)],
    ...(raw.worksheet === undefined ? {} : { letters }),
    ...omitUndefined({ format: raw.format, encoding: raw.encoding, delimiter: raw.delimiter, headerHint }),
    rows: eachRow(batches),
    batches,
    notes: () => [...raw.notes, ...hiddenNotes(raw, source, hiddenRows), ...mergedNotes(raw, source, table)],
  };
}

/** The name of the table, and the headers of the columns that are read. */
function headOf(raw: RawTable, { header, rename }: ImportSource, line: HeaderLine, letters: string[]): TableHead {
  const named = { ...tablePlace(raw), headerRow: line.row, ...(header === 'none' ? { header } : {}) };
  return { ...named, headers: renameHeaders({ ...named, headers: line.cells }, rename, letters) };
}

/** Headers of the columns that are computed from those of the file. */
const addedHeaders = ({ columns = {}, hierarchy }: ImportSource): string[] => [
  ...Object.keys(columns).filter((header) => !isPlaceColumn(columns[header] ?? '')),
  ...(hierarchy === undefined ? [] : [parentColumn(hierarchy)]),
];

function hintOf({ header }: ImportSource, line: HeaderLine, rest: readonly HeaderLine[]): string | undefined {
  if (header !== undefined) return undefined;
  const better = betterHeader(line, rest);
  return better === undefined
    ? undefined
    : `Row ${better.row} looks like the header: set \`headerRow: ${better.row}\`.`;
}

const ALL: CellRange = { top: 1, bottom: Number.POSITIVE_INFINITY, left: 0, right: Number.POSITIVE_INFINITY };

function rangeIn({ range, file }: ImportSource): CellRange {
  const found = range === undefined ? ALL : parseRange(range);
  if (found !== undefined) return found;
  throw unreadableFile(
    `The range "${range}" of ${file} is empty: a range goes from its upper left to its lower right cell.`,
    'Write it like B5:H200, B5:H or B:H.',
  );
}

/** Leaves out columns outside the range, and hidden ones under `hidden: skip`. */
function projectionOf(raw: RawTable, source: ImportSource, range: CellRange, merged: readonly CellRange[]): Projection {
  const fill = merged.length === 0 ? undefined : rangeFiller(merged);
  const isRead = columnFilter(raw, source, range);
  if (isRead === 'all') return fill ?? ((row) => row);
  return (given) => {
    const row = fill?.(given) ?? given;
    const places = row.cells.flatMap((_, column) => (isRead(column) ? [column] : []));
    const faults = row.faults?.flatMap((fault) => {
      const index = places.indexOf(fault.index);
      return index === -1 ? [] : [{ ...fault, index }];
    });
    const { faults: _, ...rest } = row;
    const cells = places.map((column) => row.cells[column] ?? '');
    return faults === undefined || faults.length === 0 ? { ...rest, cells } : { ...rest, cells, faults };
  };
}

function columnFilter(raw: RawTable, source: ImportSource, range: CellRange): 'all' | ((column: number) => boolean) {
  const hidden = source.hidden === 'skip' ? raw.hiddenColumns() : new Set<number>();
  if (range.left === 0 && range.right === Number.POSITIVE_INFINITY && hidden.size === 0) return 'all';
  return (column) => column >= range.left && column <= range.right && !hidden.has(column);
}

/** Columns of the sheet that are read, of its first `count`. */
function columnsOf(raw: RawTable, source: ImportSource, range: CellRange, count: number): number[] {
  const isRead = columnFilter(raw, source, range);
  const all = Array.from({ length: count }, (_, column) => column);
  return isRead === 'all' ? all : all.filter(isRead);
}

async function* batchesOf(
  first: readonly RawRow[],
  raw: RawTable,
  step: RowStep,
  steady: () => Promise<void>,
): AsyncGenerator<readonly SourceRow[]> {
  const { batches } = raw;
  try {
    for (let batch: readonly RawRow[] | undefined = first; batch !== undefined; batch = await nextOf(batches)) {
      const rows: SourceRow[] = [];
      const add = (row: SourceRow) => void rows.push(row);
      let last: 'more' | 'end' = 'more';
      try {
        for (const row of batch) {
          last = step(row, add);
          if (last === 'end') break;
        }
      } finally {
        if (rows.length > 0) yield rows;
      }
      if (last === 'end') break;
    }
    const rows: SourceRow[] = [];
    step(undefined, (row) => rows.push(row));
    if (rows.length > 0) yield rows;
    await steady();
  } finally {
    await batches.return(undefined);
  }
}

/** Passes the rows of batches one by one. */
export async function* eachRow(batches: AsyncIterable<readonly SourceRow[]>): AsyncGenerator<SourceRow> {
  for await (const rows of batches) yield* rows;
}

async function nextOf(batches: RawTable['batches']): Promise<readonly RawRow[] | undefined> {
  const { value, done } = await batches.next();
  return done ? undefined : value;
}

function hiddenNotes(raw: RawTable, { hidden }: ImportSource, rows: number): SourceNote[] {
  const columns = raw.hiddenColumns();
  if (hidden !== undefined || (rows === 0 && columns.size === 0)) return [];
  const counts = [countText(rows, 'hidden row'), countText(columns.size, 'hidden column')].filter(
    (text) => text !== '',
  );
  const letters = columns.size === 0 ? '' : ` (${[...columns].slice(0, 10).map(columnLetters).join(', ')})`;
  const message = `${nameOfTable(raw)} has ${counts.join(' and ')}${letters}, which ${rows + columns.size === 1 ? 'is' : 'are'} read like the others.`;
  const hint = 'Set `hidden: skip` to leave them out, or `hidden: read` to read them without this warning.';
  return [{ severity: 'warning', code: 'hidden-read', message, hint }];
}

const countText = (n: number, noun: string): string => (n === 0 ? '' : `${n} ${noun}${n === 1 ? '' : 's'}`);

function mergedNotes(raw: RawTable, { fillDown }: ImportSource, { headerRow }: TableHead): SourceNote[] {
  const tall = raw.merged().filter(({ top, bottom }) => bottom > top && top > headerRow);
  if (fillDown !== undefined || tall.length === 0) return [];
  const letters = [...new Set(tall.map(({ left }) => columnLetters(left)))].slice(0, 10).join(', ');
  const columns = `${letters.includes(',') ? 'columns' : 'column'} ${letters}`;
  const first = tall.length === 1 ? 'only its first row has' : 'only the first row of each has';
  const message = `${nameOfTable(raw)} has ${countText(tall.length, 'merged range')} over several rows (${columns}); ${first} the value.`;
  return [
    {
      severity: 'warning',
      code: 'merged-cells',
      message,
      hint: 'Set `fillDown: merged` to repeat the value in the other rows.',
    },
  ];
}
