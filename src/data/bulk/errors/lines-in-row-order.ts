import { type ReportedError, readErrorReport } from './error-report.js';

/** A line of the report, with its index from 0. */
export interface ReportLine {
  readonly index: number;
  readonly error: ReportedError;
}

/** Lines in memory at once if they must be sorted. */
const WINDOW = 20_000;

/**
 * Yields the lines of a report in the order of their rows; those without a row (row 0) come last. Streams a report that
 * is in that order; reads another one once for each window of lines, so that memory stays flat.
 */
export async function* linesInRowOrder(report: string, rows: Uint32Array): AsyncGenerator<ReportLine> {
  const order = orderOf(rows);
  if (order === undefined) {
    yield* linesOf(report);
    return;
  }
  const ranks = new Uint32Array(order.length);
  for (const [rank, index] of order.entries()) ranks[index] = rank;
  for (let start = 0; start < order.length; start += WINDOW) {
    const window: ReportLine[] = new Array(Math.min(WINDOW, order.length - start));
    for await (const line of linesOf(report)) {
      const rank = (ranks[line.index] ?? 0) - start;
      if (rank >= 0 && rank < window.length) window[rank] = line;
    }
    yield* window;
  }
}

async function* linesOf(report: string): AsyncGenerator<ReportLine> {
  let index = 0;
  for await (const error of readErrorReport(report)) {
    yield { index, error };
    index += 1;
  }
}

/** Undefined if the lines are in order already. */
function orderOf(rows: Uint32Array): Uint32Array | undefined {
  const sortKey = (row: number): number => (row === 0 ? Number.POSITIVE_INFINITY : row);
  if (rows.every((row, index) => index === 0 || sortKey(rows[index - 1] ?? 0) <= sortKey(row))) return undefined;
  const order = Uint32Array.from(rows.keys());
  return order.sort((a, b) => {
    const [one, other] = [sortKey(rows[a] ?? 0), sortKey(rows[b] ?? 0)];
    return one === other ? a - b : one - other;
  });
}
