/**
 * A problem of a source, found before any request. `error`: it fails, or data of the file would be lost. `warning`: it
 * depends on the workspace.
 */
export interface Finding {
  readonly severity: 'error' | 'warning';
  /** Stable and kebab-case. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly file: string;
  readonly worksheet?: string;
  readonly row?: number;
  /** The header of the column. */
  readonly column?: string;
  /** The cell in a worksheet: `H6`. */
  readonly cell?: string;
  readonly value?: string;
}

/** A check's finding about a cell, before its place is added. */
export type CellFinding = Pick<Finding, 'severity' | 'code' | 'message' | 'hint'>;

/** The findings of one cause in one column. */
export interface FindingGroup extends Pick<Finding, 'severity' | 'code' | 'column'> {
  readonly count: number;
  /** The first findings with different messages. */
  readonly cases: readonly FindingCase[];
}

/** Findings with the same message about several rows of one worksheet. */
export interface FindingCase {
  /** The first of them. */
  readonly finding: Finding;
  readonly count: number;
  /** The first of their rows. */
  readonly rows: readonly number[];
}

/** The kept findings of a source, and the counts of all findings. */
export interface FindingSummary {
  /** Errors before warnings, each in the order of the file. */
  readonly kept: readonly Finding[];
  readonly errors: number;
  readonly warnings: number;
  /** The findings by cause, errors first and the most frequent of each before the others. */
  readonly groups: readonly FindingGroup[];
  /** The number of findings by code, kept or not. */
  readonly byCode: ReadonlyMap<string, number>;
  /** The codes of errors, kept or not. */
  readonly errorCodes: ReadonlySet<string>;
}
