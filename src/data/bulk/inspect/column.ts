import type { ColumnFacts } from './column-facts.js';
import { HEADLESS } from './column-names.js';
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

/** The share of cells that are of a form; 0 if the different ones are too many to know. */
export function matchingShare({ values, filled }: Pick<Column, 'values' | 'filled'>, form: RegExp): number {
  const found = [...(values ?? [])].filter(([value]) => form.test(value));
  return found.reduce((sum, [, count]) => sum + count, 0) / Math.max(1, filled);
}

/** In cells with amounts of money. */
export const MONEY = /[€$£¥]/;

/** A drawer or the like. */
const PLACE_CODE = /^\p{L}{1,2}\d{0,3}$/u;

/** Whether a column without a header repeats short codes, as those of the places in a stock. */
export const arePlaceCodes = (column: Column): boolean =>
  HEADLESS.test(column.header) && column.distinct < column.filled && matchingShare(column, PLACE_CODE) > 0.8;
