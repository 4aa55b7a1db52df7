import { groupedCount } from '#base/pages/html-page.js';
import { html, type Markup, type Part, pathOf } from '#base/pages/markup.js';
import type { FailedRowChoice, KeptRunReport } from '#data/bulk/report/read-run-report.js';
import type { KnownImport } from '#data/imports/known-imports.js';
import type { ImportReport } from '../../operations/import-report.js';
import { nextText, runRange } from '../human/known-imports-text.js';
import { personText } from '../human/provenance-text.js';
import { causesTable } from './causes-table.js';
import { type Errand, errandText } from './errand.js';
import { failedRowsTable } from './failed-rows-table.js';
import { time, tokenField, type Viewer, withCommands } from './frame.js';
import { missingRows, nameOf, runOf, stateTag } from './imports.js';
import { pager } from './pager.js';

/** How many failed rows a page has. */
export const ROWS_ON_A_PAGE = 50;

/** Who looks at an import, and at which of its rows. */
export interface ImportLook {
  readonly choice: FailedRowChoice;
  readonly viewer: Viewer;
  readonly cells: 'shown' | 'hidden';
  /** The report is being fetched, or could not be. */
  readonly errand: Errand | undefined;
  /** Sentences about the report of the import, if it is kept. */
  readonly words: ReportWords | undefined;
  /** Requests that the workspace had left when somebody looked last. */
  readonly remaining: number | null | undefined;
}

/** The sentences that all pages of a report have. */
export interface ReportWords {
  readonly outcome: string;
  readonly next: Markup;
  /** The values that columns with errors accept. */
  readonly allowed: Markup;
}

/** Whether the report of an import may be fetched: rows failed, and it is not kept here. */
export const canBeFetched = ({ kept, import: known }: Pick<ImportReport, 'kept' | 'import'>): boolean =>
  kept === null && (known.failed ?? 0) > 0;

/** A file name of the failed rows that every system allows. */
export const workbookName = (environment: string, known: KnownImport): string =>
  `${[environment, nameOf(known), ...known.runs.slice(0, 1), 'failed']
    .join('-')
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(-120)}.xlsx`;

/** One import: what became of its rows, which of them failed and why. */
export function importPage(found: ImportReport, look: ImportLook): Markup {
  const { environment, import: known, kept } = found;
  const path = pathOf('environments', environment, 'imports');
  const own = `${path}${pathOf(runOf(known))}`;
  return html`<p class="path"><a href="${pathOf('environments', environment)}">${environment}</a> / <a href="${path}">imports</a></p>
<h1>${nameOf(known)} <span class="dim">${runRange(known.runs)}</span> ${stateTag(known)}</h1>
<div data-live="facts">${kept !== null && html`<p class="outcome ${kept.report.outcome !== 'committed' ? 'bad' : missingRows(known) === 0 ? 'good' : 'doubt'}">${look.words?.outcome} ${kept.report.reason}</p>`}
<div class="overview">${tilesOf(known, kept)}${factsOf(found)}</div></div>
<div data-live="fetch">${look.cells === 'shown' && errandText(look.errand, 'fetches the report', 'Fetching the report')}${canBeFetched(found) && fetchPart(found, look, own)}</div>
<div class="report" data-live="report">${kept === null ? nextOf(found) : reportOf(kept, found, look, own)}</div>`;
}

function tilesOf(known: KnownImport, kept: KeptRunReport | null): Markup {
  const { rows = known.validated?.rows, committed, failed = known.validated?.failed } = known;
  const missing = missingRows(known);
  const tiles: readonly (readonly [count: number | undefined, text: string, tone: string])[] = [
    [rows, rows === 1 ? 'row' : 'rows', ''],
    [committed, 'committed', 'good'],
    [failed, 'failed', failed === 0 ? '' : 'bad'],
    [kept?.report.counts.unprocessed || undefined, 'not processed', 'doubt'],
    [kept?.report.counts.doubtful || undefined, 'with an uncertain row', 'doubt'],
    [missing || undefined, 'missing now', 'doubt'],
  ];
  return html`<ul class="tiles">${tiles.map(([count, text, tone]) => count !== undefined && html`<li class="${tone}"><b>${groupedCount(count)}</b> <span>${text}</span></li>`)}</ul>`;
}

function factsOf({ environment, import: known, applied, kept, folder, files }: ImportReport): Markup {
  const { file, definition, at, apply, acknowledgement, retriedBy = [], retryOf = [], undoneBy = [] } = known;
  const linksTo = (runs: readonly number[]): Part =>
    runs.map((run) => html`<a href="${pathOf('environments', environment, 'imports', String(run))}">#${run}</a> `);
  const corrected = files.corrected.length > 0 && ` ${files.corrected.join(' and ')} was corrected there.`;
  const facts: readonly (readonly [string, Part])[] = [
    ['File', file],
    ['Definition', kept === null ? definition : `${definition} (${kept.report.resource})`],
    [
      'Sent',
      html`${time(at)}${applied !== null && html` by ${personText(applied)} on ${applied.host}`}, apply ${apply}`,
    ],
    [
      'Report',
      kept === null ? false : html`<code>${folder}</code> of this server, written ${time(kept.report.at)}.${corrected}`,
    ],
    ['Sent again by', retriedBy.length > 0 && linksTo(retriedBy)],
    ['Sends again', retryOf.length > 0 && linksTo(retryOf)],
    ['Undone by', undoneBy.length > 0 && linksTo(undoneBy)],
    [
      'Accepted',
      acknowledgement !== undefined &&
        html`by ${acknowledgement.by}, ${time(acknowledgement.at)} <q>${acknowledgement.reason}</q>`,
    ],
  ];
  return html`<dl>${facts.map(([title, text]) => text !== false && html`<dt>${title}</dt><dd>${text}</dd>`)}</dl>`;
}

/** Where a report lies that is not kept here, and what it takes to have it here. */
function fetchPart({ applied, folder, import: known }: ImportReport, look: ImportLook, path: string): Markup {
  const { errand, cells, viewer, remaining } = look;
  const machine = applied === null ? 'the machine that sent it' : applied.host;
  const where = html`<p>The report is not kept here. It was written on ${machine}, in <code>${folder}</code> of the project there; <code>imports.errorReports.folder</code> in sync.config.yaml can name a folder that this server reads too.</p>`;
  if (errand !== undefined && errand.ended === undefined) return where;
  if (cells === 'hidden' || !viewer.roles.includes('operate'))
    return html`${where}<p class="note">People with the roles data and operate can fetch it from the service here.</p>`;
  const most = 2 * Math.max(1, known.runs.length);
  const left = typeof remaining === 'number' && ` of ${groupedCount(remaining)} left when somebody looked last`;
  return html`${where}<form class="actions" method="post" action="${path}/fetch">${tokenField(viewer.token)}<button>Fetch it from the service</button> <span class="dim">A login and at most ${most} requests${left}: two for each run with failed rows, one for each other run.</span></form>`;
}

const commandsIn = (environment: string): Markup =>
  html`<span class="dim">Commands here take <code>--env ${environment}</code>.</span>`;

const nextOf = ({ environment, import: known }: ImportReport): Part => {
  const next = nextText(known);
  if (next !== '') return html`<h2>What to do next</h2><p>${withCommands(next)} ${commandsIn(environment)}</p>`;
  return known.failed === 0 && html`<p class="outcome good">No row failed.</p>`;
};

function reportOf(
  kept: KeptRunReport,
  { files, environment, import: known }: ImportReport,
  look: ImportLook,
  path: string,
): Markup {
  const { report } = kept;
  const { cells, choice, words } = look;
  const { cause } = choice;
  const isDone = missingRows(known) === 0 && report.outcome === 'committed';
  const hasWorkbook = cells === 'shown' && files.written.includes('failed.xlsx');
  const findings = cells === 'shown' ? report.findings : [];
  const download = html`<p class="actions"><a class="button" href="${path}/failed.xlsx" download="${workbookName(environment, known)}">Download failed.xlsx</a> <span class="dim">The failed rows${report.counts.failed > MOST_IN_WORKBOOK && ` (the first ${groupedCount(MOST_IN_WORKBOOK)})`} with a comment at each failed cell. <code>dexsync import retry ${runOf(known)} FILE</code> sends it, once it is corrected.</span></p>`;
  return html`${findings.length > 0 && html`<ul class="plain doubtful">${findings.map(({ message, hint }) => html`<li>${withCommands([message, hint ?? ''].join(' '))}</li>`)}</ul>`}
<h2>What to do next</h2><p>${isDone ? 'Nothing: no row of it is missing.' : html`${words?.next} ${commandsIn(environment)}`}</p>
${hasWorkbook && download}${cells === 'shown' && words?.allowed}
${causesTable(report.causes, { path, cells, ...(cause === undefined ? {} : { cause }) })}
${cells === 'hidden' ? html`<p class="note">Cells of rows are shown to people with the role data.</p>` : rowsPart(kept, choice, path)}`;
}

const MOST_IN_WORKBOOK = 10_000;

function rowsPart(kept: KeptRunReport, { from = 0, cause }: FailedRowChoice, path: string): Markup {
  const { rowsInAll, report } = kept;
  const explained = cause === undefined ? undefined : report.causes[cause];
  const query: Record<string, string> = cause === undefined ? {} : { cause: String(cause) };
  const pages = pager({ from, count: ROWS_ON_A_PAGE, all: rowsInAll, path, query, anchor: 'rows' });
  const chosen = cause !== undefined && html` <span class="dim">of one cause; <a href="${path}#rows">all</a></span>`;
  return html`<h2 id="rows">Failed rows <span class="count">${groupedCount(rowsInAll)}</span>${chosen}</h2>
${explained !== undefined && html`<p>${explained.explanation ?? explained.message} <span class="dim">${explained.advice}</span></p>`}${pages}${failedRowsTable(kept, cause)}${pages}`;
}
