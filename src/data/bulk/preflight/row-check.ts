import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { Finding } from '#core/model/findings.js';
import type { ImportResource } from '#core/model/import-resources.js';
import type { KeyFiles } from '../rows/key-files.js';
import type { CellFault } from '../source/source-table.js';

/** Values that a target field accepts, and what to call one of them: `category of workspace "dev"`. */
export interface AllowedValues {
  readonly noun: string;
  /** Absent if any value is accepted. */
  readonly values?: readonly string[];
  /** Separator of several values within a cell, if it may have them. */
  readonly delimiter?: string;
  /** In characters. */
  readonly maxLength?: number;
  readonly type?: 'number' | 'date' | 'truth';
  /** Line breaks are refused. */
  readonly lines?: 'one';
  /** For a number: whether it may be negative, how many decimals it may have, and its maximum. */
  readonly negative?: boolean;
  readonly decimals?: number;
  readonly maxValue?: number;
}

/** Rules for the rows of an import. */
export interface PreflightRules {
  readonly definition: ImportDefinitionSpec;
  readonly rules: ImportResource;
  /** By target field. */
  readonly allowed: ReadonlyMap<string, AllowedValues>;
  /** Creates the indexes that remember the keys of all rows. */
  readonly keys: KeyFiles;
  /** Such as `5`, or `5 of worksheet "Frame"`. */
  readonly rowName: (row: number | undefined) => string;
  /** Repeated lines of a BOM are added up instead of reported; `once`: equal ones count once. */
  readonly repeated?: 'sum' | 'once';
}

/** A normalised row with its place in the file. */
export interface CheckedRow {
  readonly row: number;
  readonly cells: readonly string[];
  readonly faults: readonly CellFault[];
}

/** Checks one row and reports its findings. */
export type RowCheck = (row: CheckedRow) => void;

/** Reports a finding; the caller's file is added to it. */
export type ReportFinding = (finding: Omit<Finding, 'file' | 'worksheet'>) => void;
