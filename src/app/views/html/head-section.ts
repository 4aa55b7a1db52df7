import { escapeHtml, groupedCount, htmlWithTimes } from '#base/pages/html-page.js';
import { differenceCounts } from '../human/comparison-text.js';
import { driftedRows } from '../human/import-drift-text.js';
import { createPalette } from '../human/palette.js';
import { priceText, shortageText } from '../human/plan-text.js';
import { provenanceLines } from '../human/provenance-text.js';
import { outcomeText } from '../report/outcome-text.js';
import type { Report } from '../report/report.js';

/** The subject of the page, its outcome, and the counts. */
export function headSection(report: Report): string {
  const { failure, planned } = report;
  const said = failure === undefined ? outcomeText(report) : [failure.message, failure.hint ?? ''].join(' ').trim();
  const warning = planned === undefined ? '' : shortageText(planned.plan, planned.reset);
  return `<header>
<h1>${escapeHtml(pageTitle(report))}</h1>
<p class="outcome ${toneOf(report)}">${escapeHtml(said)}</p>
<ul class="tiles">${tiles(report)}</ul>
${warning === '' ? '' : `<p class="doubtful">${htmlWithTimes(warning)}</p>`}
<dl>${facts(report)}</dl>
</header>
`;
}

/** Marks drift, differences, and plans that remove, replace or block as doubtful; other changes are good. */
function toneOf({ failure, exitCode, drift, compared, planned }: Report): 'good' | 'doubt' | 'bad' {
  if (failure !== undefined || exitCode === 4) return 'bad';
  if (exitCode === 2 && (drift ?? compared) !== undefined) return 'doubt';
  return planned?.plan.steps.some(({ action }) => TONES[action] === 'bad') === true ? 'doubt' : 'good';
}

/** The title of the page and of its window. */
export const pageTitle = (report: Report): string => `dexsync ${report.setting.command}${placeText(report)}`;

function placeText({ planned, drift, compared }: Report): string {
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
};

function tiles({ planned, drift, compared, validated }: Report): string {
  const counts: readonly (readonly [string, number])[] =
    planned !== undefined
      ? Object.entries(planned.plan.summary).filter(([, count]) => count > 0)
      : drift !== undefined
        ? [['changed outside', drift.objects.length], ...driftedTile(drift)]
        : compared !== undefined
          ? [...differenceCounts(compared), ...(compared.equal === 0 ? [] : [['equal', compared.equal] as const])]
          : validated !== undefined
            ? [['manifests', validated.manifests]]
            : [];
  return counts
    .map(
      ([what, count]) =>
        `<li class="${TONES[what] ?? ''}"><b>${groupedCount(count)}</b> <span>${escapeHtml(what)}</span></li>`,
    )
    .join('');
}

const sideText = ({ environment, workspace }: NonNullable<Report['compared']>['from']): string =>
  `${environment} (workspace ${workspace})`;

function facts({ planned, compared, setting }: Report): string {
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
    ['Time', at],
    ['Version', `dexsync ${version}`],
  ];
  return shown.map(([title, text]) => `<dt>${title}</dt><dd>${htmlWithTimes(text)}</dd>`).join('');
}
