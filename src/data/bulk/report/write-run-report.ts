import { join } from 'node:path';
import { makeFolder } from '#base/files/make-folder.js';
import { replaceFile } from '#base/files/replace-file.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { excerpt } from '#base/printable.js';
import type { Finding } from '#core/model/findings.js';
import type { ReportFiles } from '#core/stream/import-event-schema.js';
import type { ErrorGroup, RowError } from '#core/stream/row-error.js';
import { mergeCauses } from '../errors/cause-groups.js';
import type { PreparedImport } from '../prepare.js';
import { rowPlace } from '../source/row-place.js';
import type { SourceTable } from '../source/source-table.js';
import { reportPage } from './page/report-page.js';
import { type RunAccount, type RunPart, readErrors } from './run-part.js';
import {
  type AllowedInColumn,
  REPORT_FILE,
  REPORT_VERSION,
  type ReportedRun,
  type ReportFacts,
  type RunReport,
} from './run-report.js';
import { SPLIT_FILES, type SplitCounts, type SplitResult, splitRows } from './split-rows.js';
import { readVerdicts } from './verdicts.js';

/** An import that ended, and the destination of its report. */
export interface RunReportInput {
  /** Folder of the files, created for its owner alone. */
  readonly folder: string;
  readonly prepared: PreparedImport;
  /** Opens the source again: the same bytes with the same options. */
  readonly openTable: () => Promise<SourceTable>;
  /** In the order of their rows. Rows that are in no part were not sent. */
  readonly parts: readonly RunPart[];
  /** Causes of each part, from `joinReport`. */
  readonly causes: readonly (readonly ErrorGroup[])[];
  readonly facts: ReportFacts;
  /** Counts that do not add up, and warnings of the runs. */
  readonly findings: readonly Finding[];
}

/** Maximum number of failed rows in a page or a document; `failed.csv` has all of them. */
const KEPT = 10_000;

/**
 * Accounts for every row of a source: success.csv, failed.csv and unprocessed.csv in its own columns, failed.xlsx,
 * report.json and report.html. Each file appears complete or not at all, and replaces an older one; until then it is in the spool, so that
 * a killed command leaves nothing in the folder. Memory does not grow with the rows.
 */
export async function writeRunReport(input: RunReportInput): Promise<ReportFiles> {
  const { folder, prepared, openTable, parts } = input;
  await makeFolder(folder, 0o700);
  const verdicts = await readVerdicts(parts, prepared);
  let split: SplitResult;
  try {
    split = await splitRows(folder, await openTable(), prepared, verdicts);
  } finally {
    await verdicts.close();
  }
  const report = await reportOf(input, split.counts, verdicts.accounts);
  const path = (name: string): string => join(folder, name);
  const own = { newMode: 0o600, temporary: `${prepared.path}.report` };
  await replaceFile(path(REPORT_FILE), `${JSON.stringify(report, null, 2)}\n`, own);
  await replaceFile(path('report.html'), reportPage(report), own);
  return {
    success: path(SPLIT_FILES.success),
    failed: path(SPLIT_FILES.failed),
    unprocessed: path(SPLIT_FILES.unprocessed),
    json: path(REPORT_FILE),
    page: path('report.html'),
    ...omitUndefined({ workbook: split.workbook }),
    counts: report.counts,
  };
}

async function reportOf(
  input: RunReportInput,
  split: SplitCounts,
  accounts: readonly RunAccount[],
): Promise<RunReport> {
  const { prepared, parts, causes, facts, findings } = input;
  const { file, worksheet, resource, repeats } = prepared;
  const rows = prepared.rows + (repeats?.count ?? 0);
  const { errors, errorsInAll } = await firstErrors(parts);
  const sum = (of: (one: RunAccount) => number): number => accounts.reduce((all, one) => all + of(one), 0);
  return {
    version: REPORT_VERSION,
    ...facts,
    file,
    ...omitUndefined({ worksheet }),
    resource,
    runs: parts.map((part) => runOf(part, prepared)),
    counts: { rows, ...split, doubtful: sum((one) => one.doubtful), unplaced: sum((one) => one.unplaced) },
    causes: mergeCauses(causes),
    errors,
    errorsInAll,
    findings,
    allowed: allowedIn(errors, prepared),
  };
}

const MOST_VALUES = 50;

/** The values from which to choose when cells are corrected. */
function allowedIn(errors: readonly RowError[], { columns, allowed }: PreparedImport): AllowedInColumn[] {
  const wrong = new Set(errors.map(({ column }) => column));
  return columns.flatMap(({ header, fields }): AllowedInColumn[] => {
    const values = wrong.has(header) ? fields.flatMap((field) => allowed.get(field)?.values ?? []) : [];
    return values.length === 0
      ? []
      : [{ column: header, values: values.slice(0, MOST_VALUES), valuesInAll: values.length }];
  });
}

const runOf = (part: RunPart, prepared: PreparedImport): ReportedRun => {
  const [first, last] = [part.first, part.last].map((n) => rowPlace(prepared, prepared.sourceRowOf(n)));
  return {
    ...omitUndefined({ number: part.number }),
    state: part.state,
    firstRow: first?.row,
    lastRow: last?.row,
    ...omitUndefined({ firstWorksheet: first?.worksheet, lastWorksheet: last?.worksheet }),
    rows: part.last - part.first + 1,
    succeeded: part.succeeded,
    failed: part.failed,
  };
};

/** In characters: readers load the whole document. failed.csv has whole cells. */
const LONGEST = 2000;

const withoutLongTexts = ({ key, message, value, ...error }: RowError): RowError => ({
  ...error,
  ...{ key: excerpt(key, LONGEST), message: excerpt(message, LONGEST) },
  ...(value === undefined ? {} : { value: excerpt(value, LONGEST) }),
});

async function firstErrors(parts: readonly RunPart[]) {
  const errors: RowError[] = [];
  let errorsInAll = 0;
  for (const { errors: path } of parts) {
    for await (const error of readErrors(path)) {
      if (errors.length < KEPT) errors.push(withoutLongTexts(error));
      errorsInAll += 1;
    }
  }
  return { errors, errorsInAll };
}
