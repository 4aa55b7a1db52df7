import { betterHeader, type HeaderLine, isNumeric } from '../source/header-guess.js';
import { isEmpty } from '../source/source-table.js';
import { bareHeader, roleNamed } from './column-names.js';
import { isShop } from './shops.js';

/** Position of a table's header, as a source states it. */
export interface FoundHeader {
  /** Absent if the table has no header. */
  readonly row?: number;
  readonly rows: 0 | 1 | 2;
  /** Beginning of the lines above the header that are not part of the table. */
  readonly comment?: '#';
  /** The first row with data. */
  readonly firstRow: number;
}

/** Finds the header among the first rows of a table, of which there is at least one. */
export function findHeader(given: readonly HeaderLine[]): FoundHeader {
  const usual = usualWidth(given);
  const isComment = (line: HeaderLine): boolean =>
    /^#\s*\S/.test(firstText(line)) && filledOf(line).length * 2 <= Math.max(2, usual);
  const comments = given.filter(isComment);
  const lines = given.filter((line) => !comments.includes(line));
  const comment = comments.length === 0 || lines.length === 0 ? {} : { comment: '#' as const };
  const at = headerIndex(lines);
  const header = lines[at];
  if (header === undefined) return { rows: 1, firstRow: given[0]?.row ?? 1, ...comment };
  if (isData(header, lines.slice(at + 1))) return { rows: 0, firstRow: header.row, ...comment };
  const [upper, lower] = [lines[at - 1], lines[at + 1]];
  if (upper !== undefined && isGroupRow(upper, header))
    return { row: upper.row, rows: 2, firstRow: header.row + 1, ...comment };
  const isDouble = lower !== undefined && isSubHeader(header, lower, lines.slice(at + 2));
  return { row: header.row, rows: isDouble ? 2 : 1, firstRow: (isDouble ? lower.row : header.row) + 1, ...comment };
}

/** Whether at least two cells of a row are usual names of columns. */
export const hasNames = (line: HeaderLine | undefined): boolean =>
  line !== undefined && filledOf(line).filter((cell) => isName(cell)).length >= 2;

/** Whether the first of some rows is a header: usual names, and texts above numbers. */
export function hasOwnHeader([first, ...rest]: readonly HeaderLine[]): boolean {
  if (first === undefined || rest.length === 0) return false;
  return hasNames(first) && !filledOf(first).some(isNumeric) && columnsAbove(first, rest).length > 0;
}

/** The row with the most usual names of columns; without at least two, the first unless another is better. */
function headerIndex(lines: readonly HeaderLine[]): number {
  const named = lines.map((line) => filledOf(line).filter((cell) => isName(cell)).length);
  const most = named.reduce((one, other) => Math.max(one, other), 0);
  const first = lines[0];
  if (first === undefined) return -1;
  if (most >= 2 && (named[0] ?? 0) * 2 < most) return named.indexOf(most);
  const better = betterHeader(first, lines.slice(1));
  return better === undefined ? 0 : lines.findIndex(({ row }) => row === better.row);
}

/** Whether a row is data: no usual name, and some number, or only codes with digits. */
function isData(line: HeaderLine, below: readonly HeaderLine[]): boolean {
  const cells = filledOf(line);
  if (below.length === 0 || cells.some((cell) => isName(cell))) return false;
  return cells.some(isNumeric) || cells.every((cell) => /\d/.test(cell) && !/\s/.test(cell.trim()));
}

/** Whether a row groups columns: it names a column without a name, or distinguishes columns with the same name. */
function isGroupRow(upper: HeaderLine, header: HeaderLine): boolean {
  const cells = filledOf(upper);
  if (upper.row + 1 !== header.row || cells.length < 2 || cells.some(isNumeric)) return false;
  const lower = filledOf(header).map((cell) => cell.trim().toLowerCase());
  const names = upper.cells.some((cell, column) => !isEmpty(cell) && isEmpty(header.cells[column] ?? ''));
  return names || new Set(lower).size < lower.length;
}

/** Whether a row completes the header: it has usual names too, or texts above numbers in columns without a name yet. */
function isSubHeader(header: HeaderLine, lower: HeaderLine, below: readonly HeaderLine[]): boolean {
  if (lower.row !== header.row + 1) return false;
  const isBelowNames = lower.cells.every((cell, column) => isEmpty(cell) || !isEmpty(header.cells[column] ?? ''));
  if (isBelowNames && filledOf(lower).some(isNumeric)) return false;
  const isOther = !lower.cells.some((cell, column) => !isEmpty(cell) && cell === header.cells[column]);
  // A row of data may have one unit in two columns.
  const names = new Set(filledOf(lower).filter((cell) => isName(cell)));
  if (names.size >= 2 && isOther) return below.length > 0;
  if (filledOf(lower).some(isNumeric)) return false;
  return columnsAbove(lower, below).some((column) => isEmpty(header.cells[column] ?? ''));
}

/** Columns with a text above cells that are mostly numbers. */
function columnsAbove(line: HeaderLine, below: readonly HeaderLine[]): number[] {
  return line.cells.flatMap((cell, column) => {
    const values = below.map(({ cells }) => cells[column] ?? '').filter((value) => !isEmpty(value));
    const numbers = values.filter(isNumeric).length;
    return !isEmpty(cell) && !isNumeric(cell) && numbers > 0 && numbers * 10 >= values.length * 6 ? [column] : [];
  });
}

const filledOf = ({ cells }: HeaderLine): string[] => cells.filter((cell) => !isEmpty(cell));

const firstText = (line: HeaderLine): string => filledOf(line)[0]?.trim() ?? '';

function usualWidth(lines: readonly HeaderLine[]): number {
  const widths = lines.map((line) => filledOf(line).length).sort((a, b) => b - a);
  return widths[Math.floor(widths.length / 3)] ?? 0;
}

/** Usual names of columns that have no meaning of their own. */
const VAGUE =
  /^(?:parts?|teile?|piece|pieza|czesc|onderdeel|pezzo|artikel|article|articulo|artykul|articolo|material)$/;

/** The name of a shop alone is a supplier in a row as often as a header. */
const isName = (cell: string): boolean =>
  (roleNamed(cell) !== undefined && !isShop(cell)) || VAGUE.test(bareHeader(cell));
