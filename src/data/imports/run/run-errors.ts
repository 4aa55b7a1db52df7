import type { JobRun } from '#core/model/job-state.js';
import type { RunErrors } from '#core/stream/import-outcome.js';
import type { ImportRun, RunReads } from '#service/import-runs.js';
import { mergeCauses } from '../../bulk/errors/cause-groups.js';
import { joinReport } from '../../bulk/errors/join-report.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import type { RowSpan } from '../../bulk/rows/spooled-rows.js';
import { interruptedRun, type Phase } from './await-run.js';
import type { RunInput, SentRun } from './run-input.js';

/** How many row errors are kept; all are counted. */
const KEEP = 1000;

/** `errorCount` may be absent until the run is complete (interface 2.2); then rows that did not succeed failed. */
export const failedIn = ({ errorCount, totalCount, successCount }: ImportRun): number =>
  errorCount ?? Math.max(0, totalCount - successCount);

/** What reading error reports needs. */
export interface ErrorReading extends Pick<RunInput, 'prepared' | 'emit' | 'signal'> {
  readonly readsOf: (job: JobRun) => Pick<RunReads, 'errorContent'>;
}

/** A run that was read, and the rows in it. */
export interface CompleteRun extends Pick<SentRun, 'job' | 'run'> {
  readonly part: RowSpan;
}

/** The failed rows of complete runs, joined to the source. A run without any costs no request. */
export async function readErrors(
  complete: readonly CompleteRun[],
  phase: Phase,
  input: ErrorReading,
): Promise<RunErrors> {
  const { emit, signal, prepared } = input;
  const failing = complete.filter(({ run }) => failedIn(run) > 0);
  const all: RunErrors[] = [];
  for (const { job, run, part } of failing) {
    if (signal.aborted) throw interruptedRun(run, phase, prepared);
    const content = await input.readsOf(job).errorContent(run.guid);
    const path = errorsPath(prepared, part);
    const { total, kept, groups } = await joinReport(content, {
      ...{ prepared, covered: part, path, keep: KEEP },
      expected: prepared.original === undefined ? 'rows' : 'sheet rows',
    });
    all.push({ count: Math.max(failedIn(run), total), kept, groups });
  }
  const count = all.reduce((sum, one) => sum + one.count, 0);
  if (count > 0) emit({ type: 'errors-found', phase, errors: count });
  return {
    count,
    kept: all.flatMap(({ kept }) => kept).slice(0, KEEP),
    groups: mergeCauses(all.map(({ groups }) => groups)),
  };
}

/** The path of the failed rows of a run, as they were last read; exists only if it had any. */
export const errorsPath = ({ path }: Pick<PreparedImport, 'path'>, { first }: { readonly first: number }): string =>
  `${path}.errors-${first}`;
