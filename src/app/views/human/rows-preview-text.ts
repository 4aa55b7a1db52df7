import stringWidth from 'string-width';
import { excerpt, excerpts } from '#base/printable.js';
import type { RowChange, RowsPreview } from '#core/model/rows-preview.js';
import { countText } from './count-text.js';
import type { Palette } from './palette.js';
import {
  byParent,
  changedRows,
  comparisonText,
  doubtLines,
  keyText,
  oneLine,
  ROW_MARKS,
  rowCountsText,
  rowParent,
  rowText,
  uncomparedText,
  valueText,
} from './row-words.js';

/** How to show the rows of an import. */
export interface RowsShown {
  readonly palette: Palette;
  /** Columns of the terminal that are left for a line; undefined without a terminal. */
  readonly width?: number | undefined;
  /** The page with all rows, if one was written. */
  readonly page?: string | undefined;
}

/** Number of rows shown of an import, and of cells shown of a row; others are only counted. */
const SHOWN_ROWS = 10;
const SHOWN_CELLS = 8;
/** Length of a line without a terminal. */
const LINE = 120;

/** Describes what an import changes: the counts, and the first rows with their cells, below their parents. */
export function rowsPreviewLines(preview: RowsPreview, shown: RowsShown): string[] {
  const { counts, rows = [] } = preview;
  const { palette, page } = shown;
  if (counts === undefined) return [palette.yellow(uncomparedText(preview))];
  const ordered = byParent(rows);
  const more = changedRows(counts) - Math.min(rows.length, SHOWN_ROWS);
  return [
    `Rows: ${rowCountsText(preview)} (${comparisonText(preview)}).`,
    ...doubtLines(preview).map((line) => palette.yellow(line)),
    ...ordered.slice(0, SHOWN_ROWS).flatMap((row, index) => changeLines(row, ordered[index - 1], shown)),
    ...(more > 0 ? [palette.dim(`  and ${countText(more, 'more row')}${page === undefined ? MORE : ''}`)] : []),
    ...(page === undefined ? [] : [`Page: ${page}`]),
  ];
}

const MORE = '; `dexsync plan --preview-pages <folder>` shows all of them';

type Tone = 'green' | 'yellow' | 'red' | 'dim';

const TONES: Readonly<Record<RowChange['change'], Tone>> = {
  new: 'green',
  changed: 'yellow',
  removed: 'red',
  gone: 'dim',
  refused: 'red',
  kept: 'yellow',
};

/** The key of a row, and its place in the file. */
function rowName(row: RowChange): string {
  const key = rowParent(row) === undefined ? row.key : row.key.slice(1);
  return `${oneLine(keyText(key))}${rowText(row)}`;
}

function changeLines(row: RowChange, before: RowChange | undefined, { palette, width = LINE }: RowsShown): string[] {
  const { change, cells = [], why } = row;
  const parent = rowParent(row);
  const isNext = parent !== undefined && (before === undefined || rowParent(before) !== parent);
  const indent = parent === undefined ? '  ' : '    ';
  const head = `${indent}${palette[TONES[change]](ROW_MARKS[change])} ${rowName(row)}`;
  const lines =
    change === 'changed'
      ? changedLines(head, cells, { palette, width, indent })
      : [
          withinRoom(head, change === 'gone' ? (why ?? 'no longer in the file') : why, cells, width),
          ...notPutBack(row, indent, palette),
        ];
  return [...(isNext ? [`  ${oneLine(parent)}`] : []), ...lines];
}

/** Values that an undo leaves out because somebody has changed the record since. */
function notPutBack({ change, cells = [] }: RowChange, indent: string, palette: Palette): string[] {
  if (change !== 'kept' || cells.length === 0) return [];
  const shown = cells.slice(0, SHOWN_CELLS).map((cell) => cellText(cell, palette, LINE - indent.length));
  const more = cells.length - shown.length;
  return [`${indent}    Not put back: ${shown.join(', ')}${more > 0 ? ` and ${countText(more, 'more cell')}` : ''}`];
}

interface Room {
  readonly palette: Palette;
  readonly width: number;
  readonly indent: string;
}

/** Shows a changed row on one line if it fits, otherwise with a line for each cell. */
function changedLines(head: string, cells: readonly CellChange[], { palette, width, indent }: Room): string[] {
  const below = `${indent}    `;
  const shown = cells.slice(0, SHOWN_CELLS).map((cell) => cellText(cell, palette, width - below.length));
  const whole = `${head}: ${shown.join(', ')}`;
  if (cells.length === shown.length && stringWidth(whole) <= width) return [whole];
  const more = cells.length - shown.length;
  return [
    `${head}:`,
    ...shown.map((cell) => `${below}${cell}`),
    ...(more > 0 ? [palette.dim(`${below}and ${countText(more, 'more cell')}`)] : []),
  ];
}

/** Shows an added or removed row, with as many of its cells as fit into the line. */
function withinRoom(head: string, why: string | undefined, cells: readonly CellChange[], room: number): string {
  if (why !== undefined) return `${head}: ${why}`;
  let line = head;
  for (const [index, { column, before, after }] of cells.entries()) {
    const more = `${index === 0 ? ': ' : ', '}${oneLine(column)} ${valueText(excerpt(after === '' ? before : after))}`;
    if (stringWidth(line + more) > room - END.length) return index === 0 ? head : `${line}${END}`;
    line += more;
  }
  return line;
}

const END = ', ...';

type CellChange = NonNullable<RowChange['cells']>[number];

const LONGEST_VALUE = 60;
const SHORTEST_VALUE = 12;
const SHORTEST_NAME = 16;
/** Columns for quotes, the arrow, and the marks of cut values. */
const AROUND_VALUES = 21;

/** Cuts long values only if the line has no room for them. */
function cellText({ column, before, after }: CellChange, palette: Palette, room: number): string {
  const name = excerpt(oneLine(column), Math.max(SHORTEST_NAME, Math.floor(room / 3)));
  const text = (most: number): string => {
    const [old, wanted] = excerpts(before, after, most);
    return `${name} ${palette.red(valueText(old))} -> ${palette.green(valueText(wanted))}`;
  };
  const whole = text(LONGEST_VALUE);
  if (stringWidth(whole) <= room) return whole;
  return text(Math.max(SHORTEST_VALUE, Math.floor((room - name.length - AROUND_VALUES) / 2)));
}
