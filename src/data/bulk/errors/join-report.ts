import type { Readable } from 'node:stream';
import type { ErrorGroup, RowError } from '#core/stream/row-error.js';
import type { PreparedImport } from '../prepare.js';
import { type RowSpan, readSpooledRows, type SpooledRow } from '../rows/spooled-rows.js';
import { collectCauses } from './cause-groups.js';
import { indexColumnNames } from './error-column.js';
import { spoolErrorReport } from './error-report.js';
import { gatherEvidence } from './evidence.js';
import { openJoinedFile } from './joined-file.js';
import { linesInRowOrder, type ReportLine } from './lines-in-row-order.js';
import { type Calibration, calibrate } from './numbering.js';
import { type Placement, placeLine } from './placement.js';
import { buildRowError } from './row-error.js';
import { findRowIdentity, type RowIdentity } from './row-identity.js';
import { countRunRows } from './run-rows.js';

/** A run whose error report is to be read, and the file for its joined lines. */
export interface JoinInput {
  readonly prepared: PreparedImport;
  /** The data rows that the run was sent; all by default. */
  readonly covered?: RowSpan;
  /** `sheet rows` if the user's own file was sent, since the service then counts its rows. */
  readonly expected?: Calibration['counts'];
  /** File to create: all failed rows, for `readJoinedErrors`. The report itself is stored beside it. */
  readonly path: string;
  /** Number of failed rows to keep in memory; all are in the file. */
  readonly keep: number;
}

/** Summary of the report; all of its lines are in the file at `path`. */
export interface JoinedReport {
  /** Number of lines in the report. */
  readonly total: number;
  /** The first failed rows, in the order of the source. */
  readonly kept: readonly RowError[];
  readonly groups: readonly ErrorGroup[];
  /** Numbering that was found for the row numbers. */
  readonly numbering: Calibration;
}

/**
 * Joins a whole error report to the source. The interface does not show what `Row Number` counts from, so the keys
 * decide it first; each line is then placed by both, with the certainty (design, section 8). Texts go from disk to
 * disk; memory takes some dozen bytes for each row and line.
 */
export async function joinReport(content: Readable, input: JoinInput): Promise<JoinedReport> {
  const { prepared, path, expected = 'rows', keep } = input;
  const covered = input.covered ?? { first: 1, last: prepared.rows };
  const report = `${path}.report.csv`;
  await spoolErrorReport(content, report);
  const identity = findRowIdentity(prepared.resource, prepared.columns);
  const evidence = await gatherEvidence(report, prepared, covered, identity);
  const runRows = countRunRows(prepared, covered);
  const numbering = calibrate(evidence, runRows, expected);
  const placeOf = (index: number): Placement => placeLine(index, evidence, numbering, runRows);
  const rows = Uint32Array.from({ length: evidence.total }, (_, index) => placeOf(index).n ?? 0);
  const sink = await openSink(path, keep, prepared, identity);
  try {
    for await (const { line, cells } of joinCells(linesInRowOrder(report, rows), rows, prepared, covered)) {
      await sink.add(line, placeOf(line.index), cells);
    }
  } finally {
    await sink.finish();
  }
  return { total: evidence.total, ...sink.results(), numbering };
}

async function openSink(path: string, keep: number, prepared: PreparedImport, identity: RowIdentity) {
  const file = await openJoinedFile(path);
  const causes = collectCauses();
  const names = indexColumnNames(prepared.columns);
  const kept: RowError[] = [];
  return {
    async add({ error }: ReportLine, placed: Placement, cells: readonly string[] | undefined): Promise<void> {
      const joined = buildRowError(error, placed, cells, identity, names, prepared);
      if (kept.length < keep) kept.push(joined);
      causes.add(joined);
      await file.add(joined);
    },
    finish: () => file.finish(),
    results: () => ({ kept, groups: causes.groups() }),
  };
}

interface LineWithCells {
  readonly line: ReportLine;
  readonly cells: readonly string[] | undefined;
}

/** Joins both in one pass, since they are in the same order. */
async function* joinCells(
  lines: AsyncGenerator<ReportLine>,
  rows: Uint32Array,
  { path }: PreparedImport,
  covered: RowSpan,
): AsyncGenerator<LineWithCells> {
  const spooled = readSpooledRows(path, covered);
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
