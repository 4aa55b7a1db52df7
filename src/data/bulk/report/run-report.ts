import type { Finding } from '#core/model/findings.js';
import type { ErrorGroup, RowError } from '#core/stream/row-error.js';
import type { SplitCounts } from './split-rows.js';

/** Version of `report.json`. A reader of another version must not guess. */
export const REPORT_VERSION = 1;

/** Its file. */
export const REPORT_FILE = 'report.json';

/** Facts about an import from its caller. */
export interface ReportFacts {
  readonly address: string;
  readonly definition: string;
  readonly workspace?: string;
  /** `committed`: the valid rows are in the workspace. Under the others none or not all of them are. */
  readonly outcome: 'committed' | 'rejected' | 'validated' | 'partly committed' | 'failed';
  /** Reason for the rejection or the failure. */
  readonly reason?: string;
  readonly at: string;
  /** `whole file`: the failed rows cannot be sent without the valid ones. */
  readonly retry?: 'whole file';
}

/** The first values that a column with errors accepts. */
export interface AllowedInColumn {
  readonly column: string;
  readonly values: readonly string[];
  readonly valuesInAll: number;
}

/** One run in `report.json`, with the rows of the source that it was sent. */
export interface ReportedRun {
  readonly number?: number;
  readonly state: 'committed' | 'validated' | 'broken';
  /** Rows of the source, both inclusive. */
  readonly firstRow: number | undefined;
  readonly lastRow: number | undefined;
  /** If the source reads several worksheets: those of these two rows. */
  readonly firstWorksheet?: string;
  readonly lastWorksheet?: string;
  readonly rows: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** One import in `report.json` and on the page. */
export interface RunReport extends ReportFacts {
  readonly version: typeof REPORT_VERSION;
  readonly file: string;
  readonly worksheet?: string;
  readonly resource: string;
  readonly runs: readonly ReportedRun[];
  readonly counts: SplitCounts & {
    readonly rows: number;
    /** Lines of the reports whose row is doubtful, and those without a row. */
    readonly doubtful: number;
    readonly unplaced: number;
  };
  /** Most frequent first. */
  readonly causes: readonly ErrorGroup[];
  /** The first ones in the order of the source; `errorsInAll` is the total. */
  readonly errors: readonly RowError[];
  readonly errorsInAll: number;
  readonly findings: readonly Finding[];
  /** For columns with errors; empty if the workspace was not read. */
  readonly allowed: readonly AllowedInColumn[];
}
