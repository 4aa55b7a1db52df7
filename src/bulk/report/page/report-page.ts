import { groupedCount, htmlPage, scriptJson } from '../../../html-page.js';
import { toPrintable } from '../../../printable.js';
import type { RunReport } from '../run-report.js';
import { causesSection } from './causes-section.js';
import { factsSection } from './facts-section.js';
import { rowsSection } from './rows-section.js';
import { SCRIPT } from './script.js';
import { STYLE } from './style.js';

/** The report of an import as one file. Values come from cells and from the service, so all of them are escaped. */
export function reportPage(given: RunReport): Iterable<string> {
  const report = toPrintable(given);
  const { failed } = report.counts;
  return htmlPage({
    title: `${report.file}: ${groupedCount(failed)} failed ${failed === 1 ? 'row' : 'rows'}`,
    style: STYLE,
    script: SCRIPT,
    body: [factsSection(report), causesSection(report), rowsSection(report)],
    data: dataOf(report),
  });
}

/** One array a row, in the order in which the script reads them; the cause is its place in the list of causes. */
function* dataOf({ errors, causes }: RunReport): Generator<string> {
  const places = new Map(causes.map(({ code, message }, index) => [JSON.stringify([code, message]), index]));
  yield '[';
  for (const [index, error] of errors.entries()) {
    const { row, column, value, key, code, message, cause, certainty, doubt } = error;
    const place = places.get(JSON.stringify([code, cause])) ?? -1;
    const cells = [row ?? null, column ?? '', value ?? '', key, code ?? null, message, certainty, doubt ?? '', place];
    yield `${index === 0 ? '\n' : ',\n'}${scriptJson(cells)}`;
  }
  yield '\n]';
}
