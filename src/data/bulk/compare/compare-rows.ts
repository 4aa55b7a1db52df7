import { throwIfInterrupted } from '#base/errors.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { NO_ROWS, type RowChange, type RowCounts } from '#core/model/rows-preview.js';
import type { PreparedImport } from '../prepare.js';
import { readAllRows } from '../rows/spooled-rows.js';
import { type RowPlace, rowPlace } from '../source/row-place.js';
import { RowJudge, type Verdict } from './judge-row.js';
import type { KeyedRows } from './keyed-rows.js';

/** Rows, and the records that they are compared with. */
export interface ComparisonInput {
  readonly prepared: Pick<PreparedImport, 'path' | 'rows' | 'columns' | 'sourceRowOf' | 'worksheets'>;
  readonly definition: ImportDefinitionSpec;
  /** Sealed; the values are in the order of the columns' targets. */
  readonly records: KeyedRows;
  readonly signal: AbortSignal;
  readonly onRow?: (row: number, of: number) => void;
  /** `state`: rows describe the desired state, not what their mode would do. */
  readonly asks?: 'state';
  /** Whether rows are refused that would create a record without a field that each must have. */
  readonly incomplete?: 'refused';
  /** Replaces the cells of a row before the comparison; keeps them by default. */
  readonly as?: (cells: readonly string[]) => readonly string[];
  /** Receives each data row, from 1. */
  readonly onVerdict?: (n: number, is: RowDifference, key: readonly string[]) => void;
}

/** How a row differs from its record; `same`: sending it would change nothing. */
export type RowDifference = 'same' | 'new' | 'different';

/** Totals of a comparison, besides its changes. */
export interface RowComparison {
  readonly counts: RowCounts;
  /** Columns with cells that could not be compared. */
  readonly columnsNotCompared: readonly string[];
  /** How many rows are refused because they are `incomplete`. */
  readonly incomplete: number;
}

/** Receives each change. */
export type ReportChange = (change: RowChange) => Promise<void> | void;

/**
 * Compares rows with records by the keys of their resource and in the mode of their definition (wire-facts 4, "mode"
 * and "Key attributes"). Reports every change in the order of the rows, then what the rows take away. Marks the records
 * that rows found.
 */
export async function compareRows(input: ComparisonInput, say: ReportChange): Promise<RowComparison> {
  const { prepared, signal, onRow, onVerdict, as = (cells) => cells } = input;
  const tally = openTally();
  const judge = new RowJudge(input);
  for await (const { n, cells } of readAllRows(prepared)) {
    throwIfInterrupted(signal, 'comparing rows');
    const verdict = judge.row(as(cells), n);
    tally.add(verdict);
    onVerdict?.(n, differenceOf(verdict), verdict.key);
    if (verdict.change !== 'unchanged')
      await say(changeOf(verdict, verdict.change, rowPlace(prepared, prepared.sourceRowOf(n))));
    if (n % EVENT_EVERY === 0) onRow?.(n, prepared.rows);
  }
  for (const taken of judge.takenAway()) {
    tally.add(taken);
    await say(taken);
  }
  return tally.result();
}

function differenceOf({ change, is, unknown = [] }: Verdict): RowDifference {
  if (change === 'new' || is === 'incomplete') return 'new';
  return change === 'unchanged' && unknown.length === 0 ? 'same' : 'different';
}

const EVENT_EVERY = 5000;

function changeOf(
  { unknown: _, is: __, ...verdict }: Verdict,
  change: RowChange['change'],
  place: RowPlace,
): RowChange {
  return { ...verdict, change, ...place };
}

function openTally() {
  const counts: Record<keyof typeof NO_ROWS, number> = { ...NO_ROWS };
  const columns = new Set<string>();
  let incomplete = 0;
  return {
    add({ change, is, cells = [], unknown = [] }: Verdict): void {
      if (is === 'incomplete') incomplete += 1;
      for (const column of unknown) columns.add(column);
      counts[change === 'unchanged' && unknown.length > 0 ? 'notCompared' : change] += 1;
      if (change === 'changed') counts.cells += cells.length;
    },
    result: (): RowComparison => ({ counts, columnsNotCompared: [...columns], incomplete }),
  };
}
