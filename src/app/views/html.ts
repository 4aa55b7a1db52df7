import { type PageChange, PlanChanges, type PlanData } from '#base/pages/browser/plan-changes.js';
import { escapeHtml, groupedCount, htmlPage, scriptJson } from '#base/pages/html-page.js';
import { fleetSection } from './html/fleet-section.js';
import { layOutGraph } from './html/graph-layout.js';
import { graphSvg } from './html/graph-svg.js';
import { headSection, pageTitle } from './html/head-section.js';
import { pageChanges, valueTitles } from './html/page-changes.js';
import { problemsSection } from './html/problems-section.js';
import { STYLE } from './html/style.js';
import { outcomeText } from './report/outcome-text.js';
import type { Report } from './report/report.js';

/**
 * Formats a plan, a drift, a comparison or a fleet as one page that makes no requests: totals, problems, environments, a
 * picture of the dependencies, and the changes with both values side by side.
 */
export function htmlReport(report: Report): string {
  const { body, data } = reportParts(report);
  const title = `${pageTitle(report)}: ${outcomeText(report)}`;
  return [...htmlPage({ title, style: STYLE, view: PlanChanges, body, data })].join('');
}

/**
 * The same for a page of a server, which has the style `STYLE` and the script of `PlanChanges`; `more` stands below the head.
 */
export function reportBody(report: Report, title: string, more: string): string {
  const { body, data } = reportParts(report, title, more);
  return `${body.join('')}<script type="application/json" id="data">${data.join('')}</script>\n`;
}

function reportParts(report: Report, title?: string, more = '') {
  const changes = pageChanges(report);
  return {
    body: [
      headSection(report, title),
      more,
      problemsSection(report),
      fleetSection(report),
      graphSection(report),
      changesSection(changes),
    ],
    data: [scriptJson({ sides: valueTitles(report), changes } satisfies PlanData)],
  };
}

function graphSection({ planned }: Report): string {
  const graph = layOutGraph({ steps: planned?.plan.steps ?? [] });
  if (graph.edges.length === 0) return '';
  return `<section aria-labelledby="order">
<h2 id="order">Order</h2>
<p class="dim">A change waits for the earlier ones that it is connected to. Choose a box to see its changes.</p>
${graphSvg(graph)}
</section>
`;
}

function changesSection(changes: readonly PageChange[]): string {
  if (changes.length === 0) return '';
  const options = (values: readonly string[]): string =>
    [...new Set(values)]
      .sort()
      .map((value) => `<option value="${escapeHtml(value)}">${escapeHtml(value)}</option>`)
      .join('');
  return `<section aria-labelledby="changes">
<h2 id="changes">Changes</h2>
<form class="filter" role="search">
<label>Search <input id="text" type="search" autocomplete="off" placeholder="name, field or value" title="Press / to search"></label>
<label>Action <select id="action"><option value="">all</option>${options(changes.map(({ action }) => action))}</select></label>
<label>Kind <select id="kind"><option value="">all</option>${options(changes.map(({ kind }) => kind))}</select></label>
<button type="reset">Show all</button>
</form>
<p id="count" role="status">${groupedCount(changes.length)}</p>
<div class="pages"><span id="pages"><button type="button" id="previous">Previous</button><span id="page"></span><button type="button" id="next">Next</button></span><button type="button" id="open">Open all on this page</button></div>
<div id="list"></div>
<noscript><p>The list of changes needs JavaScript, which this page runs without any connection.</p></noscript>
</section>
`;
}
