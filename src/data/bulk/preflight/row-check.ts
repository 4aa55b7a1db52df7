import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { Finding } from '#core/model/findings.js';
import type { ImportResource } from '#core/model/import-resources.js';
import type { KeyFiles } from '../rows/key-files.js';
import type { CellFault } from '../source/source-table.js';

/** What a target field takes, and what to call one of its values: `category of workspace "dev"`. */
export interface AllowedValues {
  readonly noun: string;
  /** Any where there is none. */
  readonly values?: readonly string[];
  /** What separates several values within a cell, where it may hold them. */
  readonly delimiter?: string;
  /** In characters. */
  readonly maxLength?: number;
  readonly type?: 'number' | 'date' | 'truth';
  /** Line breaks are refused. */
  readonly lines?: 'one';
  /** Of a number: whether it may be negative, how many decimals it may have, and how large it may be. */
  readonly negative?: 'no';
  readonly decimals?: number;
  readonly maxValue?: number;
}

/** What the rows of an import are checked against. */
export interface PreflightRules {
  readonly definition: ImportDefinitionSpec;
  readonly rules: ImportResource;
  /** By target field. */
  readonly allowed: ReadonlyMap<string, AllowedValues>;
  /** Gives the indexes that remember keys of all rows. */
  readonly keys: KeyFiles;
  /** `sum`: repeated lines of a BOM are added up, and none of them is wrong for that. */
  readonly repeated?: 'sum';
}

/** A normalised row with its place in the file. */
export interface CheckedRow {
  readonly row: number;
  readonly cells: readonly string[];
  readonly faults: readonly CellFault[];
}

/** Looks at one row and says what it finds. */
export type RowCheck = (row: CheckedRow) => void;

/** Takes a finding; where the file is, is added to it. */
export type Say = (finding: Omit<Finding, 'file' | 'worksheet'>) => void;
