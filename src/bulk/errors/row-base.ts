import type { PreparedImport } from '../prepare.js';
import { spooledRows } from '../rows/spooled-rows.js';
import type { ReportedError } from './report.js';

/** Data row 1 has row number 2 where the header counts as row 1 (wire-facts 0). */
const EXPECTED_BASE = 1;
const USUAL_BASES = [EXPECTED_BASE, 0, -1, 2];

/** The data rows of one key. */
export interface Holder {
  readonly first: number;
  readonly count: number;
}

/** What one pass over the rows tells about the rows and keys that the errors name. */
export interface Evidence {
  /** Key by data row, for the rows that may be meant. */
  readonly keys: ReadonlyMap<number, string>;
  /** By key: the first data row, and how many have it. */
  readonly holders: ReadonlyMap<string, Holder>;
}

export interface Base {
  readonly base: number;
  readonly proof: 'by keys' | 'assumed';
}

/** Memory grows with the errors, not with the rows. `keyColumn` may be -1. */
export async function gather(
  errors: readonly ReportedError[],
  prepared: PreparedImport,
  keyColumn: number,
): Promise<Evidence> {
  const wantedKeys = new Set(errors.map(({ key }) => key));
  const numbers = new Set(errors.flatMap(({ rowNumber }) => (rowNumber === undefined ? [] : [rowNumber])));
  const nearby = [...numbers].flatMap((rowNumber) => USUAL_BASES.map((base) => rowNumber - base));
  const wantedRows = new Set(nearby);
  const keys = new Map<number, string>();
  const holders = new Map<string, Holder>();
  for await (const { n, cells } of spooledRows(prepared.path)) {
    const key = (cells[keyColumn] ?? '').trim();
    if (wantedRows.has(n)) keys.set(n, key);
    if (!wantedKeys.has(key)) continue;
    const known = holders.get(key);
    holders.set(key, { first: known?.first ?? n, count: (known?.count ?? 0) + 1 });
    if (known === undefined) keys.set(n, key);
  }
  return { keys, holders };
}

const ASSUMED: Base = { base: EXPECTED_BASE, proof: 'assumed' };

/**
 * The base under which most row numbers lead to the reported key. Proven only if no other does as well, and an unusual
 * one by two errors at least: one alone may as well be a wrong number.
 */
export function calibrate(errors: readonly ReportedError[], { keys, holders }: Evidence): Base {
  const bases = new Set(USUAL_BASES);
  for (const { rowNumber, key } of errors) {
    const holder = holders.get(key);
    if (rowNumber !== undefined && holder?.count === 1) bases.add(rowNumber - holder.first);
  }
  const votes = (base: number): number =>
    errors.filter(({ rowNumber, key }) => rowNumber !== undefined && keys.get(rowNumber - base) === key).length;
  const ranked = [...bases]
    .slice(0, 50)
    .map((base) => ({ base, votes: votes(base) }))
    .sort((a, b) => b.votes - a.votes);
  const [best, second] = ranked;
  const needed = USUAL_BASES.includes(best?.base ?? Number.NaN) ? 1 : 2;
  if (best === undefined || best.votes < needed || best.votes === second?.votes) return ASSUMED;
  return { base: best.base, proof: 'by keys' };
}
