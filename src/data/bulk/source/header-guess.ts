import { foldName } from './headers.js';
import { isEmpty } from './source-table.js';

/** Number of rows to examine for the header. */
export const LOOKED_AT = 50;

/** A row with its number and its cells. */
export interface HeaderLine {
  readonly row: number;
  readonly cells: readonly string[];
}

/** A row that may be the header, with a score and its reason. */
export interface HeaderCandidate {
  readonly row: number;
  readonly cells: readonly string[];
  /** From 0 to 1. */
  readonly score: number;
  readonly reason: string;
}

/**
 * Finds rows that look like headers, the best first: they fill as many columns as the table has, with texts that all
 * differ and no numbers, and are above rows at least half as wide.
 */
export function headerCandidates(lines: readonly HeaderLine[]): readonly HeaderCandidate[] {
  const looked = lines.slice(0, LOOKED_AT);
  const widths = looked.map(({ cells }) => filledCells(cells).length);
  const usual = usualWidth(widths);
  return looked
    .map((line, index) => scoreLine(line, usual, widths.slice(index + 1)))
    .filter(({ cells }) => filledCells(cells).length > 0)
    .sort((a, b) => b.score - a.score || a.row - b.row);
}

/** Finds a row that is more certainly the header than `header`, which fills at most half as many of its columns. */
export function betterHeader(header: HeaderLine, lines: readonly HeaderLine[]): HeaderCandidate | undefined {
  const [best] = headerCandidates([header, ...lines]);
  if (best === undefined || best.row === header.row) return undefined;
  const filled = filledCells(header.cells).length;
  return best.score >= 0.7 && filledCells(best.cells).length >= 2 * filled ? best : undefined;
}

/** Finds the row with most of these names, if it has more of them than the header and at least two. */
export function rowWithNames(
  lines: readonly HeaderLine[],
  names: readonly string[],
  header: readonly string[],
): HeaderLine | undefined {
  const wanted = new Set(names.map(foldName));
  const count = (cells: readonly string[]): number =>
    new Set(cells.map(foldName).filter((cell) => wanted.has(cell))).size;
  const least = Math.max(Math.min(2, wanted.size), count(header) + 1);
  const [best] = lines
    .map((line) => ({ line, has: count(line.cells) }))
    .filter(({ has }) => has >= least)
    .sort((a, b) => b.has - a.has || a.line.row - b.line.row);
  return best?.line;
}

function scoreLine({ row, cells }: HeaderLine, usual: number, below: readonly number[]): HeaderCandidate {
  const filled = filledCells(cells);
  const distinct = new Set(filled.map((cell) => cell.trim().toLowerCase())).size;
  const texts = filled.filter((cell) => !isNumeric(cell)).length;
  const width = Math.min(1, filled.length / Math.max(1, usual));
  const like =
    below.slice(0, 5).filter((other) => other * 2 >= filled.length).length / Math.max(1, Math.min(5, below.length));
  const score =
    width * (texts / Math.max(1, filled.length)) ** 2 * (distinct / Math.max(1, filled.length)) * (0.5 + like / 2);
  const reason = `${filled.length} filled cells, ${distinct} different, ${texts} not numeric`;
  return { row, cells, score: Math.round(score * 100) / 100, reason };
}

const filledCells = (cells: readonly string[]): string[] => cells.filter((cell) => !isEmpty(cell));

/** The width that a fifth of the rows reach: summaries are narrower, and a title has one cell. */
function usualWidth(widths: readonly number[]): number {
  const sorted = [...widths].sort((a, b) => b - a);
  return sorted[Math.floor(sorted.length / 5)] ?? 0;
}

/** Whether a cell is a number as people write it, or a date. */
export const isNumeric = (cell: string): boolean =>
  /^[\s€$£]*[+-]?\d[\d.,\s]*[%€$£]?\s*$/.test(cell) || /^\d{4}-\d\d-\d\d/.test(cell);
