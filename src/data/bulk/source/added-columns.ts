import type { ImportSource } from '#core/jobs/source.js';
import type { AddedColumn, PlaceColumn } from '#core/jobs/source-cells.js';
import { designatorCount, plainDesignators, readDesignators } from './designators.js';
import { columnNamed, findColumn } from './headers.js';
import { alreadyThere, isPlaceColumn } from './place-columns.js';
import { isEmpty, type SourceTable } from './source-table.js';

type Named = Pick<SourceTable, 'file' | 'worksheet' | 'headers' | 'headerRow' | 'header'>;

/** Columns that are computed from those of the file and follow them, and the content of their cells. */
export interface AddedColumns {
  readonly headers: readonly string[];
  /** Returns the cells of a row with those of these columns. */
  add(cells: readonly string[]): readonly string[];
}

/** Reads the columns that `columns` computes for a table; undefined if there are none. */
export function addedColumns(table: Named, { columns = {} }: ImportSource): AddedColumns | undefined {
  const made = Object.entries(columns).flatMap(([header, added]) => (isPlaceColumn(added) ? [] : [{ header, added }]));
  const headers = made.map(({ header }) => header);
  if (headers.length === 0) return undefined;
  const known = headers.find((header) => findColumn(table.headers, header) !== undefined);
  if (known !== undefined) throw alreadyThere(table, known);
  const { length: width } = table.headers;
  const cellsOf = made.map(({ added }) => cellMaker(table, added));
  return {
    headers,
    add: (cells) => [...cells.slice(0, width), ...cellsOf.map((cellOf) => cellOf(cells)), ...cells.slice(width)],
  };
}

type CellMaker = (cells: readonly string[]) => string;

type Computed = Exclude<AddedColumn, PlaceColumn | string | readonly string[]>;

function cellMaker(table: Named, added: Exclude<AddedColumn, PlaceColumn>): CellMaker {
  if (typeof added === 'string') return templateOf(table, added);
  if (Array.isArray(added)) return firstFilled(added.map((text) => templateOf(table, text)));
  const of = columnOf(added);
  const place = columnNamed(table, of, 'columns');
  const textOf: CellMaker = (cells) => (cells[place] ?? '').trim();
  if ('count' in added) return (cells) => countText(textOf(cells));
  if ('designators' in added) return (cells) => plainDesignators(textOf(cells));
  if ('bracketed' in added) return (cells) => bracketedPart(textOf(cells), added.part);
  if ('unit' in added) return (cells) => unitText(textOf(cells));
  return (cells) => partOf(textOf(cells), added);
}

function columnOf(added: Computed): string {
  if ('count' in added) return added.count;
  if ('designators' in added) return added.designators;
  if ('bracketed' in added) return added.bracketed;
  return 'unit' in added ? added.unit : added.split;
}

/** A number in square brackets before a name, as Odoo shows its products. */
export const BRACKETED = /^\[(?<number>[^\]]+)\]\s+(?<name>\S.*)$/s;

/** The text behind the digits of a number, their decimal marks, and spaces that group them. */
const unitText = (text: string): string =>
  /^[-+−]?\s*\d[\d.,'’\s]*(?<unit>.*)$/s.exec(text)?.groups?.unit?.trim() ?? '';

/** A range that makes no sense has no number, so that the missing quantity is seen. */
const countText = (text: string): string => {
  const designators = readDesignators(text);
  return designators.length === 0 ? '' : String(designatorCount(designators) ?? '');
};

function bracketedPart(text: string, part: 'number' | 'name'): string {
  const { number = text, name = text } = BRACKETED.exec(text)?.groups ?? {};
  return part === 'number' ? number : name;
}

function partOf(text: string, { at, part }: { readonly at: string; readonly part: 'first' | 'second' }): string {
  const place = text.indexOf(at);
  if (place < 0) return part === 'first' ? text : '';
  return (part === 'first' ? text.slice(0, place) : text.slice(place + at.length)).trim();
}

const firstFilled =
  (texts: readonly CellMaker[]): CellMaker =>
  (cells) =>
    texts.reduce((found, textOf) => found || textOf(cells), '');

const inOneLine = (cell: string): string => cell.trim().replaceAll(/\s*[\r\n]+\s*/g, ' ');

/** The parts between braces are columns. A brace cannot be part of a text, and the text has one line. */
function templateOf(table: Named, template: string): CellMaker {
  const parts = template.split(/\{([^{}]*)\}/);
  const places = parts.map((part, index) => (index % 2 === 0 ? part : columnNamed(table, part, 'columns')));
  return (cells) => {
    const filled = places.map((place) => (typeof place === 'string' ? place : inOneLine(cells[place] ?? '')));
    const isFilled = filled.some((text, index) => index % 2 === 1 && !isEmpty(text));
    return isFilled || parts.length === 1 ? filled.join('').trim() : '';
  };
}
