import { join } from 'node:path';
import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import { type AddUpOptions, addUpLines, openRepeats, type Repeats } from './add-up-lines.js';
import type { RowFiles } from './archive/row-files.js';
import { interruptionError } from './interrupted.js';
import { circleCheck } from './preflight/circle-check.js';
import type { FindingCollector } from './preflight/collect-findings.js';
import { type Column, normaliseRow } from './preflight/columns.js';
import { partCheck } from './preflight/part-check.js';
import { preflight } from './preflight/preflight.js';
import type { AllowedValues, CheckedRow, PreflightRules } from './preflight/row-check.js';
import type { Division } from './rows/divide-rows.js';
import { KeyFiles } from './rows/key-files.js';
import type { RepeatedRows } from './rows/repeated-rows.js';
import type { RowRanges } from './rows/row-ranges.js';
import { type Spool, SpoolWriter } from './rows/spool.js';
import { rowName } from './source/row-place.js';
import type { CellFault, SourceRow, SourceTable } from './source/source-table.js';

/** Checked rows of a source, on disk. */
export interface ReadRows extends Spool {
  /** Rows of the source that were added to others; absent if there are none. */
  readonly repeats?: RepeatedRows;
}

/** Purpose and destination of the rows to read. */
export interface ReadRowsOptions {
  readonly definition: ImportDefinitionSpec;
  /** A folder of this import alone; the spool stays in it until the caller removes it. */
  readonly folder: string;
  /** How the rows are divided into runs; a single run if absent. */
  readonly division?: Division;
  /** Data rows to prepare, by their places in the file; all by default. Of rows that are added up, all or none. */
  readonly only?: RowRanges;
  /** `sum`: rows that repeat a line of a BOM are added up; `once`: equal ones count once. */
  readonly repeated?: 'error' | 'sum' | 'once';
  /** Known values by target field, such as the paths of the workspace's categories. */
  readonly allowed?: ReadonlyMap<string, AllowedValues>;
  /** Called with the number of rows read so far, now and then and at the end. */
  readonly onRows?: (rows: number) => void;
  readonly signal?: AbortSignal;
}

interface RowPass extends ReadRowsOptions {
  readonly rowFiles: RowFiles | undefined;
}

const EVENT_EVERY = 5000;
const NO_FAULTS: readonly CellFault[] = [];

/**
 * Reads, checks and spools the rows in one pass. A second pass over the spool adds up repeated lines if requested: a
 * line is complete only after the last row.
 */
export async function readRows(
  table: SourceTable,
  columns: readonly Column[],
  pass: RowPass,
  collector: FindingCollector,
): Promise<ReadRows> {
  const { definition, allowed = new Map(), folder, repeated } = pass;
  const rules = resourceNamed(definition.resource);
  const keys = new KeyFiles(folder);
  const plain: PreflightRules = { definition, rules, allowed, keys, rowName: (row) => rowName(table, row) };
  const adding: PreflightRules = repeated === undefined || repeated === 'error' ? plain : { ...plain, repeated };
  const repeats = adding === plain ? undefined : await openRepeats(table, columns, adding, folder, collector.add);
  const given = repeats === undefined ? plain : adding;
  const circles = circleCheck(table, columns, definition, collector.add);
  const writer = await SpoolWriter.open(join(folder, repeats === undefined ? 'rows.csv' : 'source-rows.csv'), columns);
  try {
    await spoolRows({ table, columns, pass, given, collector, circles, repeats }, writer);
    const spool = await writer.finish();
    const made = repeats === undefined ? spool : await addUp(spool, { table, columns, pass, collector }, repeats);
    await circles?.finish(made);
    return made;
  } catch (error) {
    await writer.abandon().catch(() => undefined);
    throw error;
  } finally {
    keys.close();
    await repeats?.file.close();
  }
}

interface Spooling extends Pick<AddUpOptions, 'table' | 'columns'> {
  readonly pass: RowPass;
  readonly given: PreflightRules;
  readonly collector: FindingCollector;
  readonly circles: ReturnType<typeof circleCheck>;
  readonly repeats: Repeats | undefined;
}

async function spoolRows(spooling: Spooling, writer: SpoolWriter): Promise<void> {
  const { table, pass } = spooling;
  const { only, onRows, signal } = pass;
  const take = rowTaker(spooling, writer);
  let rows = 0;
  for await (const batch of table.batches) {
    for (const row of batch) {
      rows += 1;
      if (only?.has(rows) === false) continue;
      const written = take(row);
      // Most rows need no wait, and awaiting each would take as long as reading it.
      if (written !== undefined) await written;
      if (signal?.aborted) throw interruptionError(table.file);
      if (rows % EVENT_EVERY === 0) onRows?.(rows);
    }
  }
  onRows?.(rows);
}

/** Checks a row and spools it. If it returns a promise, await it. */
function rowTaker(spooling: Spooling, writer: SpoolWriter): (row: SourceRow) => Promise<void> | undefined {
  const { table, columns, pass, given, collector, circles, repeats } = spooling;
  const { rowFiles } = pass;
  const check = preflight(table, columns, given, collector.add);
  const parts = repeats === undefined ? partsOf(spooling) : undefined;
  return ({ row, cells: all, faults = NO_FAULTS }) => {
    const cells = normaliseRow(columns, all);
    const checked: CheckedRow = { row, cells, faults };
    check(checked);
    rowFiles?.check(checked);
    const aside = repeats?.add(checked, writer);
    if (aside !== undefined) return aside.written;
    circles?.add(row, cells);
    return parts?.(row, cells) === 'cut' ? writer.addBehindCut(row, cells) : writer.add(row, cells);
  };
}

/** Decides where the spool is cut into parts of one run each. */
const partsOf = ({ table, columns, pass, collector }: Pick<Spooling, 'table' | 'columns' | 'pass' | 'collector'>) =>
  pass.division === undefined ? undefined : partCheck(table, columns, pass.definition, pass.division, collector.add);

async function addUp(
  spool: Spool,
  reading: Pick<Spooling, 'table' | 'columns' | 'pass' | 'collector'>,
  repeats: Repeats,
): Promise<ReadRows> {
  const parts = partsOf(reading);
  const { columns, table, pass } = reading;
  const path = join(pass.folder, 'rows.csv');
  const made = await addUpLines(spool, repeats, {
    ...{ table, columns, path, signal: pass.signal },
    ...omitUndefined({ parts }),
  });
  return repeats.file.count === 0 ? made : { ...made, repeats: repeats.file };
}
