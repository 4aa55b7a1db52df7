import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '#core/model/findings.js';
import { interruptionError } from './interrupted.js';
import type { Column } from './preflight/columns.js';
import { designatorCountCheck } from './preflight/designator-check.js';
import { findingReporter } from './preflight/preflight.js';
import { RepeatedLines, repeatedProblem } from './preflight/repeated-lines.js';
import type { CheckedRow, PreflightRules, RowCheck } from './preflight/row-check.js';
import { createRowFields } from './preflight/row-fields.js';
import { shapeCheck } from './preflight/shape-check.js';
import { RepeatedRowsFile } from './rows/repeated-rows.js';
import { type Spool, SpoolWriter } from './rows/spool.js';
import { readAllRows } from './rows/spooled-rows.js';
import type { SourceTable } from './source/source-table.js';

/** Collects the rows that repeat a line of a BOM, to add them to the first row of that line. */
export interface Repeats {
  readonly file: RepeatedRowsFile;
  readonly lines: RepeatedLines;
  /** Checks a whole line for more designators than pieces. */
  readonly checkLine: RowCheck;
  /** Checks the sum of several rows for more designators than a cell may contain. */
  readonly checkSum: RowCheck;
  /** Puts aside a row that repeats a line; returns undefined for a row that stays a data row of its own. */
  add(row: CheckedRow, before: SpoolWriter): { readonly written: Promise<void> | undefined } | undefined;
}

/** Prepares `repeated: sum` or `once`; adds a finding and returns undefined where it makes no sense for the rows. */
export async function openRepeats(
  table: SourceTable,
  columns: readonly Column[],
  given: PreflightRules,
  folder: string,
  add: (finding: Finding) => void,
): Promise<Repeats | undefined> {
  const say = findingReporter(table, columns, add);
  const fields = createRowFields(columns, given.definition);
  const problem = repeatedProblem(fields, given);
  if (problem !== undefined) {
    const message = `\`repeated: ${given.repeated}\` adds up the quantities of BOM lines, but ${problem}.`;
    say({ severity: 'error', code: 'repeated-impossible', message, hint: 'Leave out `repeated`.' });
    return undefined;
  }
  const lines = new RepeatedLines(fields, given, say);
  const refDes = given.allowed.get('refdes');
  const file = await RepeatedRowsFile.open(join(folder, 'repeated-rows.csv'));
  return {
    ...{ file, lines },
    checkLine: designatorCountCheck(fields, given, say),
    checkSum: refDes === undefined ? () => {} : shapeCheck('refDes', refDes, fields, given, say),
    add(row, before) {
      const n = lines.targetOf(row, before.count + 1, (earlier) => before.sourceRowOf(earlier));
      return n === undefined ? undefined : { written: file.add(n, row.row, row.cells) };
    },
  };
}

/** Destination of the added-up rows, and where they are cut into parts. */
export interface AddUpOptions {
  readonly table: SourceTable;
  readonly columns: readonly Column[];
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  readonly parts?: (row: number, cells: readonly string[]) => 'cut' | 'stay';
}

/** Rewrites the spool so that each line appears once, at the place of its first row. */
export async function addUpLines(
  spool: Spool,
  { file, lines, checkLine, checkSum }: Repeats,
  { table, columns, path, signal, parts }: AddUpOptions,
): Promise<Spool> {
  await file.flush();
  const writer = await SpoolWriter.open(path, columns);
  try {
    for await (const { n, cells } of readAllRows(spool)) {
      const further = file.has(n) ? await file.cellsOf(n) : [];
      const line = further.length === 0 ? cells : lines.merge([cells, ...further]);
      const row = spool.sourceRowOf(n) ?? 0;
      const checked = { row, cells: line, faults: [] };
      checkLine(checked);
      if (further.length > 0) checkSum(checked);
      if (parts?.(row, line) === 'cut') await writer.cut();
      const written = writer.add(row, line);
      if (written !== undefined) await written;
      if (signal?.aborted) throw interruptionError(table.file);
    }
    const made = await writer.finish();
    await rm(spool.path, { force: true });
    return made;
  } catch (error) {
    await writer.abandon().catch(() => undefined);
    throw error;
  }
}
