import { groupedCount, htmlPage, scriptJson } from '#base/html-page.js';
import { toPrintable } from '#base/printable.js';
import type { RunReport } from '../run-report.js';
import { causesSection } from './causes-section.js';
import { factsSection } from './facts-section.js';
import { helpSection } from './help-section.js';
import { rowsSection } from './rows-section.js';
import { SCRIPT } from './script.js';
import { STYLE } from './style.js';

/** Renders the report of an import as one file. Escapes all values, since they come from cells and from the service. */
export function reportPage(given: RunReport): Iterable<string> {
  const report = toPrintable(given);
  const { failed } = report.counts;
  return htmlPage({
    title: `${report.file}: ${groupedCount(failed)} failed ${failed === 1 ? 'row' : 'rows'}`,
    style: STYLE,
    script: SCRIPT,
    body: [factsSection(report), helpSection(report), causesSection(report), rowsSection(report)],
    data: dataOf(report),
  });
}

/** One array a row, in the order in which the script reads it; the cause is its index in the list of causes. */
function* dataOf({ errors, causes }: RunReport): Generator<string> {
  const places = new Map(causes.map(({ code, message }, index) => [JSON.stringify([code, message]), index]));
  yield '[';
  for (const [index, error] of errors.entries()) {
    const { row, alsoRows = [], column, value, code, message, cause, certainty, doubt } = error;
    const place = places.get(JSON.stringify([code, cause])) ?? -1;
    const rows = row === undefined ? null : [row, ...alsoRows].join(', ');
    const said = [message, certainty, doubt ?? '', place];
    const cells = [rows, column ?? '', value ?? '', calledBy(error), code ?? null, ...said];
    yield `${index === 0 ? '\n' : ',\n'}${scriptJson(cells)}`;
  }
  yield '\n]';
}

/** A line of a BOM is named by its parent and its part. */
const calledBy = ({ key, part }: RunReport['errors'][number]): string =>
  part === undefined || part === key ? key : `${key} › ${part}`;
