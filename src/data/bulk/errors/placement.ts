import type { Certainty } from '#core/stream/row-error.js';
import type { PreparedImport } from '../prepare.js';
import { rowName } from '../source/row-place.js';
import type { ReportedError } from './error-report.js';
import type { Evidence } from './evidence.js';
import type { KeyHolder } from './key-holders.js';
import { type Calibration, rowAt } from './numbering.js';
import type { RunRows } from './run-rows.js';

/** The data row chosen for a line of the report, and in doubt the other row that it may mean. */
export interface Placement {
  readonly n: number | undefined;
  readonly orN?: number;
  readonly certainty: Certainty;
  readonly namedBy: 'key' | 'key and message';
  readonly holder: KeyHolder | undefined;
  /** Number of rows with the key, if the line has no row number to choose one of them. */
  readonly among?: number;
}

/** Finds the data row of a report line by its row number and its key together, with the certainty. */
export function placeLine(index: number, evidence: Evidence, numbering: Calibration, runRows: RunRows): Placement {
  const found = chooseRow(index, evidence, numbering, runRows);
  return { ...found, namedBy: evidence.namedBy(index), holder: evidence.holderOf(index) };
}

type ChosenRow = Pick<Placement, 'n' | 'orN' | 'certainty' | 'among'>;

function chooseRow(index: number, evidence: Evidence, numbering: Calibration, runRows: RunRows): ChosenRow {
  const rowNumber = evidence.rowNumberOf(index);
  const holder = evidence.holderOf(index);
  if (rowNumber === undefined && holder !== undefined) return chooseByKey(holder);
  const numbered = rowNumber === undefined ? undefined : rowAt(numbering, rowNumber, runRows);
  const unique = holder?.count === 1 ? holder.first : undefined;
  if (numbered === undefined) return { n: unique, certainty: 'doubtful' };
  const isThere = evidence.isAt(index, numbered);
  if (isThere === 'yes') {
    return { n: numbered, certainty: numbering.proof === 'all keys' || unique === numbered ? 'certain' : 'by-row' };
  }
  if (evidence.isKeyless(index) || (isThere === 'no key' && holder === undefined)) {
    return { n: numbered, certainty: 'by-row' };
  }
  if (unique === undefined) return { n: numbered, certainty: 'doubtful' };
  return { n: unique, orN: numbered, certainty: 'doubtful' };
}

function chooseByKey({ first, count }: KeyHolder): ChosenRow {
  return count === 1 ? { n: first, certainty: 'by-key' } : { n: first, certainty: 'doubtful', among: count };
}

/** Explains the doubt about a line by its row number and its key. */
export function explainDoubt(
  { rowNumber, key }: ReportedError,
  { n, orN, certainty, among, holder, namedBy }: Placement,
  prepared: Pick<PreparedImport, 'sourceRowOf' | 'file' | 'worksheet' | 'worksheets'>,
): string | undefined {
  if (certainty !== 'doubtful') return undefined;
  const nameOf = (place: number): string => rowName(prepared, prepared.sourceRowOf(place));
  if (among !== undefined) return `${among} rows have the key "${key}"; this is the first.`;
  const numbered = orN ?? (holder?.count === 1 ? undefined : n);
  const called = namedBy === 'key' ? `the key "${key}"` : `the key "${key}" and the value in the message`;
  const keyed =
    holder === undefined
      ? `no row has ${called}`
      : holder.count === 1
        ? `row ${nameOf(holder.first)} has ${called}`
        : `${holder.count} rows have ${called}, the first is row ${nameOf(holder.first)}`;
  const row = numbered === undefined ? undefined : nameOf(numbered);
  return `${numberText(rowNumber, row, namedBy)}; ${keyed}.`;
}

function numberText(rowNumber: number | undefined, row: string | undefined, namedBy: Placement['namedBy']): string {
  if (rowNumber === undefined) return 'The service gives no row number';
  if (row === undefined) return `The service gives row number ${rowNumber}, which matches no row`;
  const other = namedBy === 'key' ? 'another key' : 'another key or value';
  return `The service gives row number ${rowNumber} (row ${row} of the file), which has ${other}`;
}
