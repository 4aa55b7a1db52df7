import { omitUndefined } from '#base/omit-undefined.js';
import { escapeHtml, groupedCount, htmlWithTimes } from '#base/pages/html-page.js';
import { rowLabel } from '../../source/row-place.js';
import type { ReportedRun, RunReport } from '../run-report.js';

/** How an import ended, in a sentence. */
export const OUTCOMES: Readonly<Record<RunReport['outcome'], string>> = {
  committed: 'Committed: the valid rows are in the workspace.',
  'partly committed': 'Partly committed: some of the valid rows are in the workspace.',
  rejected: 'Rejected by the commit rule: nothing was committed.',
  validated: 'Validated, not committed yet: the import waits for a manual commit.',
  failed: 'Failed: the import did not finish.',
};

/** Header of the page: the import, its outcome and its counts. */
export function factsSection(report: RunReport): string {
  const { file, worksheet, outcome, reason, findings } = report;
  const place = worksheet === undefined ? file : `${file}, worksheet "${worksheet}"`;
  const because = reason === undefined ? '' : ` ${escapeHtml(reason)}`;
  const warnings = findings.map(
    ({ message, hint }) => `<li>${escapeHtml([message, hint ?? ''].join(' ').trim())}</li>`,
  );
  return `<header>
<h1>${escapeHtml(place)}</h1>
<p class="outcome ${outcome === 'committed' ? 'good' : 'bad'}">${OUTCOMES[outcome]}${because}</p>
<ul class="tiles">${tiles(report)}</ul>
<dl>${facts(report)}</dl>
${warnings.length === 0 ? '' : `<ul class="warnings">${warnings.join('')}</ul>`}
</header>
`;
}

function tiles({ counts, outcome }: RunReport): string {
  const { rows, success, failed, unprocessed, doubtful, unplaced } = counts;
  const good =
    outcome === 'committed' ? 'committed' : outcome === 'partly committed' ? 'valid' : 'valid, not committed';
  const shown: [number, string, string][] = [
    [rows, rows === 1 ? 'row' : 'rows', ''],
    [success, good, 'good'],
    [failed, 'failed', 'bad'],
    [unprocessed, 'not processed', ''],
    ...(doubtful === 0 ? [] : [[doubtful, 'with an uncertain row', 'doubt'] as [number, string, string]]),
    ...(unplaced === 0
      ? []
      : [
          [unplaced, unplaced === 1 ? 'error without a row' : 'errors without a row', 'doubt'] as [
            number,
            string,
            string,
          ],
        ]),
  ];
  return shown
    .map(([count, what, tone]) => `<li class="${tone}"><b>${groupedCount(count)}</b> <span>${what}</span></li>`)
    .join('');
}

function facts({ address, definition, resource, workspace, at, runs }: RunReport): string {
  const shown: [string, string][] = [
    ['Import', address],
    ['Definition', `${definition} (${resource})`],
    ...(workspace === undefined ? [] : [['Workspace', workspace] as [string, string]]),
    [runs.length === 1 ? 'Run' : 'Runs', runs.length === 0 ? 'none sent' : runs.map(runText).join('\n')],
    ['Time', at],
  ];
  return shown.map(([title, text]) => `<dt>${title}</dt><dd>${htmlWithTimes(text)}</dd>`).join('');
}

function runText({ number, state, succeeded, failed, ...run }: ReportedRun): string {
  const called = number === undefined ? 'run' : `#${number}`;
  const ended =
    state === 'broken'
      ? 'did not finish'
      : `${state}, ${groupedCount(succeeded)} valid, ${groupedCount(failed)} failed`;
  const first = endText(run.firstRow, run.firstWorksheet);
  const last = endText(run.lastRow, run.lastWorksheet);
  const rows = first === last ? `row ${first}` : `rows ${first} to ${last}`;
  return `${called}: ${rows}, ${ended}`;
}

const endText = (row: number | undefined, worksheet: string | undefined): string =>
  row === undefined ? '?' : rowLabel({ row, ...omitUndefined({ worksheet }) });
