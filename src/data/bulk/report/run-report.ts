import type { Finding } from '#core/model/findings.js';
import type { ErrorGroup, RowError } from '#core/stream/row-error.js';
import type { SplitCounts } from './split-rows.js';

/** Of `report.json`. A reader of another version must not guess. */
export const REPORT_VERSION = 1;

/** What the one who runs an import knows of it. */
export interface ReportFacts {
  readonly address: string;
  readonly definition: string;
  readonly workspace?: string;
  /** `committed`: the good rows are in the workspace. Under the others nothing is, or not all of it. */
  readonly outcome: 'committed' | 'rejected' | 'validated' | 'partly committed' | 'failed';
  /** Why it was rejected or how it failed. */
  readonly reason?: string;
  readonly at: string;
  /** `whole file`: the failed rows cannot be sent without the good ones. */
  readonly retry?: 'whole file';
}

/** The values that a column with errors takes, the first ones. */
export interface AllowedInColumn {
  readonly column: string;
  readonly values: readonly string[];
  readonly valuesInAll: number;
}

/** One run in `report.json`, with the rows of the source that it was sent. */
export interface ReportedRun {
  readonly number?: number;
  readonly state: 'committed' | 'validated' | 'broken';
  /** Rows of the source, both included. */
  readonly firstRow: number | undefined;
  readonly lastRow: number | undefined;
  readonly rows: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** One import as `report.json` holds it and the page shows it. */
export interface RunReport extends ReportFacts {
  readonly version: typeof REPORT_VERSION;
  readonly file: string;
  readonly worksheet?: string;
  readonly resource: string;
  readonly runs: readonly ReportedRun[];
  readonly counts: SplitCounts & {
    readonly rows: number;
    /** Lines of the reports in doubt about their row, and those that lead to none. */
    readonly doubtful: number;
    readonly unplaced: number;
  };
  /** Most frequent first. */
  readonly causes: readonly ErrorGroup[];
  /** The first ones in the order of the source; `errorsInAll` counts them all. */
  readonly errors: readonly RowError[];
  readonly errorsInAll: number;
  readonly findings: readonly Finding[];
  /** Of columns with errors; none where the workspace was not read. */
  readonly allowed: readonly AllowedInColumn[];
}
