import { omitUndefined } from '#base/omit-undefined.js';
import { errorFault, valuelessFault } from './cell-faults.js';
import { type CellRange, LAST_COLUMN, LAST_ROW } from './cell-range.js';
import { numberText } from './number-text.js';
import type { OdsFormats } from './ods-formats.js';
import { OdsText } from './ods-text.js';
import type { RawRow } from './raw-table.js';
import { MOST_CELL_CHARACTERS, MOST_MERGED, MOST_ROW_CHARACTERS } from './sheet-rows.js';
import type { CellFault } from './source-table.js';
import type { Attributes, XmlHandler } from './xml-events.js';

/** Cells that repetitions may add to a sheet; a few characters can ask for millions. */
const MOST_REPEATED = 10_000_000;

const NOT_SHOWN = ['collapse', 'filter'];

/** Reads the rows of the sheet at `position` in a content part (OpenDocument 1.3 part 3, 9.1), once and without keeping any. */
export class OdsRows implements XmlHandler {
  readonly hiddenColumns = new Set<number>();
  readonly merged: CellRange[] = [];
  rows: RawRow[] = [];
  readonly #formats: OdsFormats;
  readonly #position: number;
  readonly #text = new OdsText();
  #tables = 0;
  /** How deep in tables: those within a cell are no rows of the sheet. */
  #depth = 0;
  #groups = 0;
  #columns = 0;
  readonly #columnStyles: { readonly last: number; readonly style: string | undefined }[] = [];
  #row: { readonly attributes: Attributes; readonly cells: string[]; readonly faults: CellFault[] } | undefined;
  /** The number of the row, and of the cell in it, that comes next. */
  #next = 1;
  #column = 0;
  #cell: Attributes | undefined;
  #characters = 0;
  #repeated = 0;

  constructor(formats: OdsFormats, position: number) {
    this.#formats = formats;
    this.#position = position;
  }

  release(): readonly RawRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  /** Whether the sheet has been read to its end. */
  get isDone(): boolean {
    return this.#tables > this.#position + 1 || (this.#tables === this.#position + 1 && this.#depth === 0);
  }

  open(name: string, attributes: Attributes): void {
    if (this.#cell !== undefined) this.#text.open(name, attributes);
    else if (name === 'table') this.#openTable();
    else if (this.#tables === 0) this.#formats.open(name, attributes);
    else if (this.#isInSheet()) this.#openInSheet(name, attributes);
  }

  text(text: string): void {
    if (this.#tables === 0) this.#formats.text(text);
    else if (this.#cell !== undefined) this.#text.text(text);
    if (this.#text.length > MOST_CELL_CHARACTERS) {
      throw new Error(`row ${this.#next} has a cell with more than ${MOST_CELL_CHARACTERS} characters`);
    }
  }

  close(name: string): void {
    if (this.#cell !== undefined) {
      if (this.#text.depth > 0) this.#text.close();
      else this.#closeCell(this.#cell);
    } else if (this.#tables === 0) this.#formats.close(name);
    else if (name === 'table') this.#depth -= 1;
    else if (!this.#isInSheet()) return;
    else if (name === 'table-row') this.#closeRow();
    else if (name === 'table-row-group') this.#groups -= 1;
  }

  #isInSheet(): boolean {
    return this.#tables === this.#position + 1 && this.#depth === 1;
  }

  #openTable(): void {
    if (this.#depth === 0) this.#tables += 1;
    this.#depth += 1;
  }

  #openInSheet(name: string, attributes: Attributes): void {
    if (name === 'table-cell' || name === 'covered-table-cell') this.#cell = attributes;
    else if (name === 'table-row') this.#openRow(attributes);
    else if (name === 'table-column') this.#addColumns(attributes);
    else if (name === 'table-row-group') this.#groups += 1;
  }

  #addColumns(attributes: Attributes): void {
    const first = this.#columns;
    this.#columns = Math.min(first + countOf(attributes, 'columns'), LAST_COLUMN);
    this.#columnStyles.push({ last: this.#columns, style: attributes['table:default-cell-style-name'] });
    if (!NOT_SHOWN.includes(attributes['table:visibility'] ?? '')) return;
    for (let column = first; column < this.#columns; column += 1) this.hiddenColumns.add(column);
  }

  #openRow(attributes: Attributes): void {
    this.#row = { attributes, cells: [], faults: [] };
    this.#column = 0;
    this.#characters = 0;
  }

  #closeCell(cell: Attributes): void {
    this.#cell = undefined;
    const shown = this.#text.take();
    const count = countOf(cell, 'columns');
    const first = this.#column;
    const value = this.#valueOf(cell, shown);
    const fault = faultOf(cell, shown, first);
    this.#merge(cell, first);
    this.#column += count;
    if (this.#row === undefined || (value === '' && fault === undefined)) return;
    if (this.#column > LAST_COLUMN) throw new Error(`row ${this.#next} has more than ${LAST_COLUMN} cells`);
    const { cells, faults } = this.#row;
    while (cells.length < first) cells.push('');
    this.#count(count - 1);
    for (let column = first; column < this.#column; column += 1) {
      cells.push(value);
      if (fault !== undefined) faults.push({ ...fault, index: column });
    }
    this.#characters += value.length * count;
    if (this.#characters > MOST_ROW_CHARACTERS) {
      throw new Error(`row ${this.#next} has more than ${MOST_ROW_CHARACTERS} characters`);
    }
  }

  #closeRow(): void {
    const { attributes, cells, faults } = this.#row ?? { attributes: {}, cells: [], faults: [] };
    this.#row = undefined;
    const count = countOf(attributes, 'rows');
    const first = this.#next;
    this.#next += count;
    if (cells.length === 0) return;
    if (this.#next > LAST_ROW + 1) throw new Error(`the row number ${this.#next - 1} is too large`);
    this.#count((count - 1) * cells.length);
    const common = {
      cells,
      ...omitUndefined({
        faults: faults.length === 0 ? undefined : faults,
        hidden: NOT_SHOWN.includes(attributes['table:visibility'] ?? '') ? (true as const) : undefined,
        outline: this.#groups === 0 ? undefined : this.#groups,
      }),
    };
    for (let row = first; row < this.#next; row += 1) this.rows.push({ row, ...common });
  }

  #count(repeated: number): void {
    this.#repeated += repeated;
    if (this.#repeated > MOST_REPEATED) {
      throw new Error(`it repeats cells more than ${MOST_REPEATED} times (row ${this.#next})`);
    }
  }

  #merge(cell: Attributes, left: number): void {
    const [columns, rows] = [spanOf(cell, 'columns'), spanOf(cell, 'rows')];
    if (columns === 1 && rows === 1) return;
    this.merged.push({ top: this.#next, bottom: this.#next + rows - 1, left, right: left + columns - 1 });
    if (this.merged.length > MOST_MERGED) throw new Error(`it has more than ${MOST_MERGED} merged ranges`);
  }

  /** The text of a cell by its type (OpenDocument 1.3 part 3, 19.385), in the form in which XLSX cells are read. */
  #valueOf(cell: Attributes, shown = ''): string {
    const type = cell['office:value-type'] ?? '';
    const value = cell[`office:${ATTRIBUTES[type] ?? 'value'}`];
    if (value === undefined || cell['calcext:value-type'] === 'error') return shown;
    switch (type) {
      case 'string':
        return value;
      case 'boolean':
        return value.toUpperCase();
      case 'date':
        return value.replace(/[.,]\d+$/, '').replace(/T00:00:00$/, '');
      case 'time':
        return timeText(value);
      default:
        return numberText(value, type === 'percentage' ? 'General' : this.#formatOf(cell), '1900');
    }
  }

  #formatOf(cell: Attributes): string {
    const own = cell['table:style-name'] ?? this.#row?.attributes['table:default-cell-style-name'];
    return this.#formats.formatOf(own ?? this.#columnStyles.find(({ last }) => this.#column < last)?.style);
  }
}

function faultOf(cell: Attributes, shown: string | undefined, column: number): CellFault | undefined {
  if (cell['calcext:value-type'] === 'error') return errorFault(column, shown);
  const isOpen = cell['table:formula'] !== undefined && cell['office:value-type'] === undefined && shown === undefined;
  return isOpen ? valuelessFault(column) : undefined;
}

/** Where a cell has its value, by its type; numbers have it in `office:value`. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  string: 'string-value',
  boolean: 'boolean-value',
  date: 'date-value',
  time: 'time-value',
};

/** Converts a duration such as PT10H30M00S to 10:30:00. */
function timeText(duration: string): string {
  const [, hours, minutes, seconds] = /^PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S$/.exec(duration) ?? [];
  return hours === undefined ? duration : [hours, minutes, seconds].map((part = '') => part.padStart(2, '0')).join(':');
}

const wholeNumber = (text: string | undefined): number =>
  text === undefined || !/^\d{1,9}$/.test(text) ? 1 : Math.max(1, Number(text));
const countOf = (attributes: Attributes, of: 'columns' | 'rows'): number =>
  wholeNumber(attributes[`table:number-${of}-repeated`]);
const spanOf = (attributes: Attributes, of: 'columns' | 'rows'): number =>
  wholeNumber(attributes[`table:number-${of}-spanned`]);
