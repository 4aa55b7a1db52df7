import type { RowError } from '#core/stream/row-error.js';
import type { PreparedImport } from '../prepare.js';
import { accountForPart, isBlankIn, type RunAccount, type RunPart, readErrors } from './run-part.js';

/** Outcome of one row of the source. */
export type RowVerdict =
  | { readonly is: 'success' }
  | { readonly is: 'failed'; readonly errors: readonly RowError[] }
  | { readonly is: 'unprocessed'; readonly reason: string; readonly certainty: 'certain' | 'doubtful' };

/** Gives outcomes row by row, in order: `n` counts data rows from 1. */
export interface VerdictReader {
  of(n: number, cells: readonly string[]): Promise<RowVerdict>;
  close(): Promise<void>;
  readonly accounts: readonly RunAccount[];
}

const NOT_SENT = { is: 'unprocessed', reason: 'This row was not sent.', certainty: 'certain' } as const;
const PASSED_OVER = 'The row has no value in any mapped column, and the service skips such rows.';

/** `parts` must be in the order of their rows. */
export async function readVerdicts(parts: readonly RunPart[], prepared: PreparedImport): Promise<VerdictReader> {
  const accounts: RunAccount[] = [];
  for (const part of parts) accounts.push(await accountForPart(part, prepared));
  const open = parts.map(({ errors }) => errorsByRow(readErrors(errors)));
  return {
    accounts,
    async of(n, cells) {
      const at = parts.findIndex(({ first, last }) => n >= first && n <= last);
      const [part, errors, rest] = [parts[at], open[at], accounts[at]];
      if (part === undefined || errors === undefined || rest === undefined) return NOT_SENT;
      const failed = await errors.at(n);
      return failed.length > 0
        ? { is: 'failed', errors: failed }
        : verdictOfRest(n, isBlankIn(prepared, cells) ? 'blank' : 'filled', rest);
    },
    async close() {
      for (const errors of open) await errors.close();
    },
  };
}

function verdictOfRest(n: number, row: 'blank' | 'filled', { rest, because = '', maybe }: RunAccount): RowVerdict {
  if (maybe.has(n)) {
    const reason = 'The error report may refer to this row: its row number points here, its key to another row.';
    return { is: 'unprocessed', reason, certainty: 'doubtful' };
  }
  if (rest === 'no') return { is: 'unprocessed', reason: because, certainty: 'doubtful' };
  if (rest === 'but blank' && row === 'blank') return { is: 'unprocessed', reason: PASSED_OVER, certainty: 'certain' };
  return { is: 'success' };
}

/** Lines are in the order of their rows; several may mean one row. */
function errorsByRow(errors: AsyncGenerator<RowError>) {
  let next: IteratorResult<RowError> | undefined;
  return {
    async at(n: number): Promise<RowError[]> {
      const found: RowError[] = [];
      for (;;) {
        next ??= await errors.next();
        if (next.done || next.value.dataRow === undefined || next.value.dataRow > n) return found;
        if (next.value.dataRow === n) found.push(next.value);
        next = undefined;
      }
    },
    close: () => errors.return(undefined),
  };
}
