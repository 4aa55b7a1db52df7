import { escapeHtml, groupedCount, htmlWithTimes } from '#base/pages/html-page.js';
import { differenceCounts } from '../human/comparison-text.js';
import { driftedRows } from '../human/import-drift-text.js';
import { createPalette } from '../human/palette.js';
import { priceText, shortageText } from '../human/plan-text.js';
import { provenanceLines } from '../human/provenance-text.js';
import { fleetFacts } from '../report/fleet-facts.js';
import { groupReports, reportedTargets, targetCounts } from '../report/fleet-targets.js';
import { outcomeText } from '../report/outcome-text.js';
import type { Report } from '../report/report.js';

/** The subject of the page, its outcome, and the counts. */
export function headSection(report: Report, title = pageTitle(report)): string {
  const { failure, planned } = report;
  const said = failure === undefined ? outcomeText(report) : [failure.message, failure.hint ?? ''].join(' ').trim();
  const warning = planned === undefined ? '' : shortageText(planned.plan, planned.reset);
  return `<header>
<h1>${escapeHtml(title)}</h1>
<p class="outcome ${toneOf(report)}">${escapeHtml(said)}</p>
<ul class="tiles">${tiles(report)}</ul>
${warning === '' ? '' : `<p class="doubtful">${htmlWithTimes(warning)}</p>`}
<dl>${facts(report)}</dl>
</header>
`;
}

/** Marks drift, differences, and plans that remove, replace or block as doubtful; other changes are good. */
function toneOf(report: Report): 'good' | 'doubt' | 'bad' {
  const { failure, exitCode, drift, compared, planned, rollout } = report;
  if (failure !== undefined) return 'bad';
  if (rollout !== undefined) return exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'doubt';
  if (exitCode === 4) return 'bad';
  if (exitCode === 2 && (drift ?? compared) !== undefined) return 'doubt';
  const plans = [planned?.plan, ...groupReports(report).map(({ group }) => group.plan)];
  return plans.some((plan) => plan?.steps.some(({ action }) => TONES[action] === 'bad')) ? 'doubt' : 'good';
}

/** The title of the page and of its window. */
export const pageTitle = (report: Report): string => `dexsync ${report.setting.command}${placeText(report)}`;

function placeText({ planned, drift, compared, setting }: Report): string {
  if (setting.subject !== undefined) return `: ${setting.subject}`;
  if (compared !== undefined) return `: ${compared.from.environment} and ${compared.to.environment}`;
  const environment = planned?.plan.environment ?? drift?.environment;
  return environment === undefined ? '' : `: ${environment}`;
}

const driftedTile = ({ imports }: NonNullable<Report['drift']>): (readonly [string, number])[] =>
  imports === undefined ? [] : [['records changed', imports.reduce((sum, one) => sum + driftedRows(one), 0)]];

const TONES: Readonly<Record<string, string>> = {
  create: 'good',
  delete: 'bad',
  retire: 'bad',
  replace: 'bad',
  blocked: 'bad',
  manual: 'doubt',
  done: 'good',
  failed: 'bad',
  unknown: 'bad',
  deferred: 'doubt',
  'not planned': 'bad',
};

function tiles(report: Report): string {
  const targets = reportedTargets(report);
  const counts = targets.length > 0 ? targetCounts(targets) : countsOf(report);
  return counts
    .map(
      ([what, count]) =>
        `<li class="${TONES[what] ?? ''}"><b>${groupedCount(count)}</b> <span>${escapeHtml(what)}</span></li>`,
    )
    .join('');
}

function countsOf({ planned, drift, compared, validated }: Report): readonly (readonly [string, number])[] {
  if (planned !== undefined) return Object.entries(planned.plan.summary).filter(([, count]) => count > 0);
  if (drift !== undefined) return [['changed outside', drift.objects.length], ...driftedTile(drift)];
  if (compared !== undefined)
    return [...differenceCounts(compared), ...(compared.equal === 0 ? [] : [['equal', compared.equal] as const])];
  return validated === undefined ? [] : [['manifests', validated.manifests]];
}

const sideText = ({ environment, workspace }: NonNullable<Report['compared']>['from']): string =>
  `${environment} (workspace ${workspace})`;

function facts(report: Report): string {
  const { planned, compared, setting } = report;
  const { environment, at, version } = setting;
  const shown: (readonly [string, string])[] = [
    ...(compared === undefined
      ? environment === undefined
        ? []
        : [['Environment', environment] as const]
      : ([
          ['From', sideText(compared.from)],
          ['To', sideText(compared.to)],
        ] as const)),
    ...(planned === undefined
      ? []
      : ([
          ['Stack', planned.plan.stack],
          ['Workspace', `${planned.plan.workspace.name} (${planned.plan.workspace.id})`],
          ...provenanceLines(planned),
          ['Requests', priceText(planned.plan, createPalette('plain')).replace(/^Requests: /, '')],
        ] as const)),
    ...fleetFacts(report),
    ['Time', at],
    ['Version', `dexsync ${version}`],
  ];
  return shown.map(([title, text]) => `<dt>${title}</dt><dd>${htmlWithTimes(text)}</dd>`).join('');
}
