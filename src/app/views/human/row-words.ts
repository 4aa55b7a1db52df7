import { excerpt, quoted } from '#base/printable.js';
import type { RowChange, RowsPreview } from '#core/model/rows-preview.js';
import { countText } from './count-text.js';

/** The key of a row; a row without one gets its number from the service. */
export const keyText = (key: readonly string[]): string =>
  key.every((part) => part === '') ? 'next number' : key.join(' / ');

/** Counts the rows that do something or will be refused. */
export const changedRows = ({
  changed,
  removed,
  gone = 0,
  refused,
  kept = 0,
  ...counts
}: NonNullable<RowsPreview['counts']>): number => counts.new + changed + removed + gone + refused + kept;

/** `2 new, 1 changed (3 cells), 40 unchanged`. */
export function rowCountsText({ counts, covers }: RowsPreview): string {
  if (counts === undefined) return '';
  const { changed, cells, unchanged, removed, gone = 0, refused, kept = 0, notCompared } = counts;
  const parts: readonly [number, string][] = [
    [counts.new, 'new'],
    [changed, `changed (${countText(cells, 'cell')})`],
    [removed, 'to be removed'],
    [refused, 'that the service will refuse'],
    [kept, 'not undone, or not wholly'],
    [unchanged, 'unchanged'],
    [notCompared, 'not compared'],
    [gone, covers === undefined ? 'no longer in the file' : `not in the file, which covers ${covers}`],
  ];
  const said = parts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]));
  return said.length === 0 ? 'none' : said.join(', ');
}

const READINGS: Readonly<Record<string, string>> = {
  pages: 'by pages',
  searches: 'by searches',
  export: 'by an export run',
};

/** What rows were compared with, and how: `compared with the workspace by pages, 10 requests`. */
export function comparisonText({ by, requests, since }: RowsPreview): string {
  const cost = countText(requests, 'request');
  if (since !== undefined) return `compared with the last import, ${since.runs} of ${since.at.slice(0, 10)}, ${cost}`;
  return `compared with the workspace${by === undefined ? '' : ` ${READINGS[by] ?? `by ${by}`}, ${cost}`}`;
}

/** Sentences for a report: the counts of a preview, their source, and what the preview cannot say. */
export function previewSentences(preview: RowsPreview, page: string | undefined): string[] {
  if (preview.counts === undefined) return [uncomparedText(preview)];
  const head = `Rows: ${rowCountsText(preview)} (${comparisonText(preview)}).`;
  return [head, ...doubtLines(preview), ...(page === undefined ? [] : [`Page: ${page}`])];
}

/** Says that nothing was compared, and why. */
export const uncomparedText = ({ why }: RowsPreview): string =>
  `Rows not compared with the workspace${why === undefined ? '' : `: ${why}`}.`;

/** Lists what the comparison cannot say. */
export function doubtLines({ columnsNotCompared: columns = [], since, why, goneWhy }: RowsPreview): string[] {
  return [
    ...(goneWhy === undefined ? [] : [`Rows that are no longer in the file are not known: ${goneWhy}.`]),
    ...(since === undefined || why === undefined ? [] : [`Not compared with the workspace: ${why}.`]),
    ...(columns.length === 0
      ? []
      : [
          `Not compared: ${columns.map((column) => `"${oneLine(column)}"`).join(', ')}, which the workspace does not show.`,
        ]),
  ];
}

/** Groups rows by parent, wherever the file has them; rows that REPLACE removes are not in the file. */
export function byParent(rows: readonly RowChange[]): readonly RowChange[] {
  const groups = new Map<string, RowChange[]>();
  for (const row of rows) {
    const parent = rowParent(row) ?? '';
    const group = groups.get(parent);
    if (group === undefined) groups.set(parent, [row]);
    else group.push(row);
  }
  return [...groups.values()].flat();
}

/** The parent of a row that is a line of something, such as a BOM. */
export const rowParent = ({ key }: RowChange): string | undefined => (key.length > 1 ? key[0] : undefined);

/** The mark of a row. */
export const ROW_MARKS: Readonly<Record<RowChange['change'], string>> = {
  new: '+',
  changed: '~',
  removed: '-',
  gone: '?',
  refused: '✗',
  kept: '!',
};

/** Joins the lines of a text: headers and numbers of a sheet may have line breaks. */
export const oneLine = (text: string): string => excerpt(text.replaceAll(/\s+/g, ' '));

const PLAIN = /^-?\d+(\.\d+)?$/;

/** Formats the value of a cell for a sentence. */
export function valueText(text: string): string {
  if (text === '') return '(empty)';
  return PLAIN.test(text) ? text : quoted(text);
}

/** The row of a change as a text to add: ` (row 5)`, ` (row 5 of Frame)`; empty if the file does not have it. */
export const rowText = ({ row, worksheet }: Pick<RowChange, 'row' | 'worksheet'>): string =>
  row === undefined ? '' : ` (row ${row}${worksheet === undefined ? '' : ` of ${worksheet}`})`;
