import { columnIndex, LAST_COLUMN } from './cell-range.js';
import { plainAttributes, plainText } from './plain-xml.js';
import type { SheetCell } from './sheet-cell.js';

const ROW = /<row((?: [^<>/]*)?)(\/?)>/y;
/** Cells as spreadsheet programs write them: attributes in this order; a value, one with a plain formula, or a text. */
const CELL =
  /<c(?: r="([A-Z]{1,3})\d+")?(?: s="(\d{1,9})")?(?: t="([a-zA-Z]+)")?(?:\/>|>(<f>[^<&\r]*<\/f>)?(?:<v>([^<\r]*)<\/v>|<is><t(?: xml:space="preserve")?>([^<\r]*)<\/t><\/is>)?<\/c>)/y;
const CLOSE = '</row>';

/** Reads a row of a worksheet in its usual form; undefined if it has another one. */
export function plainRow(
  text: string,
  start: number,
  end: number,
): { attributes: Readonly<Record<string, string>>; cells: SheetCell[] } | undefined {
  ROW.lastIndex = start;
  const [tag = '', given = '', empty] = ROW.exec(text) ?? [];
  const attributes = tag === '' ? undefined : plainAttributes(given);
  if (attributes === undefined) return undefined;
  const first = start + tag.length;
  const cells = empty === '/' ? [] : plainCells(text, first, end - CLOSE.length);
  return cells === undefined || (empty === '/' && first !== end) ? undefined : { attributes, cells };
}

function plainCells(text: string, start: number, end: number): SheetCell[] | undefined {
  const cells: SheetCell[] = [];
  let next = 0;
  for (CELL.lastIndex = start; CELL.lastIndex < end; ) {
    const found = CELL.exec(text);
    const cell = found === null ? undefined : cellOf(found, next);
    if (cell === undefined || cell.column >= LAST_COLUMN || cells.length === LAST_COLUMN) return undefined;
    cells.push(cell);
    next = cell.column + 1;
  }
  return CELL.lastIndex === end ? cells : undefined;
}

function cellOf([, letters, style, type = 'n', formula, value, inline]: RegExpExecArray, next: number) {
  const given = value ?? inline;
  const text = given === undefined ? undefined : plainText(given);
  if (given !== undefined && text === undefined) return undefined;
  if (formula?.includes(']]>')) return undefined;
  return {
    column: letters === undefined ? next : columnIndex(letters),
    type,
    style: style === undefined ? 0 : Number(style),
    value: text,
    formula: formula === undefined ? ('plain' as const) : ('formula' as const),
  };
}
