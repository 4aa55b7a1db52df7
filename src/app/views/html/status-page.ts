import { escapeHtml, groupedCount, htmlPage, htmlWithTimes } from '#base/pages/html-page.js';
import { toPrintable } from '#base/printable.js';
import type { EnvironmentStatus, Status } from '../../operations/status.js';
import { fleetSharesText, statusCells, statusHead, statusNotes } from '../human/status-text.js';

const STYLE = `
tr.waits th { box-shadow: inset 3px 0 var(--doubt); }
th[scope=row] { color: var(--ink); }
td { min-width: 120px; }
tbody tr:last-child th { border-bottom: 0; }
`;

/** What the ledger knows of all environments, as a page that makes no requests. `at`: when it was read, ISO 8601 in UTC. */
export function statusPage(found: Status, at: string): string {
  const { environments, fleets } = toPrintable(found);
  const waiting = environments.filter(({ attention }) => attention).length;
  const body = [
    `<h1>Environments</h1>\n<p class="outcome ${waiting === 0 ? 'good' : 'doubt'}">${outcomeOf(waiting)} As the ledger knows it at ${htmlWithTimes(at)}.</p>\n`,
    ...fleets.map((one) => `<p>${escapeHtml(fleetSharesText(one))}</p>\n`),
    tableOf(environments),
    notesOf(environments),
  ];
  return [...htmlPage({ title: `dexsync status: ${outcomeOf(waiting)}`, style: STYLE, body, data: ['null'] })].join('');
}

const outcomeOf = (waiting: number): string => {
  if (waiting === 0) return 'Nothing waits for a person.';
  return waiting === 1
    ? '1 environment waits for a person.'
    : `${groupedCount(waiting)} environments wait for a person.`;
};

function tableOf(environments: readonly EnvironmentStatus[]): string {
  const head = statusHead.map((title) => `<th scope="col">${escapeHtml(title)}</th>`).join('');
  const rows = environments.map((one) => {
    const [name = '', ...cells] = statusCells(one).map(escapeHtml);
    const start = `<tr${one.attention ? ' class="waits"' : ''}><th scope="row">${name}</th>`;
    return `${start}${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>\n`;
  });
  return `<div class="wide" tabindex="0" role="region" aria-label="Environments"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.join('')}</tbody>\n</table></div>\n`;
}

function notesOf(environments: readonly EnvironmentStatus[]): string {
  const notes = environments.flatMap((one) =>
    statusNotes(one).map((note) => `<dt>${escapeHtml(one.environment)}</dt><dd>${escapeHtml(note)}</dd>\n`),
  );
  return notes.length === 0 ? '' : `<h2>Notes</h2>\n<dl>\n${notes.join('')}</dl>\n`;
}
