import type { Finding } from '../model/findings.js';
import type { JobRun } from '../model/job-state.js';
import type { ErrorGroup, RowError } from './row-error.js';

/** Failed rows of a run: the first ones joined to the source, all counted, grouped by cause. */
export interface RunErrors {
  readonly count: number;
  readonly kept: readonly RowError[];
  readonly groups: readonly ErrorGroup[];
}

/** What the service counts of one run, over its data rows. */
export interface RunCounts extends Pick<JobRun, 'number' | 'first' | 'last'> {
  readonly succeeded: number;
  readonly failed: number;
}

/** Two CSV files in the columns of the import, from which it can be undone. */
export interface BeforeImage {
  /** Prior values of records that were there, ready for an EDIT of the same mapping. */
  readonly before: { readonly path: string; readonly rows: number };
  /** Keys of rows whose record was not there. */
  readonly absent: { readonly path: string; readonly rows: number };
}

/** What complete runs add up to. */
export interface SettledRuns {
  readonly runs: readonly JobRun[];
  /** Of each of them. */
  readonly counts: readonly RunCounts[];
  /** Rows sent. */
  readonly rows: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly errors: RunErrors;
  /** Where the service's counts do not add up, and the run's own warnings. */
  readonly findings: readonly Finding[];
  /** What the touched records held before the commit. */
  readonly before?: BeforeImage;
  /** How many committed rows were read back; those that differ are among the findings. `missing`: had no effect at all. */
  readonly verified?: { readonly checked: number; readonly different: number; readonly missing: number };
}

/** What became of an import. Under `rejected` and `validated` nothing was committed. */
export type ImportOutcome =
  | (SettledRuns & { readonly outcome: 'committed' })
  | (SettledRuns & { readonly outcome: 'rejected'; readonly limit: number; readonly reason: string })
  | (SettledRuns & { readonly outcome: 'validated' });
