import { type CellRange, columnIndex, columnLetters, LAST_COLUMN, LAST_ROW, parseRange } from './cell-range.js';
import { plainRow } from './plain-row.js';
import type { PlainElements } from './plain-xml.js';
import { TextContent } from './shared-strings.js';
import type { SheetCell } from './sheet-cell.js';
import { type Attributes, isTrue, readXml } from './xml-events.js';

/** A row as its worksheet writes it: cells in the order of the file; those without a value may be missing. */
export interface SheetRow {
  readonly row: number;
  readonly cells: readonly SheetCell[];
  readonly hidden?: true;
  readonly outline?: number;
}

/** A worksheet that is being read. */
export interface Sheet {
  readonly batches: AsyncGenerator<readonly SheetRow[]>;
  /** From 0; complete with the first row, since columns come before the rows. */
  readonly hiddenColumns: ReadonlySet<number>;
  /** Complete after the last row, since merged ranges come after the rows. */
  readonly merged: readonly CellRange[];
}

/** Reads the rows of a worksheet part and what surrounds them, once and without keeping any. */
export function readSheet(chunks: AsyncIterable<Uint8Array | string>): Sheet {
  const reader = new SheetReader();
  const { hiddenColumns, merged } = reader;
  return { batches: batchesOf(chunks, reader), hiddenColumns, merged };
}

/** Minimum number of rows in a batch. */
const BATCH = 100;

async function* batchesOf(
  chunks: AsyncIterable<Uint8Array | string>,
  reader: SheetReader,
): AsyncGenerator<readonly SheetRow[]> {
  for await (const _ of readXml(chunks, reader)) {
    if (reader.rows.length >= BATCH) yield reader.release();
  }
  if (reader.rows.length > 0) yield reader.release();
}

type OpenCell = { -readonly [Member in keyof SheetCell]: SheetCell[Member] };

class SheetReader {
  readonly plain: PlainElements = {
    parent: 'sheetData',
    name: 'row',
    take: (text, start, end) => this.#takeRow(text, start, end),
  };
  readonly hiddenColumns = new Set<number>();
  readonly merged: CellRange[] = [];
  rows: SheetRow[] = [];
  /** Elements of other vocabularies also have the names `row` and `col`: those of drawings, after the rows. */
  #inRows = false;
  #row = 0;
  #hidden = false;
  #outline = 0;
  #cells: SheetCell[] = [];
  #cell: OpenCell | undefined;
  readonly #content = new TextContent();
  #characters = 0;

  release(): readonly SheetRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#cell !== undefined) this.#openInCell(this.#cell, name);
    else if (this.#inRows) this.#openInRows(name, attributes);
    else if (name === 'sheetData') this.#inRows = true;
    else if (name === 'col') this.#hideColumns(attributes);
    else if (name === 'mergeCell') this.#merge(attributes);
  }

  close(name: string): void {
    if (this.#cell !== undefined) this.#closeInCell(this.#cell, name);
    else if (name === 'row' && this.#inRows) this.#closeRow();
    else if (name === 'sheetData') this.#inRows = false;
  }

  text(text: string): void {
    if (this.#cell === undefined) return;
    this.#content.add(text);
    if (this.#content.length > MOST_CELL_CHARACTERS) {
      throw new Error(`row ${this.#row} has a cell with more than ${MOST_CELL_CHARACTERS} characters`);
    }
  }

  #takeRow(text: string, start: number, end: number): 'taken' | 'odd' {
    const row = plainRow(text, start, end);
    if (row === undefined) return 'odd';
    this.#openRow(row.attributes);
    this.#cells = row.cells;
    this.#closeRow();
    return 'taken';
  }

  #openInRows(name: string, attributes: Attributes): void {
    if (name === 'c') this.#cell = openCell(attributes, (this.#cells.at(-1)?.column ?? -1) + 1);
    else if (name === 'row') this.#openRow(attributes);
  }

  #openRow({ r: reference, hidden, outlineLevel }: Attributes): void {
    this.#row = rowNumberOf(reference, this.#row + 1);
    this.#hidden = isTrue(hidden);
    this.#outline = wholeNumber(outlineLevel, 0);
    this.#cells = [];
    this.#characters = 0;
  }

  #openInCell(cell: OpenCell, name: string): void {
    if (name === 'f') cell.formula = 'formula';
    else this.#content.open(name);
  }

  #closeInCell(cell: OpenCell, name: string): void {
    if (name !== 'c') {
      this.#content.close(name);
      return;
    }
    cell.value = this.#content.take();
    this.#cells.push(cell);
    this.#cell = undefined;
    this.#characters += cell.value?.length ?? 0;
    if (this.#cells.length > LAST_COLUMN) throw new Error(`row ${this.#row} has more than ${LAST_COLUMN} cells`);
    if (this.#characters > MOST_ROW_CHARACTERS) {
      throw new Error(`row ${this.#row} has more than ${MOST_ROW_CHARACTERS} characters`);
    }
  }

  #closeRow(): void {
    refuseTwice(this.#row, this.#cells);
    const row: SheetRow = { row: this.#row, cells: this.#cells };
    const shown: SheetRow = this.#outline === 0 ? row : { ...row, outline: this.#outline };
    this.rows.push(this.#hidden ? { ...shown, hidden: true } : shown);
  }

  #hideColumns({ hidden, min, max }: Attributes): void {
    if (!isTrue(hidden)) return;
    const last = Math.min(wholeNumber(max, 0), LAST_COLUMN);
    for (let column = wholeNumber(min, 1); column <= last; column += 1) this.hiddenColumns.add(column - 1);
  }

  #merge({ ref = '' }: Attributes): void {
    const range = parseRange(ref);
    if (range !== undefined) this.merged.push(range);
    if (this.merged.length > MOST_MERGED) throw new Error(`it has more than ${MOST_MERGED} merged ranges`);
  }
}

/** Refuses a cell with two values, since nobody knows which is valid. */
function refuseTwice(row: number, cells: readonly SheetCell[]): void {
  if (cells.every(({ column }, index) => column > (cells[index - 1]?.column ?? -1))) return;
  const columns = new Set<number>();
  for (const { column } of cells) {
    if (columns.has(column)) throw new Error(`row ${row} has the cell ${columnLetters(column)}${row} twice`);
    columns.add(column);
  }
}

/** Spreadsheet programs accept 32,767. */
export const MOST_CELL_CHARACTERS = 1_000_000;
export const MOST_ROW_CHARACTERS = 16_000_000;
export const MOST_MERGED = 1_000_000;

function openCell({ r: reference, t: type = 'n', s: style }: Attributes, next: number): OpenCell {
  const column = reference === undefined ? next : columnOfCell(reference);
  return { column, type, style: wholeNumber(style, 0), value: undefined, formula: 'plain' };
}

/** `AB12` is in column 27. */
function columnOfCell(reference: string): number {
  const letters = /^[A-Z]{1,3}/i.exec(reference)?.[0] ?? '';
  const column = columnIndex(letters);
  if (column < 0 || column >= LAST_COLUMN) throw new Error(`the cell reference "${reference}" is invalid`);
  return column;
}

function rowNumberOf(reference: string | undefined, next: number): number {
  const row = wholeNumber(reference, next);
  if (row > LAST_ROW) throw new Error(`the row number ${row} is too large`);
  return row;
}

const wholeNumber = (text: string | undefined, otherwise: number): number =>
  text === undefined || !/^\d+$/.test(text) ? otherwise : Number(text);
