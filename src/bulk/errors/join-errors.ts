import { rulesOf } from '../../jobs/resources.js';
import type { PreparedImport } from '../prepare.js';
import { spooledRows } from '../rows/spooled-rows.js';
import type { ReportedError } from './report.js';
import { type Base, calibrate, type Evidence, gather, type Holder } from './row-base.js';

/** A failed row, at its place in the source. */
export interface RowError {
  /** Undefined where neither row number nor key lead to a row. */
  readonly row: number | undefined;
  readonly worksheet?: string;
  readonly key: string;
  /** The column that the service's message names, else that of the key, with the cell's value. */
  readonly column?: string;
  readonly value?: string;
  readonly code: number | undefined;
  readonly message: string;
  readonly certainty: Certainty;
  /** Where row number and key disagree: what each of them says. */
  readonly doubt?: string;
}

/**
 * `certain`: row number and key agree. `by-row`, `by-key`: one of them led there and the other could neither confirm nor
 * deny it. `doubtful`: they disagree.
 */
export type Certainty = 'certain' | 'by-row' | 'by-key' | 'doubtful';

/** A reported error and the data row that it is taken to mean. */
interface Placed {
  readonly error: ReportedError;
  readonly n: number | undefined;
  readonly certainty: Certainty;
  readonly doubt?: string;
}

/**
 * Joins reported errors to the source. What `Row Number` counts from is not shown by the interface, so its base is found
 * from the keys first; each error is then placed by both and says how sure that is (design, section 8).
 */
export async function joinErrors(errors: readonly ReportedError[], prepared: PreparedImport): Promise<RowError[]> {
  if (errors.length === 0) return [];
  const reported = rulesOf(prepared.resource).reported ?? 'number';
  const keyColumn = prepared.columns.findIndex(({ fields }) => fields.includes(reported));
  const evidence = await gather(errors, prepared, keyColumn);
  const base = calibrate(errors, evidence);
  const placed = errors.map((error) => place(error, base, evidence, prepared));
  const cells = await cellsOf(placed, prepared);
  return placed.map((each) => rowError(each, cells.get(each.n ?? 0), keyColumn, prepared));
}

function place(error: ReportedError, base: Base, evidence: Evidence, prepared: PreparedImport): Placed {
  const { rowNumber, key } = error;
  const holder = evidence.holders.get(key);
  if (rowNumber === undefined && holder !== undefined) return placeByKey(error, holder);
  const byNumber = (rowNumber ?? Number.NaN) - base.base;
  const numbered = prepared.sourceRowOf(byNumber) === undefined ? undefined : byNumber;
  const unique = holder?.count === 1 ? holder.first : undefined;
  if (numbered !== undefined && evidence.keys.get(numbered) === key) {
    return { error, n: numbered, certainty: base.proof === 'by keys' || unique === numbered ? 'certain' : 'by-row' };
  }
  if (numbered !== undefined && key === '') return { error, n: numbered, certainty: 'by-row' };
  return {
    error,
    n: unique ?? numbered,
    certainty: 'doubtful',
    doubt: disagreement(error, numbered, holder, prepared),
  };
}

function placeByKey(error: ReportedError, { first, count }: Holder): Placed {
  if (count === 1) return { error, n: first, certainty: 'by-key' };
  return {
    error,
    n: first,
    certainty: 'doubtful',
    doubt: `${count} rows have the key "${error.key}"; this is the first.`,
  };
}

function disagreement(
  { rowNumber, key }: ReportedError,
  numbered: number | undefined,
  holder: Holder | undefined,
  { sourceRowOf }: PreparedImport,
): string {
  const number =
    numbered === undefined
      ? `row number ${rowNumber ?? '(none)'} leads to no row`
      : `row number ${rowNumber} leads to row ${sourceRowOf(numbered)}, which has another key`;
  const keyed =
    holder === undefined
      ? `no row has the key "${key}"`
      : holder.count === 1
        ? `the key "${key}" stands in row ${sourceRowOf(holder.first)}`
        : `${holder.count} rows have the key "${key}", first row ${sourceRowOf(holder.first)}`;
  return `The service's ${number}; ${keyed}.`;
}

async function cellsOf(placed: readonly Placed[], prepared: PreparedImport): Promise<Map<number, readonly string[]>> {
  const wanted = new Set(placed.flatMap(({ n }) => (n === undefined ? [] : [n])));
  const found = new Map<number, readonly string[]>();
  for await (const { n, cells } of spooledRows(prepared.path)) {
    if (wanted.has(n)) found.set(n, cells);
    if (found.size === wanted.size) break;
  }
  return found;
}

function rowError(
  { error, n, certainty, doubt }: Placed,
  cells: readonly string[] | undefined,
  keyColumn: number,
  { sourceRowOf, worksheet, columns }: PreparedImport,
): RowError {
  const named = columns.findIndex(({ header, fields }) => isNamed(error.message, [header, ...fields]));
  const at = named === -1 ? keyColumn : named;
  const column = columns[at]?.header;
  return {
    row: n === undefined ? undefined : sourceRowOf(n),
    ...(worksheet === undefined ? {} : { worksheet }),
    key: error.key,
    ...(column === undefined ? {} : { column }),
    ...(column === undefined || cells === undefined ? {} : { value: cells[at] ?? '' }),
    code: error.code,
    message: error.message,
    certainty,
    ...(doubt === undefined ? {} : { doubt }),
  };
}

/** Only points at a cell for a reader: the service's messages quote the attribute that they are about (wire-facts 2.1). */
const isNamed = (message: string, names: readonly string[]): boolean =>
  names.some((name) => message.toLowerCase().includes(`"${name.trim().toLowerCase()}"`));
