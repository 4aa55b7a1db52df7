import type { RowChange, RowsPreview } from '../../model/rows-preview.js';
import { excerpt, quoted } from '../../printable.js';
import type { Palette } from './palette.js';

const SHOWN_ROWS = 10;

/** What the rows of an import change: how many, and the first of them with their cells. */
export function rowsPreviewLines(preview: RowsPreview, palette: Palette): string[] {
  const { counts, rows = [], why } = preview;
  if (counts === undefined) return [palette.yellow(`Rows not compared with the workspace: ${why}.`)];
  const { changed, removed, gone = 0, refused, kept = 0 } = counts;
  const more = counts.new + changed + removed + gone + refused + kept - Math.min(rows.length, SHOWN_ROWS);
  return [
    `Rows: ${countsText(preview)} (${comparisonText(preview)}).`,
    ...columnsText(preview, palette),
    ...rows.slice(0, SHOWN_ROWS).map((row) => `  ${changeText(row, palette)}`),
    ...(more > 0 ? [palette.dim(`  and ${more} more`)] : []),
  ];
}

/** `2 new, 1 changed (3 cells), 40 unchanged`. */
function countsText({ counts }: RowsPreview): string {
  if (counts === undefined) return '';
  const { changed, cells, unchanged, removed, gone = 0, refused, kept = 0, notCompared } = counts;
  const parts: readonly [number, string][] = [
    [counts.new, 'new'],
    [changed, `changed (${cells} ${cells === 1 ? 'cell' : 'cells'})`],
    [removed, 'to be removed'],
    [refused, 'that the service will refuse'],
    [kept, 'left as they are, or in part'],
    [unchanged, 'unchanged'],
    [notCompared, 'not compared'],
    [gone, 'no longer in the file'],
  ];
  const said = parts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]));
  return said.length === 0 ? 'none' : said.join(', ');
}

function comparisonText({ by, requests, since }: RowsPreview): string {
  const cost = `${requests} ${requests === 1 ? 'request' : 'requests'}`;
  if (since !== undefined) return `compared with the last import, ${since.runs} of ${since.at.slice(0, 10)}; ${cost}`;
  return by === undefined ? 'compared with the workspace' : `compared with the workspace, ${by}; ${cost}`;
}

const columnsText = ({ columnsNotCompared: columns = [] }: RowsPreview, palette: Palette): string[] =>
  columns.length === 0
    ? []
    : [
        palette.yellow(
          `Not compared: ${columns.map((column) => `"${column}"`).join(', ')}, which the workspace does not show.`,
        ),
      ];

type Tone = 'green' | 'yellow' | 'red' | 'dim';

const MARKS: Readonly<Record<RowChange['change'], readonly [mark: string, tone: Tone]>> = {
  new: ['+', 'green'],
  changed: ['~', 'yellow'],
  removed: ['-', 'red'],
  gone: ['?', 'dim'],
  refused: ['✗', 'red'],
  kept: ['!', 'yellow'],
};

/** `~ 20-0001: Cost 3 -> 4, Name "a" -> "b"`. */
function changeText({ change, row, key, cells = [], why }: RowChange, palette: Palette): string {
  const [mark, tone] = MARKS[change];
  const where = row === undefined ? '' : ` (row ${row})`;
  const head = `${palette[tone](mark)} ${excerpt(key.join(' / '))}${where}`;
  if (change === 'changed') return `${head}: ${cells.map((cell) => cellText(cell, palette)).join(', ')}`;
  if (change === 'gone') return `${head}: no longer in the file`;
  if (why === undefined) return head;
  const wanted = change === 'kept' ? cells.map((cell) => cellText(cell, palette)).join(', ') : '';
  return wanted === '' ? `${head}: ${why}` : `${head}: ${why} Not put back: ${wanted}`;
}

function cellText({ column, before, after }: NonNullable<RowChange['cells']>[number], palette: Palette): string {
  return `${column} ${palette.red(rowValueText(before))} -> ${palette.green(rowValueText(after))}`;
}

const PLAIN = /^-?\d+(\.\d+)?$/;

/** The value of a cell, short and in quotes unless it is a number. */
export function rowValueText(text: string): string {
  if (text === '') return '(empty)';
  return PLAIN.test(text) ? text : quoted(excerpt(text));
}
