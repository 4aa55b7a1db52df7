import { omitUndefined } from '#base/omit-undefined.js';
import { type FailedRow, FailedRows } from '#base/pages/browser/failed-rows.js';
import { groupedCount, htmlPage, scriptJson } from '#base/pages/html-page.js';
import { toPrintable } from '#base/printable.js';
import { rowLabel } from '../../source/row-place.js';
import type { RunReport } from '../run-report.js';
import { causesSection } from './causes-section.js';
import { factsSection } from './facts-section.js';
import { helpSection } from './help-section.js';
import { rowsSection } from './rows-section.js';
import { STYLE } from './style.js';

/** Renders the report of an import as one file. Escapes all values, since they come from cells and from the service. */
export function reportPage(given: RunReport): Iterable<string> {
  const report = toPrintable(given);
  const { failed } = report.counts;
  return htmlPage({
    title: `${report.file}: ${groupedCount(failed)} failed ${failed === 1 ? 'row' : 'rows'}`,
    style: STYLE,
    view: FailedRows,
    body: [factsSection(report), helpSection(report), causesSection(report), rowsSection(report)],
    data: dataOf(report),
  });
}

/** The rows, each with the index of its cause in the list of causes. */
function* dataOf({ errors, causes, worksheet: only }: RunReport): Generator<string> {
  const places = new Map(causes.map(({ code, message }, index) => [JSON.stringify([code, message]), index]));
  yield '[';
  for (const [index, error] of errors.entries()) {
    const { alsoRows = [], alsoIn = [], column = '', value = '', code, message, cause, certainty, doubt = '' } = error;
    const failed: FailedRow = {
      row:
        error.row === undefined
          ? ''
          : [placeOf(error, only), ...alsoRows.map((row, at) => label(row, alsoIn[at]))].join(', '),
      key: calledBy(error),
      ...{ column, value, message, code: String(code ?? ''), certainty, doubt },
      cause: places.get(JSON.stringify([code, cause])) ?? -1,
    };
    yield `${index === 0 ? '\n' : ',\n'}${scriptJson(failed)}`;
  }
  yield '\n]';
}

const label = (row: number | undefined, worksheet: string | undefined): string =>
  rowLabel({ ...omitUndefined({ row, worksheet }) });

/** The row of an error, with its worksheet unless the import has only that one. */
const placeOf = ({ row, worksheet }: RunReport['errors'][number], only: string | undefined): string =>
  label(row, worksheet === only ? undefined : worksheet);

/** A line of a BOM is named by its parent and its part. */
const calledBy = ({ key, part }: RunReport['errors'][number]): string =>
  part === undefined || part === key ? key : `${key} › ${part}`;
