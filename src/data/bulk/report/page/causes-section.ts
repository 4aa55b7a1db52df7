import { omitUndefined } from '#base/omit-undefined.js';
import { escapeHtml, groupedCount } from '#base/pages/html-page.js';
import { excerpt } from '#base/printable.js';
import type { ErrorGroup } from '#core/stream/row-error.js';
import { rowLabel } from '../../source/row-place.js';
import type { RunReport } from '../run-report.js';

const SHOWN = 100;

/** Section with the causes of failed rows, and a button that shows the rows of each cause. */
export function causesSection({ causes }: RunReport): string {
  if (causes.length === 0) return '';
  const rows = causes.slice(0, SHOWN).map(causeRow).join('\n');
  const more =
    causes.length > SHOWN
      ? `<p>The first ${SHOWN} of ${groupedCount(causes.length)} causes; report.json has all of them.</p>`
      : '';
  return `<section aria-labelledby="causes">
<h2 id="causes">Causes</h2>
<div class="wide"><table>
<thead><tr><th scope="col" class="number">Rows</th><th scope="col">Cause</th><th scope="col">What to do</th><th scope="col">Examples</th></tr></thead>
<tbody>
${rows}
</tbody></table></div>
${more}</section>
`;
}

function causeRow(group: ErrorGroup, index: number): string {
  const { code, message, count, explanation, advice = '', samples } = group;
  const said = `<span class="said">${escapeHtml(message)}${code === undefined ? '' : ` <code>${escapeHtml(String(code))}</code>`}</span>`;
  const plain = explanation === undefined ? said : `<strong>${escapeHtml(explanation)}</strong><br>${said}`;
  const examples = samples.map((sample) => `<li>${escapeHtml(sampleText(sample))}</li>`).join('');
  return `<tr><td class="number" data-label="Rows"><button type="button" class="cause" data-cause="${index}" title="Show the rows with this cause">${groupedCount(count)}</button></td><td data-label="Cause"><div class="long">${plain}</div></td><td data-label="What to do">${escapeHtml(advice)}</td><td data-label="Examples"><ul>${examples}</ul></td></tr>`;
}

function sampleText({ row, worksheet, key, column, value }: ErrorGroup['samples'][number]): string {
  const place = row === undefined ? 'row not found' : `row ${rowLabel({ row, ...omitUndefined({ worksheet }) })}`;
  const cell = column === undefined ? excerpt(key ?? '') : `${column} "${excerpt(value ?? '')}"`;
  return cell === '' ? place : `${place}: ${cell}`;
}
