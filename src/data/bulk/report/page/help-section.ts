import { escapeHtml, groupedCount } from '#base/pages/html-page.js';
import { shellWord } from '#base/shell-word.js';
import type { RunReport } from '../run-report.js';

/** Section with the next steps, the allowed values, and the meaning of the page's words. */
export const helpSection = (report: RunReport): string =>
  `<section aria-labelledby="help">
<h2 id="help">What to do next</h2>
<p>${nextStep(report, ' (beside this page)')}</p>
${allowedText(report)}${LEGEND}</section>
`;

type NextFacts = Pick<RunReport, 'runs' | 'address' | 'counts' | 'outcome' | 'retry' | 'file'>;

/** What to do about the rows that failed, as HTML. `where`: where their files are. */
export function nextStep({ runs, address, counts, outcome, retry, file }: NextFacts, where = ''): string {
  const run = shellWord(String(runs[0]?.number ?? address));
  const code = (command: string): string => `<code>dexsync import ${escapeHtml(command)}</code>`;
  const source = `<code>${escapeHtml(file)}</code>`;
  switch (outcome) {
    case 'committed':
      if (counts.failed === 0) return 'No row failed.';
      if (retry === 'whole file')
        return `Correct ${source} and import it again. The failed rows cannot be sent alone: an import in this mode replaces all that a parent has.`;
      return `Correct the rows in <code>failed.csv</code> or <code>failed.xlsx</code>${where}, then run ${code(`retry ${run}`)}. If they are not needed, ${code(`acknowledge ${run} --reason TEXT`)} accepts that they stay out.`;
    case 'rejected':
      return `Nothing was committed. Correct ${source} and import it again, or commit the valid rows: ${code(`commit ${run}`)}.`;
    case 'validated':
      return `Nothing is committed yet: ${code(`commit ${run}`)} commits the valid rows.`;
    case 'partly committed':
    case 'failed':
      return `${code(`show ${run}`)} shows what became of the runs.`;
  }
}

/** The values that columns with errors accept, as HTML. */
export function allowedText({ allowed }: Pick<RunReport, 'allowed'>): string {
  if (allowed.length === 0) return '';
  const columns = allowed.map(({ column, values, valuesInAll }) => {
    const more = valuesInAll - values.length;
    const list = values.map((value) => `<li>${escapeHtml(value)}</li>`).join('');
    const others = more > 0 ? `<li class="more">and ${groupedCount(more)} more</li>` : '';
    return `<dt>${escapeHtml(column)}</dt><dd><ul class="values">${list}${others}</ul></dd>`;
  });
  return `<details open><summary>Allowed values</summary><dl>${columns.join('')}</dl></details>\n`;
}

const WORDS: readonly (readonly [string, string])[] = [
  ['certain', 'row number and key of the error report lead to the same row'],
  ['by-row', 'the row number leads to the row; the key can neither confirm nor deny it'],
  ['by-key', 'the key leads to the row; there is no usable row number'],
  ['doubtful', 'row number and key lead to different rows, or several rows have the key'],
  ['not processed', 'the report does not show what became of the row; unprocessed.csv says why'],
  ['success.csv, failed.csv, unprocessed.csv', 'all rows of the file, in its own columns, beside this page'],
  ['failed.xlsx', 'the first 10,000 failed rows, with a comment at each failed cell'],
];

const LEGEND = `<details><summary>What the words mean</summary><dl>${WORDS.map(([word, meaning]) => `<dt>${word}</dt><dd>${meaning}</dd>`).join('')}</dl></details>
`;
