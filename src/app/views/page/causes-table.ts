import { groupedCount } from '#base/pages/html-page.js';
import { html, type Markup, type Part } from '#base/pages/markup.js';
import { excerpt } from '#base/printable.js';
import type { ErrorGroup, Sample } from '#core/stream/row-error.js';

/** Where the causes are shown, and to whom. */
export interface CausesPlace {
  /** Of the page of the import. */
  readonly path: string;
  readonly cells: 'shown' | 'hidden';
  /** The cause whose rows are shown. */
  readonly cause?: number;
}

const MOST = 100;

/** The causes of failed rows, each with a link to its rows. What the service said and examples may contain cells. */
export function causesTable(causes: readonly ErrorGroup[], place: CausesPlace): Part {
  if (causes.length === 0) return undefined;
  const isShown = place.cells === 'shown';
  return html`<h2>Causes <span class="count">${groupedCount(causes.length)}</span></h2>
<table class="dense causes"><thead><tr><th scope="col" class="number">Rows</th><th scope="col">Cause</th><th scope="col">What to do</th>${isShown && html`<th scope="col">Examples</th>`}</tr></thead>
<tbody>${causes.slice(0, MOST).map((group, index) => rowOf(group, index, place))}</tbody></table>
${causes.length > MOST && html`<p class="dim">The first ${MOST} causes; report.json has all of them.</p>`}`;
}

function rowOf(
  { count, advice, samples, ...group }: ErrorGroup,
  index: number,
  { path, cells, cause }: CausesPlace,
): Markup {
  const rows = groupedCount(count);
  const link = html`<a href="${path}?cause=${index}#rows" title="Show the rows with this cause">${rows}</a>`;
  const examples = html`<td data-label="Examples"><ul class="plain">${samples.map((one) => html`<li>${sampleText(one)}</li>`)}</ul></td>`;
  return html`<tr${cause === index && html` class="chosen"`}><td class="number" data-label="Rows">${cells === 'shown' ? link : rows}</td><td data-label="Cause">${causeText(group, cells)}</td><td data-label="What to do">${advice}</td>${cells === 'shown' && examples}</tr>\n`;
}

function causeText(
  { code, message, explanation }: Pick<ErrorGroup, 'code' | 'message' | 'explanation'>,
  cells: CausesPlace['cells'],
): Part {
  const called = code !== undefined && html` <code>${code}</code>`;
  if (cells === 'hidden') return html`${explanation ?? 'An error that has no explanation here'}${called}`;
  return explanation === undefined
    ? html`${message}${called}`
    : html`${explanation} <span class="dim">${message}${called}</span>`;
}

function sampleText({ row, worksheet, key, column, value }: Sample): Part {
  const place = row === undefined ? 'row not found' : `row ${worksheet === undefined ? '' : `${worksheet}!`}${row}`;
  return html`<span class="dim">${place}</span> ${column === undefined ? excerpt(key ?? '') : html`${column} <q>${excerpt(value ?? '')}</q>`}`;
}
