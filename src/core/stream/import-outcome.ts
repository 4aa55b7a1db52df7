import type { Finding } from '../model/findings.js';
import type { JobRun } from '../model/job-state.js';
import type { ErrorGroup, RowError } from './row-error.js';

/** Failed rows of a run: the first ones joined to the source, all counted, grouped by cause. */
export interface RunErrors {
  readonly count: number;
  readonly kept: readonly RowError[];
  readonly groups: readonly ErrorGroup[];
}

/** The service's counts of one run, over its data rows. */
export interface RunCounts extends Pick<JobRun, 'number' | 'first' | 'last'> {
  readonly succeeded: number;
  readonly failed: number;
}

/** Two CSV files in the columns of the import, from which it can be undone. */
export interface BeforeImage {
  /** Prior values of records that existed, ready for an EDIT of the same mapping. */
  readonly before: { readonly path: string; readonly rows: number };
  /** Keys of rows whose record did not exist. */
  readonly absent: { readonly path: string; readonly rows: number };
}

/** The totals of complete runs. */
export interface SettledRuns {
  readonly runs: readonly JobRun[];
  /** The counts of each run. */
  readonly counts: readonly RunCounts[];
  /** Rows sent. */
  readonly rows: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly errors: RunErrors;
  /** Counts of the service that do not add up, and the run's own warnings. */
  readonly findings: readonly Finding[];
  /** The numbers of the changes that got the items of the rows. */
  readonly changes?: readonly string[];
  /** The values of the touched records before the commit. */
  readonly before?: BeforeImage;
  /** Counts of rows that were read back; differing rows are among the findings. `missing`: rows without any effect. */
  readonly verified?: { readonly checked: number; readonly different: number; readonly missing: number };
}

/** The outcome of an import. With `rejected` and `validated`, nothing was committed. */
export type ImportOutcome =
  | (SettledRuns & { readonly outcome: 'committed' })
  | (SettledRuns & { readonly outcome: 'rejected'; readonly limit: number; readonly reason: string })
  | (SettledRuns & { readonly outcome: 'validated' });
