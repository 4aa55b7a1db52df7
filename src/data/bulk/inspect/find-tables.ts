import { columnLetters } from '../source/cell-range.js';
import { LOOKED_AT } from '../source/header-guess.js';
import type { RawRow } from '../source/raw-table.js';
import { isEmpty } from '../source/source-table.js';
import { hasNames, hasOwnHeader } from './table-header.js';

/** A filled part of a sheet: a table, or cells beside, above or below one. */
export interface FoundTable {
  /** Rows from 1, columns from 0, ends included. */
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
  /** Rows with a value. */
  readonly rows: number;
  /** Cells with a value. */
  readonly filled: number;
  /** Its first rows; cells beside the table are empty. */
  readonly head: readonly RawRow[];
  /** `blank rows`: there are some between its rows. */
  readonly holds: 'rows' | 'blank rows';
  /** Rows of a worksheet are grouped. */
  readonly outline?: 'outline';
  /** Several tables with one header; `titled`: each has a title above it. */
  readonly blocks?: 'titled' | 'untitled';
  /** These titles. */
  readonly titles?: readonly string[];
}

interface ColumnExtent {
  filled: number;
  first: number;
  last: number;
}

interface Block {
  top: number;
  bottom: number;
  rows: number;
  filled: number;
  holds: FoundTable['holds'];
  outline?: 'outline';
  readonly columns: Map<number, ColumnExtent>;
  readonly head: RawRow[];
}

const MOST_BLOCKS = 500;

/** Finds the tables of a sheet, row by row: blank rows and columns separate them. Keeps only their first rows. */
export class TableFinder {
  readonly #blocks: Block[] = [];
  #open: Block | undefined;
  #end = 0;

  add(row: RawRow): void {
    const filled = row.cells.flatMap((cell, column) => (isEmpty(cell) ? [] : [column]));
    if (filled.length === 0) return;
    if (this.#open === undefined || row.row > this.#end + 1) this.#begin(row.row);
    if (this.#open !== undefined) addRow(this.#open, row, filled);
    this.#end = row.end ?? row.row;
  }

  /** In the order of the sheet. */
  tables(): FoundTable[] {
    this.#close();
    return this.#blocks.flatMap(splitByColumns);
  }

  #begin(top: number): void {
    this.#close();
    const columns = new Map<number, ColumnExtent>();
    this.#open = { top, bottom: top, rows: 0, filled: 0, holds: 'rows', columns, head: [] };
  }

  /** Adds a block that continues the table above to that table, with the titles between them. */
  #close(): void {
    const block = this.#open;
    this.#open = undefined;
    if (block === undefined) return;
    const at = this.#blocks.findLastIndex(({ filled }) => filled > 1);
    const above = this.#blocks[at];
    if (above !== undefined && isContinued(above, block))
      for (const part of [...this.#blocks.splice(at + 1), block]) join(above, part);
    else if (this.#blocks.length < MOST_BLOCKS) this.#blocks.push(block);
  }
}

function addRow(block: Block, row: RawRow, filled: readonly number[]): void {
  block.bottom = row.end ?? row.row;
  block.rows += 1;
  if (row.outline !== undefined) block.outline = 'outline';
  block.filled += filled.length;
  for (const column of filled) {
    const extent = block.columns.get(column);
    if (extent === undefined) block.columns.set(column, { filled: 1, first: row.row, last: row.row });
    else {
      extent.filled += 1;
      extent.last = row.row;
    }
  }
  if (block.head.length < LOOKED_AT) block.head.push(row);
}

/**
 * Whether a block is in the columns of the table above, but for one in five, about as wide, and without its own header.
 * Below a header alone, remarks may stand beside its columns.
 */
function isContinued(above: Block, block: Block): boolean {
  const columns = [...block.columns.keys()];
  const inside = columns.filter((column) => above.columns.has(column)).length;
  const width = (one: Block): number => one.filled / one.rows;
  const isTable = above.rows > 1 || hasNames(above.head[0]);
  const beside = above.rows === 1 ? 1 : 0;
  const fits = inside + beside >= columns.length || (above.rows > 1 && inside * 5 >= columns.length * 4);
  return isTable && fits && width(block) * 5 >= width(above) * 3 && !beginsAnew(block);
}

/** Whether a block has a header of its own, which a title may stand above. */
function beginsAnew({ head }: Block): boolean {
  const isTitled = head[0]?.cells.filter((cell) => !isEmpty(cell)).length === 1;
  return hasOwnHeader(head) || (isTitled && head.length > 2 && hasNames(head[1]));
}

function join(above: Block, block: Block): void {
  above.holds = 'blank rows';
  if (block.outline !== undefined) above.outline = block.outline;
  above.bottom = block.bottom;
  above.rows += block.rows;
  above.filled += block.filled;
  for (const [column, { filled, first, last }] of block.columns) {
    const extent = above.columns.get(column);
    above.columns.set(column, { filled: filled + (extent?.filled ?? 0), first: extent?.first ?? first, last });
  }
  above.head.push(...block.head.slice(0, LOOKED_AT - above.head.length));
}

interface Group extends ColumnExtent {
  left: number;
  right: number;
  columns: number;
}

/** An empty column separates two tables if their rows differ. */
function splitByColumns(block: Block): FoundTable[] {
  const groups: Group[] = [];
  for (const [column, extent] of [...block.columns].sort(([a], [b]) => a - b)) {
    const last = groups.at(-1);
    if (last !== undefined && column === last.right + 1) widen(last, column, extent);
    else groups.push({ ...extent, left: column, right: column, columns: 1 });
  }
  const parted: Group[] = [];
  for (const group of groups) {
    const before = parted.at(-1);
    if (before !== undefined && !areApart(before, group)) widen(before, group.right, group, group.columns);
    else parted.push(group);
  }
  return parted.map((group) => tableOf(block, group, parted.length));
}

function widen(group: Group, right: number, { filled, first, last }: ColumnExtent, columns = 1): void {
  group.right = right;
  group.columns += columns;
  group.filled += filled;
  group.first = Math.min(group.first, first);
  group.last = Math.max(group.last, last);
}

function areApart(one: Group, other: Group): boolean {
  if (Math.min(one.columns, other.columns) < 2) return false;
  const shared = Math.min(one.last, other.last) - Math.max(one.first, other.first) + 1;
  const longest = Math.max(one.last - one.first, other.last - other.first) + 1;
  return shared < 0.8 * longest;
}

function tableOf(block: Block, { left, right, first, last, filled }: Group, groups: number): FoundTable {
  const { holds } = block;
  const cut = (row: RawRow): RawRow => ({
    ...row,
    cells: row.cells.slice(0, right + 1).map((cell, column) => (column < left ? '' : cell)),
  });
  const within = (rows: readonly RawRow[]): RawRow[] =>
    rows.map(cut).filter(({ cells }) => cells.some((cell) => !isEmpty(cell)));
  const rows = groups === 1 ? block.rows : last - first + 1;
  const bottom = groups === 1 ? block.bottom : last;
  const grouped = block.outline === undefined ? {} : { outline: block.outline };
  return { top: first, bottom, left, right, rows, filled, holds, ...grouped, head: within(block.head) };
}

/** Such as `B5:H200`. */
export const rangeText = ({ left, top, right, bottom }: Omit<FoundTable, 'head'>): string =>
  `${columnLetters(left)}${top}:${columnLetters(right)}${bottom}`;
