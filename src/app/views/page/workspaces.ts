import { html, type Markup, type Part, pathOf } from '#base/pages/markup.js';
import type { EnvironmentStatus } from '../../operations/status.js';
import type { Known } from '../../server/knowledge.js';
import { countText } from '../human/count-text.js';
import { fleetSharesText } from '../human/status-text.js';
import { applyCell, didNotEnd, driftCell, nextCell, quotaText, releaseCell, waitingCell } from './environment-cells.js';
import { tag } from './frame.js';

/** Which environments to show: those of a total, and those whose names contain the words. */
export interface WorkspacesFilter {
  readonly show: string;
  readonly words: string;
}

interface Total {
  readonly key: string;
  readonly text: string;
  readonly tone: 'plain' | 'doubt' | 'bad';
  readonly has: (one: EnvironmentStatus) => boolean;
}

/** The totals at the top, each of which is a filter. */
const TOTALS: readonly Total[] = [
  { key: '', text: 'environments', tone: 'plain', has: () => true },
  { key: 'waiting', text: 'wait for a person', tone: 'doubt', has: ({ attention }) => attention },
  { key: 'behind', text: 'behind', tone: 'doubt', has: ({ release }) => (release?.behind ?? 0) > 0 },
  { key: 'drifted', text: 'drifted', tone: 'doubt', has: ({ seen }) => (seen?.drifted ?? 0) > 0 },
  { key: 'conflicts', text: 'in conflict', tone: 'bad', has: ({ release }) => (release?.conflicts ?? 0) > 0 },
  { key: 'kept', text: 'kept by a gate', tone: 'doubt', has: ({ next }) => (next?.closed.length ?? 0) > 0 },
  { key: 'plans', text: 'with plans', tone: 'doubt', has: ({ plans }) => plans.waiting > 0 },
  { key: 'rows', text: 'with missing rows', tone: 'doubt', has: ({ imports }) => imports.missing + imports.open > 0 },
  { key: 'failed', text: 'failed or unknown', tone: 'bad', has: didNotEnd },
  { key: 'used', text: 'in use', tone: 'plain', has: ({ locks }) => locks.length > 0 },
];

/** All environments in one dense table, with totals that filter it. */
export function workspacesPage({ environments, fleets }: Known, { show, words }: WorkspacesFilter): Markup {
  const named = environments.filter(({ environment }) => containsAll(environment, words));
  const chosen = TOTALS.find(({ key }) => key === show) ?? (TOTALS[0] as Total);
  const shown = named.filter(chosen.has);
  const totals = TOTALS.map((total) => ({ ...total, count: named.filter(total.has).length }));
  return html`<h1 class="unseen">Workspaces</h1>
<nav class="totals" aria-label="Totals" data-live="totals">${totals
    .filter(({ key, count }) => count > 0 || key === '' || key === chosen.key)
    .map((total) => totalLink(total, chosen.key, words))}</nav>
<form class="search" role="search" action="/">${show !== '' && html`<input type="hidden" name="show" value="${show}">`}
<label for="text">Environment</label><input id="text" name="q" type="search" value="${words}" autocomplete="off" placeholder="part of its name" title="Press / to search">
<button>Search</button>
<span id="count" role="status" data-live="count">${countText(shown.length, 'environment')}${shown.length < environments.length && ` of ${environments.length}`}</span></form>
<div data-live="list">${fleets.map((one) => html`<p class="note">${fleetSharesText(one)}</p>`)}
${shown.length === 0 ? html`<p class="empty">No environment is like that.</p>` : tableOf(shown)}</div>`;
}

const containsAll = (name: string, words: string): boolean =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.toLowerCase().includes(word));

function totalLink(
  { key, text, tone, count }: Total & { readonly count: number },
  chosen: string,
  words: string,
): Markup {
  const query = new URLSearchParams({ ...(key === '' ? {} : { show: key }), ...(words === '' ? {} : { q: words }) });
  const path = query.size === 0 ? '/' : `/?${query}`;
  const colour = count === 0 ? 'plain' : tone;
  return html`<a class="${colour}" href="${path}"${key === chosen && html` aria-current="true"`}><b>${count}</b> ${text}</a>`;
}

const HEAD = ['Environment', 'Release', 'Next', 'Drift', 'Waiting', 'Last apply', 'Quota left', 'In use'];

function tableOf(environments: readonly EnvironmentStatus[]): Markup {
  return html`<table class="dense">
<thead><tr>${HEAD.map((title) => html`<th scope="col"${title === 'Quota left' && html` class="number"`}>${title}</th>`)}</tr></thead>
<tbody>
${environments.map(rowOf)}</tbody>
</table>`;
}

function rowOf(one: EnvironmentStatus): Markup {
  const { environment, production, attention, problem, known } = one;
  const name = html`<a href="${pathOf('environments', environment)}">${environment}</a>${production && html` ${tag('production')}`}`;
  const unread =
    problem !== undefined ? tag('cannot be read', 'bad', problem.message) : !known && tag('not known here yet');
  const cells: readonly (readonly [Part, string?])[] = [
    [releaseCell(one)],
    [nextCell(one)],
    [driftCell(one)],
    [waitingCell(one)],
    [applyCell(one)],
    [quotaText(one), 'number'],
    [one.locks.map((by) => html`<span class="lock" title="${by}">${by}</span>`)],
  ];
  return html`<tr${attention && html` class="waits"`}><th scope="row">${name}${unread !== false && html` ${unread}`}</th>${cells.map(
    ([cell, className = ''], index) => cellOf(cell, className, HEAD[index + 1] ?? ''),
  )}</tr>\n`;
}

/** An empty cell takes no room where a row is a block. */
function cellOf(cell: Part, className: string, label: string): Markup {
  const isEmpty = cell === undefined || cell === false || (Array.isArray(cell) && cell.length === 0);
  const classes = [className, isEmpty ? 'none' : ''].join(' ').trim();
  return html`<td${classes !== '' && html` class="${classes}"`} data-label="${label}">${cell}</td>`;
}
