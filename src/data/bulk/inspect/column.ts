import type { ColumnFacts } from './column-facts.js';
import type { ColumnSummary } from './column-summary.js';
import type { DateFacts } from './date-facts.js';
import type { Meaning } from './meanings.js';

/** A column with its summary and facts. */
export interface Column extends ColumnSummary, ColumnFacts {
  /** From 0, within the table. */
  readonly index: number;
  readonly dates?: DateFacts;
}

/** The best column for each role; a column has one role. */
export type Roles = ReadonlyMap<Meaning, Column>;
