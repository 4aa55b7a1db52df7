import { groupedCount } from '#base/pages/html-page.js';
import { html, type Markup, type Part, pathOf } from '#base/pages/markup.js';
import type { KnownImport } from '#data/imports/known-imports.js';
import type { ListedImports } from '../../operations/list-imports.js';
import { isPartial, nextText, runRange, stateText } from '../human/known-imports-text.js';
import { tag, time, withCommands } from './frame.js';
import { pageLink, pager } from './pager.js';

/** Which imports of an environment are shown. */
export interface ImportsChoice {
  readonly show: string;
  readonly from: number;
}

const COUNT = 100;

const FILTERS: readonly (readonly [key: string, text: string, tone: string, has: (one: KnownImport) => boolean])[] = [
  ['', 'imports', 'plain', () => true],
  ['waiting', 'open, or with missing rows', 'doubt', (one) => isOpen(one) || missingRows(one) > 0],
  [
    'failed',
    'with failed rows',
    'bad',
    ({ failed = 0, state }) => failed > 0 || state === 'failed' || state === 'lost',
  ],
];

/** The imports that were sent to an environment, newest first, or why they are not known. */
export function importsPage(environment: string, found: ListedImports | string, choice: ImportsChoice): Markup {
  const path = pathOf('environments', environment, 'imports');
  return html`<p class="path"><a href="${pathOf('environments', environment)}">${environment}</a></p>
<h1>Imports</h1>
<div data-live="list">${typeof found === 'string' ? html`<p class="empty">${withCommands(found)}</p>` : listOf(found, choice, path)}</div>`;
}

function listOf({ environment, imports }: ListedImports, { show, from }: ImportsChoice, path: string): Part {
  if (imports.length === 0) return html`<p class="empty">No import was sent yet.</p>`;
  const filters = FILTERS.map(([key, text, tone, has]) => ({ key, text, tone, found: imports.filter(has) }));
  const chosen = filters.find(({ key }) => key === show) ?? filters[0];
  const all = chosen?.found ?? [];
  const links = filters
    .filter(({ key, found }) => found.length > 0 || key === chosen?.key)
    .map(({ key, text, tone, found }) => {
      const href = pageLink({ path, query: queryOf(key), from: 0 });
      return html`<a class="${tone}" href="${href}"${key === chosen?.key && html` aria-current="true"`}><b>${groupedCount(found.length)}</b> ${text}</a>`;
    });
  return html`<nav class="totals" aria-label="Totals">${links}</nav>
${all.some((one) => nextText(one) !== '') && html`<p class="note">Commands here take <code>--env ${environment}</code>.</p>`}
${all.length === 0 ? html`<p class="empty">No import is like that.</p>` : tableOf(all.slice(from, from + COUNT), path)}
${pager({ from, count: COUNT, all: all.length, path, query: queryOf(chosen?.key ?? '') })}`;
}

const queryOf = (key: string): Record<string, string> => (key === '' ? {} : { show: key });

const HEAD = ['Import', 'State', 'Rows', 'Failed', 'Missing', 'Sent', 'What to do'];

const tableOf = (imports: readonly KnownImport[], path: string): Markup => html`<table class="dense imports">
<thead><tr>${HEAD.map((title) => html`<th scope="col"${['Rows', 'Failed', 'Missing'].includes(title) && html` class="number"`}>${title}</th>`)}</tr></thead>
<tbody>${imports.map((one) => rowOf(one, path))}</tbody></table>`;

function rowOf(one: KnownImport, path: string): Markup {
  const { file, at, rows, failed = 0, runs } = one;
  const missing = missingRows(one);
  const next = nextText(one);
  return html`<tr${(missing > 0 || isOpen(one)) && html` class="waits"`}><th scope="row"><a href="${path}${pathOf(runOf(one))}">${nameOf(one)}</a> <span class="dim">${runRange(runs)}${file !== nameOf(one) && html`, ${file}`}</span></th>
<td data-label="State">${stateTag(one)}</td>
${countCell('Rows', rows)}${countCell('Failed', failed, 'bad')}${countCell('Missing', missing, 'doubt')}
<td data-label="Sent">${time(at)}</td><td class="dim${next === '' && ' none'}">${withCommands(next)}</td></tr>\n`;
}

const countCell = (label: string, count: number | undefined, tone?: 'bad' | 'doubt'): Markup =>
  html`<td class="number${!count && ' none'}" data-label="${label}">${count === undefined || (count === 0 && tone !== undefined) ? '' : tone === undefined ? groupedCount(count) : tag(groupedCount(count), tone)}</td>`;

/** Rows of an import that are missing in the workspace, and that nobody accepted to stay out. */
export const missingRows = (one: KnownImport): number => (isPartial(one) ? (one.missing ?? 0) : 0);

/** Whether an import is not over. */
const isOpen = ({ rows, state }: KnownImport): boolean => rows === undefined && state !== 'failed';

/** How an import is named in paths and commands: by its first run, if the service numbers runs. */
export const runOf = (one: KnownImport): string => String(one.runs[0] ?? nameOf(one));

/** The name of an import without its kind. */
export const nameOf = ({ address }: KnownImport): string => address.slice(address.indexOf('/') + 1);

/** What became of an import, in the colour of its meaning. */
export function stateTag(one: KnownImport): Markup {
  const bad = ['failed', 'lost', 'rejected'].includes(one.state);
  const isWaiting = missingRows(one) > 0 || isOpen(one) || one.state === 'validated';
  return tag(stateText(one), bad ? 'bad' : isWaiting ? 'doubt' : 'good');
}
