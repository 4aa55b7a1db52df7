import { escapeHtml, groupedCount, htmlWithTimes } from '#base/pages/html-page.js';
import { countText } from '../human/count-text.js';
import { byWave, type ReportedTarget, reportedTargets, targetCountsText } from '../report/fleet-targets.js';
import type { Report } from '../report/report.js';

/** Number of environments up to which a wave is open at first. */
const FEW = 20;

/** Lists each environment of a fleet with its result and reason, wave by wave. */
export function fleetSection(report: Report): string {
  const waves = byWave(reportedTargets(report));
  if (waves.length === 0) return '';
  return `<section aria-labelledby="environments">
<h2 id="environments">Environments</h2>
${waves.map(([wave, targets]) => waveDetails(wave, targets)).join('')}</section>
`;
}

function waveDetails(wave: number | undefined, targets: readonly ReportedTarget[]): string {
  const title = wave === undefined ? '' : `<b>Wave ${groupedCount(wave)}</b> `;
  const head = `${title}${countText(targets.length, 'environment')}: ${targetCountsText(targets)}`;
  const titles = ['Environment', 'Result', 'Details'].map((text) => `<th scope="col">${text}</th>`).join('');
  return `<details class="wave"${targets.length <= FEW ? ' open' : ''}><summary>${head}</summary>
<div class="wide"><table>
<thead><tr>${titles}</tr></thead>
<tbody>
${targets.map(row).join('')}</tbody>
</table></div></details>
`;
}

function row(target: ReportedTarget): string {
  const { environment, result, level, group } = target;
  const which = group === undefined ? '' : `, group ${groupedCount(group)}`;
  return `<tr><td>${escapeHtml(environment)}</td><td class="${level}">${result}${which}</td><td>${htmlWithTimes(detailsOf(target))}</td></tr>\n`;
}

const detailsOf = ({ message, hint, values = {} }: ReportedTarget): string =>
  [
    ...Object.entries(values).map(([reference, value]) => `\${${reference}}: ${value}`),
    ...[message, hint].filter((text) => text !== undefined),
  ].join('\n');
