import { stringify } from 'yaml';
import type { Json } from '#core/model/json.js';
import { foldCell, unbreakableParts } from './fold-lines.js';
import { textWidth } from './text-width.js';

const GAP = 2;
const NARROWEST = 6;
const MOST_LINES = 8;

/**
 * Formats rows below a head to fit the terminal: narrows the widest columns first, between words as long as there is
 * room, and continues cells on the next line. Cuts only cells of more than MOST_LINES, with an ellipsis. Folds nothing
 * without a width (no terminal).
 */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string {
  const cells = rows.map((row) => row.map(oneLine));
  const widths = columnWidths(head, cells, width);
  const linesOf = (cell: string, column: number): string[] =>
    width === undefined ? [cell] : cellLines(cell, widths[column] ?? NARROWEST);
  return [head, ...cells].map((row) => rowText(row.map(linesOf), widths)).join('');
}

/** Puts cells side by side, each with as many lines as it has. */
function rowText(cells: readonly (readonly string[])[], widths: readonly number[]): string {
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  const padded = (text: string, column: number): string =>
    text + ' '.repeat(Math.max(0, (widths[column] ?? 0) - textWidth(text)) + GAP);
  return Array.from({ length: height }, (_, line) => {
    const text = cells.map((lines, column) => padded(lines[line] ?? '', column)).join('');
    return `${text.trimEnd()}\n`;
  }).join('');
}

/** Formats a value for a cell: lists as their entries, no value as an empty text. */
export function cellText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  return typeof value === 'object' ? yamlFlow(value) : String(value);
}

/** `{ resource: CHANGE, actions: [ READ ] }`, as in a manifest. */
const yamlFlow = (value: Json): string => stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

function cellLines(cell: string, width: number): string[] {
  if (textWidth(cell) <= width) return [cell];
  const lines = foldCell(cell, width).split('\n');
  if (lines.length <= MOST_LINES) return lines;
  const last = lines[MOST_LINES - 1] ?? '';
  return [...lines.slice(0, MOST_LINES - 1), last.length < width ? `${last}…` : `${last.slice(0, width - 1)}…`];
}

function columnWidths(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): number[] {
  const columns = head.map((title, column) => [title, ...rows.map((row) => row[column] ?? '')]);
  const natural = columns.map(widestOf);
  const room = (width ?? Number.POSITIVE_INFINITY) - GAP * head.length;
  if (natural.reduce((sum, one) => sum + one, 0) <= room) return natural;
  const words = columns.map((cells) => widestOf(cells.flatMap(unbreakableParts)));
  return fitWidths(
    fitWidths(natural, words, room),
    words.map(() => NARROWEST),
    room,
  );
}

/** Avoids spreading: a column may have more entries than a call takes arguments. */
const widestOf = (texts: readonly string[]): number =>
  texts.reduce((widest, text) => Math.max(widest, textWidth(text)), 0);

/** Narrows the widest columns above their minimum until all fit or none is above it. */
function fitWidths(natural: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...natural];
  for (let over = widths.reduce((sum, one) => sum + one, -room); over > 0; over -= 1) {
    const spare = widths.map((one, column) => (one > (least[column] ?? one) ? one : 0));
    const widest = spare.indexOf(Math.max(...spare));
    if (spare[widest] === 0) return widths;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
