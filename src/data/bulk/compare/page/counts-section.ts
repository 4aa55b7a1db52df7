import { escapeHtml, groupedCount, htmlWithTimes } from '#base/pages/html-page.js';
import type { RowCounts, RowsPreview } from '#core/model/rows-preview.js';
import { type PageHead, type PageRoom, ROW_MARKS } from './page-head.js';

/** Name of the sheet, totals of its rows, and the two sides of the comparison. */
export function countsSection({ name, facts, preview, counts, definition, room }: PageHead): string {
  const { address, workspace, environment, at } = facts;
  const shown: readonly (readonly [string, string])[] = [
    ['Import', address],
    ['Definition', `${facts.definition} (${definition.resource}, mode ${definition.mode})`],
    ['Workspace', `${workspace} (environment ${environment})`],
    ['Compared with', comparedText(preview)],
    ['Plan made at', at],
  ];
  const notes = notesOf(preview, counts, room).map((note) => `<li>${escapeHtml(note)}</li>`);
  return `<header>
<h1>${escapeHtml(name)}</h1>
<p class="outcome ${room.changed === 0 ? 'good' : 'doubt'}">${room.changed === 0 ? 'No row changes anything.' : 'What this import would change.'}</p>
<ul class="tiles">${tiles(counts)}</ul>
<dl>${shown.map(([title, text]) => `<dt>${title}</dt><dd>${htmlWithTimes(text)}</dd>`).join('')}</dl>
${notes.length === 0 ? '' : `<ul class="notes">${notes.join('')}</ul>`}
</header>
`;
}

function tiles({ cells, notCompared, gone = 0, kept = 0, ...counts }: RowCounts): string {
  const shown: readonly (readonly [number, string, string, string])[] = [
    [counts.new, ROW_MARKS.new, 'new', 'good'],
    [counts.changed, ROW_MARKS.changed, `changed (${groupedCount(cells)} ${cells === 1 ? 'cell' : 'cells'})`, 'doubt'],
    [counts.removed, ROW_MARKS.removed, 'to be removed', 'bad'],
    [counts.refused, ROW_MARKS.refused, 'that the service will refuse', 'bad'],
    [kept, ROW_MARKS.kept, 'not undone, or not wholly', 'doubt'],
    [gone, ROW_MARKS.gone, 'not in the file', ''],
    [notCompared, '', 'not compared', 'doubt'],
    [counts.unchanged, '', 'unchanged', ''],
  ];
  return shown
    .filter(([count], index) => count > 0 || index === shown.length - 1)
    .map(
      ([count, mark, words, tone]) =>
        `<li class="${tone}"><b>${mark === '' ? '' : `<i aria-hidden="true">${mark}</i> `}${groupedCount(count)}</b> <span>${words}</span></li>`,
    )
    .join('');
}

const READINGS: Readonly<Record<string, string>> = {
  pages: 'read page by page',
  searches: 'read by searches',
  export: 'read by an export run',
};

function comparedText({ with: side, by, requests, since, why }: RowsPreview): string {
  const cost = `${groupedCount(requests)} ${requests === 1 ? 'request' : 'requests'}`;
  if (side === 'workspace') return `the workspace, ${by === undefined ? '' : `${READINGS[by] ?? by}, `}${cost}`;
  const which = since === undefined ? '' : `, ${since.runs} of ${since.at.slice(0, 10)}`;
  return `the last import${which}, ${cost}${why === undefined ? '' : `; not with the workspace: ${why}`}`;
}

function notesOf({ columnsNotCompared = [], goneWhy }: RowsPreview, counts: RowCounts, room: PageRoom): string[] {
  const all = counts.unchanged + counts.notCompared;
  const left = room.unchanged === 'left out' && all > 0;
  const rows = `${all === 1 ? 'row' : 'rows'}${counts.notCompared === 0 ? '' : ' without a known change'}`;
  const which = `${counts.notCompared === 0 ? 'unchanged ' : ''}${rows} ${all === 1 ? 'is' : 'are'}`;
  return [
    ...(goneWhy === undefined ? [] : [`Rows that are no longer in the file are not known: ${goneWhy}.`]),
    ...(columnsNotCompared.length === 0
      ? []
      : [
          `Not compared, because the workspace does not show it: ${columnsNotCompared.map((one) => `"${one}"`).join(', ')}.`,
        ]),
    ...(left ? [`${groupedCount(all)} ${which} not on this page.`] : []),
    ...(left && room.rows < room.changed
      ? [
          `This page has the first ${groupedCount(room.rows)} of ${groupedCount(room.changed)} changed rows; \`dexsync plan --json\` has all of them.`,
        ]
      : []),
  ];
}
