import { groupedCount } from '#base/pages/html-page.js';
import { type PageHead, ROW_MARKS, rowLabels } from './page-head.js';

const EXPLAINED = {
  new: 'the import creates it',
  changed: 'the old value is struck through, the new one underlined',
  removed: 'the import removes it',
  gone: 'it was imported before, or the file covers it, and it is not in the file',
  refused: 'the service will refuse it, for the reason below the row',
  kept: 'the undo leaves it as it is, for the reason below the row',
} as const;

/** Frame of the sheet that the script fills: legend of the marks, filters, pages. */
export function controlsSection({ counts, room }: PageHead): string {
  if (room.rows === 0) return '';
  const words = rowLabels(counts);
  const { gone = 0, kept = 0 } = counts;
  const number = { ...counts, gone, kept };
  const kinds = (Object.keys(EXPLAINED) as (keyof typeof EXPLAINED)[]).filter((kind) => number[kind] > 0);
  const options = kinds.map(
    (kind) => `<option value="${kind}">${words[kind]} (${groupedCount(number[kind])})</option>`,
  );
  const legend = kinds.map(
    (kind) => `<dt class="is-${kind}"><i>${ROW_MARKS[kind]}</i> ${words[kind]}</dt><dd>${EXPLAINED[kind]}</dd>`,
  );
  const unchanged =
    room.unchanged === 'shown' && counts.unchanged + counts.notCompared > 0
      ? `<label class="check"><input type="checkbox" id="unchanged"> Rows without a change (${groupedCount(counts.unchanged + counts.notCompared)})</label>`
      : '';
  return `<section aria-labelledby="rows">
<h2 id="rows">Rows</h2>
<details class="legend"${kinds.length === 0 ? '' : ' open'}><summary>What the marks mean</summary><dl>${legend.join('')}</dl></details>
<noscript><p class="notes">The rows need JavaScript, which this page runs without any connection.</p></noscript>
<form class="filter" role="search">
<label>Text <input type="search" id="text" autocomplete="off" spellcheck="false" title="Press / to search"></label>
<label>Rows <select id="kind"><option value="">all changes</option>${options.join('')}</select></label>
<label>Changed in <select id="column"><option value="">any column</option></select></label>
<label>Columns <select id="columns"><option value="all">all of the file</option><option value="imported">that are imported</option><option value="changed">with changes</option></select></label>
<label class="check" id="grouping" hidden><input type="checkbox" id="grouped" checked> Grouped by parent</label>
${unchanged}
<button type="reset">Clear</button>
</form>
<p id="count" role="status" aria-live="polite"></p>
<nav class="pages" id="pages" aria-label="Pages"><button type="button" id="previous">Previous</button> <span id="page"></span> <button type="button" id="next">Next</button></nav>
<div class="wide sheet" tabindex="0" role="region" aria-labelledby="rows"><table id="sheet"><thead></thead><tbody></tbody></table></div>
</section>
`;
}
