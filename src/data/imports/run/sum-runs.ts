import { omitUndefined } from '#base/omit-undefined.js';
import type { RunErrors, SettledRuns } from '#core/stream/import-outcome.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import { checkCounts } from './check-counts.js';
import { failedIn } from './run-errors.js';
import type { SentRun } from './run-input.js';

/** Adds up complete runs. */
export function sumRuns(complete: readonly SentRun[], errors: RunErrors, prepared: PreparedImport): SettledRuns {
  const { file, worksheet, rows } = prepared;
  const changes = [...new Set(complete.flatMap(({ run }) => (run.commit ? run.changes : [])))];
  const place = worksheet === undefined ? { file } : { file, worksheet };
  return {
    runs: complete.map(({ job }) => job),
    counts: complete.map(({ job: { number, first, last }, run }) => ({
      ...omitUndefined({ number }),
      ...{ first, last, succeeded: run.successCount, failed: failedIn(run) },
    })),
    rows,
    succeeded: complete.reduce((sum, { run }) => sum + run.successCount, 0),
    failed: errors.count,
    errors,
    findings: complete.flatMap(({ run, part: { first, last } }) =>
      checkCounts(run, failedIn(run), { ...place, rows: last - first + 1 }),
    ),
    ...(changes.length > 0 && { changes }),
  };
}
