import { escapeHtml, groupedCount, htmlWithTimes } from '#base/pages/html-page.js';
import { fleetProblems, notesIn } from '../report/fleet-targets.js';
import { placeText } from '../report/place.js';
import type { Problem } from '../report/problem.js';
import { listProblems } from '../report/problems.js';
import type { Report } from '../report/report.js';

/** Number of problems on a page; other outputs have all of them. */
const SHOWN = 200;

const ELSEWHERE: readonly Problem['about'][] = ['drift', 'difference', 'failure', 'environment', 'fleet'];

/** Lists the problems and the notes of plans. Drift and differences are listed as changes instead. */
export function problemsSection(report: Report): string {
  const others = listProblems(report).filter(({ about }) => !ELSEWHERE.includes(about));
  const problems = [...fleetProblems(report, 'alike'), ...others];
  const notes = notesIn(report);
  if (problems.length + notes.length === 0) return '';
  const more =
    problems.length > SHOWN
      ? `<p class="dim">The first ${SHOWN} of ${groupedCount(problems.length)}; the output of the command has all of them.</p>`
      : '';
  return `<section aria-labelledby="problems">
<h2 id="problems">Problems and notes</h2>
<ul class="problems">
${problems.slice(0, SHOWN).map(problemItem).join('\n')}
${notes.map((message) => `<li class="note">${htmlWithTimes(message)}</li>`).join('\n')}
</ul>
${more}</section>
`;
}

function problemItem({ level, code, message, source, hint, place }: Problem): string {
  const where = place === undefined ? '' : `<span class="place">${escapeHtml(placeText(place))}</span> `;
  const advice = hint === undefined ? '' : `<span class="dim"> ${escapeHtml(hint)}</span>`;
  const from = source === undefined ? '' : ` ${escapeHtml(source)}`;
  return `<li class="${level}"><b>${level}</b> ${where}${htmlWithTimes(message)}${from}${advice} <code>${escapeHtml(code)}</code></li>`;
}
