import { escapeHtml, groupedCount } from '#base/pages/html-page.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { RunReport } from '../run-report.js';

const CERTAINTIES = ['certain', 'by-row', 'by-key', 'doubtful'];

/** Frame of the table of failed rows, which the script fills. */
export function rowsSection({ errors, errorsInAll, causes, resource }: RunReport): string {
  if (errors.length === 0) return '';
  const kept =
    errors.length === errorsInAll
      ? ''
      : `<p class="bound">The table shows the first ${groupedCount(errors.length)} of ${groupedCount(errorsInAll)} errors; failed.csv has all of them.</p>`;
  const ofCauses = causes.map(
    ({ message, count }, index) => `<option value="${index}">${escapeHtml(`${shorten(message)} (${count})`)}</option>`,
  );
  const ofCertainty = CERTAINTIES.map((name) => `<option value="${name}">${name}</option>`);
  return `<section aria-labelledby="rows">
<h2 id="rows">Failed rows</h2>
${kept}<noscript><p class="bound">This table needs JavaScript; failed.csv has the same rows.</p></noscript>
<form class="filter" role="search">
<label>Text <input type="search" id="text" autocomplete="off" spellcheck="false"></label>
<label>Cause <select id="cause"><option value="">all</option>${ofCauses.join('')}</select></label>
<label>Certainty <select id="certainty"><option value="">all</option>${ofCertainty.join('')}</select></label>
<button type="reset">Clear</button>
<button type="button" id="copy">Copy these rows</button>
</form>
<p id="count" role="status" aria-live="polite"></p>
<nav class="pages" id="pages" aria-label="Pages"><button type="button" id="previous">Previous</button> <span id="page"></span> <button type="button" id="next">Next</button></nav>
<div class="wide" tabindex="0" role="region" aria-label="Failed rows"><table id="failed">
<thead><tr><th scope="col" class="number">Row</th><th scope="col">${resourceNamed(resource).isTree === undefined ? 'Number' : 'Parent › part'}</th><th scope="col">Column</th><th scope="col">Value</th><th scope="col">Message</th><th scope="col" class="number">Code</th><th scope="col">Certainty</th></tr></thead>
<tbody></tbody></table></div>
</section>
`;
}

const LONGEST = 80;

const shorten = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`);
