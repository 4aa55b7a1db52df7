import { columnOf, LAST_COLUMN } from './cell-address.js';
import type { MergedRange } from './raw-table.js';
import { refuseHugeCell } from './workbook-limits.js';
import { type Attributes, readXml } from './xml-events.js';

/** A cell as its worksheet writes it (ECMA-376 part 1, 18.3.1.4). */
export interface SheetCell {
  /** From 0. */
  readonly column: number;
  /** `s` shared string, `str` formula text, `inlineStr`, `b`, `e` error, `d` ISO date, `n` number. */
  readonly type: string;
  readonly style: number;
  readonly value: string | undefined;
  readonly formula: 'formula' | 'plain';
}

export interface SheetRow {
  readonly row: number;
  readonly cells: readonly SheetCell[];
  readonly hidden?: true;
}

export interface Sheet {
  readonly batches: AsyncGenerator<readonly SheetRow[]>;
  /** From 0; complete with the first row, before which they stand. */
  readonly hiddenColumns: ReadonlySet<number>;
  /** Complete after the last row, behind which they stand. */
  readonly merged: readonly MergedRange[];
}

/**
 * The rows of a worksheet part, read from its XML: the library's own rows turn formula results that are booleans or
 * errors into numbers, keep only the last run of inline rich text, and pass every number through a float.
 */
export function readSheet(chunks: AsyncIterable<Uint8Array | string>): Sheet {
  const reader = new SheetReader();
  const { hiddenColumns, merged } = reader;
  return { batches: batchesOf(chunks, reader), hiddenColumns, merged };
}

async function* batchesOf(
  chunks: AsyncIterable<Uint8Array | string>,
  reader: SheetReader,
): AsyncGenerator<readonly SheetRow[]> {
  for await (const _ of readXml(chunks, reader)) {
    if (reader.rows.length > 0) yield reader.release();
  }
}

interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string | undefined;
  formula: 'formula' | 'plain';
}

class SheetReader {
  readonly hiddenColumns = new Set<number>();
  readonly merged: MergedRange[] = [];
  rows: SheetRow[] = [];
  #row = 0;
  #hidden = false;
  #cells: SheetCell[] = [];
  #cell: OpenCell | undefined;
  #capturing = false;
  #inPhonetic = false;

  release(): readonly SheetRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'row':
        this.#row = positive(attributes.r, this.#row + 1);
        this.#hidden = isTrue(attributes.hidden);
        this.#cells = [];
        return;
      case 'c':
        this.#cell = openCell(attributes, (this.#cells.at(-1)?.column ?? -1) + 1);
        return;
      case 'rPh':
        this.#inPhonetic = true;
        return;
      case 'col':
        this.#column(attributes);
        return;
      case 'mergeCell':
        this.#merge(attributes.ref ?? '');
        return;
      default:
        this.#inCell(name);
    }
  }

  close(name: string): void {
    if (name === 'c' && this.#cell !== undefined) {
      this.#cells.push(this.#cell);
      this.#cell = undefined;
    } else if (name === 'v' || name === 't') this.#capturing = false;
    else if (name === 'row') {
      const { rows } = this;
      rows.push(
        this.#hidden ? { row: this.#row, cells: this.#cells, hidden: true } : { row: this.#row, cells: this.#cells },
      );
    } else if (name === 'rPh') this.#inPhonetic = false;
  }

  text(text: string): void {
    const cell = this.#cell;
    if (!this.#capturing || cell?.value === undefined) return;
    cell.value += text;
    refuseHugeCell(cell.value.length, this.#row);
  }

  #inCell(name: string): void {
    const cell = this.#cell;
    if (cell === undefined) return;
    if (name === 'f') cell.formula = 'formula';
    else if (name === 'v' || (name === 't' && !this.#inPhonetic)) {
      cell.value ??= '';
      this.#capturing = true;
    }
  }

  #column({ hidden, min, max }: Attributes): void {
    if (!isTrue(hidden)) return;
    const last = Math.min(positive(max, 0), LAST_COLUMN);
    for (let column = positive(min, 1); column <= last; column += 1) this.hiddenColumns.add(column - 1);
  }

  #merge(reference: string): void {
    const [, left, top, right, bottom] = /^([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)$/i.exec(reference) ?? [];
    if (left === undefined || right === undefined) return;
    this.merged.push({ left: columnOf(left), top: Number(top), right: columnOf(right), bottom: Number(bottom) });
  }
}

const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true';

function openCell(attributes: Attributes, next: number): OpenCell {
  const reference = attributes.r;
  return {
    column: reference === undefined ? next : columnOfCell(reference),
    type: attributes.t ?? 'n',
    style: positive(attributes.s, 0),
    value: undefined,
    formula: 'plain',
  };
}

/** `AB12` is column 27. */
function columnOfCell(reference: string): number {
  const letters = /^[A-Z]{1,3}/i.exec(reference)?.[0] ?? '';
  const column = columnOf(letters);
  if (column < 0 || column >= LAST_COLUMN) throw new Error(`a cell called "${reference}"`);
  return column;
}

const positive = (text: string | undefined, otherwise: number): number =>
  text === undefined || !/^\d+$/.test(text) ? otherwise : Number(text);
