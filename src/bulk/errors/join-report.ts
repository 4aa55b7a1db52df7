import type { Readable } from 'node:stream';
import type { PreparedImport } from '../prepare.js';
import { type Covered, coveredRows, type SpooledRow } from '../rows/spooled-rows.js';
import { collectCauses, type ErrorGroup } from './cause-groups.js';
import { gather } from './claims.js';
import { type Identity, identityOf } from './identity.js';
import { inRowOrder, type Line } from './in-row-order.js';
import { joinedTo } from './joined-file.js';
import { columnNames } from './named-cell.js';
import { type Calibrated, calibrate } from './numbering.js';
import { type Placed, place } from './place.js';
import { spoolReport } from './report.js';
import { type RowError, rowErrorOf } from './row-error.js';
import { sheetOf } from './sheet.js';

export interface JoinInput {
  readonly prepared: PreparedImport;
  /** The data rows that the run was sent; all by default. */
  readonly covered?: Covered;
  /** `sheet rows` where the user's own file was sent, whose rows the service then counts. */
  readonly expected?: Calibrated['counts'];
  /** A file to make: all failed rows, as `joinedErrors` reads them. The report itself is put beside it. */
  readonly path: string;
  /** How many are kept in memory; all are in the file. */
  readonly keep: number;
}

export interface JoinedReport {
  /** Lines of the report. */
  readonly total: number;
  /** The first ones, in the order of the source. */
  readonly kept: readonly RowError[];
  readonly groups: readonly ErrorGroup[];
  /** What row numbers were found to count. */
  readonly numbering: Calibrated;
}

/**
 * Joins an error report to the source, all of it. What `Row Number` counts from is not shown by the interface, so it is found
 * from the keys first; each line is then placed by both and says how sure that is (design, section 8). Texts go from disk to
 * disk; memory holds some dozen bytes for each row and line.
 */
export async function joinReport(content: Readable, input: JoinInput): Promise<JoinedReport> {
  const { prepared, path, expected = 'rows', keep } = input;
  const covered = input.covered ?? { first: 1, last: prepared.rows };
  const report = `${path}.report.csv`;
  await spoolReport(content, report);
  const identity = identityOf(prepared.resource, prepared.columns);
  const claims = await gather(report, prepared, covered, identity);
  const sheet = sheetOf(prepared, covered);
  const numbering = calibrate(claims, sheet, expected);
  const placeOf = (index: number): Placed => place(index, claims, numbering, sheet);
  const rows = Uint32Array.from({ length: claims.total }, (_, index) => placeOf(index).n ?? 0);
  const sink = await sinkTo(path, keep, prepared, identity);
  try {
    for await (const { line, cells } of withCells(inRowOrder(report, rows), rows, prepared, covered)) {
      await sink.add(line, placeOf(line.index), cells);
    }
  } finally {
    await sink.finish();
  }
  return { total: claims.total, ...sink.found(), numbering };
}

async function sinkTo(path: string, keep: number, prepared: PreparedImport, identity: Identity) {
  const file = await joinedTo(path);
  const causes = collectCauses();
  const names = columnNames(prepared.columns);
  const kept: RowError[] = [];
  return {
    async add({ error }: Line, placed: Placed, cells: readonly string[] | undefined): Promise<void> {
      const joined = rowErrorOf(error, placed, cells, identity, names, prepared);
      if (kept.length < keep) kept.push(joined);
      causes.add(joined);
      await file.add(joined);
    },
    finish: () => file.finish(),
    found: () => ({ kept, groups: causes.groups() }),
  };
}

interface LineWithCells {
  readonly line: Line;
  readonly cells: readonly string[] | undefined;
}

/** One pass over both, which are in the same order. */
async function* withCells(
  lines: AsyncGenerator<Line>,
  rows: Uint32Array,
  { path }: PreparedImport,
  covered: Covered,
): AsyncGenerator<LineWithCells> {
  const spooled = coveredRows(path, covered);
  let row: SpooledRow | undefined;
  try {
    for await (const line of lines) {
      const n = rows[line.index] ?? 0;
      while (n !== 0 && (row?.n ?? 0) < n) {
        const next = await spooled.next();
        if (next.done) break;
        row = next.value;
      }
      yield { line, cells: n !== 0 && row?.n === n ? row.cells : undefined };
    }
  } finally {
    await spooled.return(undefined);
  }
}
