import { join } from 'node:path';
import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { Finding } from '#core/model/findings.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { RowChange } from '#core/model/rows-preview.js';
import { compareState } from '../compare/compare-state.js';
import type { KeyedRows } from '../compare/keyed-rows.js';
import type { SharedRows } from '../compare/shared-cells.js';
import { createRowFields } from '../preflight/row-fields.js';
import type { PreparedImport } from '../prepare.js';
import { openCsvFile } from '../rows/csv-file.js';
import { joinKey } from '../rows/key-index.js';
import { readAllRows } from '../rows/spooled-rows.js';
import { tablePlace } from '../source/source-table.js';

/** A committed import, and which of its rows to read back. */
export interface RowSelection {
  readonly prepared: PreparedImport;
  readonly definition: ImportDefinitionSpec;
  readonly how: 'sample' | 'all';
  /** Data rows that are known to have had no effect. */
  readonly failed: ReadonlySet<number>;
  /** An existing folder, where the rows stay. */
  readonly folder: string;
}

/** Number of rows in a sample: spread evenly, including the first and the last. */
export const SAMPLE_ROWS = 20;
const KEEP = 100;

/** Selects the rows to read back as a separate import: of several rows with one key, the last one. */
export async function chooseRows({ prepared, folder, ...choosing }: RowSelection): Promise<PreparedImport> {
  const places = await placesOf({ prepared, ...choosing });
  const chosen = new Set(places);
  const path = join(folder, 'rows.csv');
  const file = await openCsvFile(
    path,
    prepared.columns.map(({ header }) => header),
  );
  for await (const { n, cells } of readAllRows(prepared)) if (chosen.has(n)) await file.add(cells);
  await file.finish();
  return { ...prepared, path, rows: places.length, sourceRowOf: (n) => prepared.sourceRowOf(places[n - 1] ?? 0) };
}

async function placesOf({ prepared, definition, how, failed }: Omit<RowSelection, 'folder'>): Promise<number[]> {
  const fields = createRowFields(prepared.columns, definition);
  const { keys } = resourceNamed(definition.resource);
  const last = new Map<string, number>();
  for await (const { n, cells } of readAllRows(prepared)) {
    const key = keys.map((name) => fields.text(cells, name));
    if (!failed.has(n) && !key.includes('')) last.set(joinKey(key), n);
  }
  const all = [...last.values()].sort((a, b) => a - b);
  if (how === 'all' || all.length <= SAMPLE_ROWS) return all;
  const step = (all.length - 1) / (SAMPLE_ROWS - 1);
  return Array.from({ length: SAMPLE_ROWS }, (_, index) => all[Math.round(index * step)] ?? 0);
}

/** Chosen rows, all rows of their import, and their records in the workspace. */
export interface VerifyInput {
  readonly prepared: PreparedImport;
  readonly whole: SharedRows['prepared'];
  readonly definition: ImportDefinitionSpec;
  /** Sealed; the values are in the order of the columns' targets. */
  readonly records: KeyedRows;
  /** An existing folder. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Number of compared rows, and their differences from the workspace. */
export interface Verification {
  readonly checked: number;
  /** Rows that had no effect: their record is missing, or still exists. */
  readonly missing: number;
  /** Cells with another value in the workspace, and rows that had no effect. */
  readonly findings: readonly Finding[];
}

/** Compares committed rows with the workspace, cell by cell. */
export async function verifyRows({ prepared, ...input }: VerifyInput): Promise<Verification> {
  const findings: Finding[] = [];
  let missing = 0;
  await compareState({ ...input, prepared }, (change) => {
    // Records of rows that were not chosen are no differences.
    if (change.row === undefined) return;
    if (change.change === 'new' || change.change === 'removed') missing += 1;
    for (const said of differences(change)) {
      const { row, worksheet } = change;
      const where = { ...tablePlace(prepared), row, ...omitUndefined({ worksheet }) };
      if (findings.length < KEEP)
        findings.push({ severity: 'warning', code: 'not-as-sent', hint: LOOK, ...said, ...where });
    }
  });
  return { checked: prepared.rows, missing, findings };
}

const LOOK = 'Someone may have changed it since, or the service reads the cell differently.';

function differences({ change, cells = [] }: RowChange): Pick<Finding, 'message' | 'column' | 'value'>[] {
  switch (change) {
    case 'new':
      return [{ message: 'The record of this row is not in the workspace.' }];
    case 'removed':
      return [{ message: 'The record of this row still exists.' }];
    case 'changed':
      return cells.map(({ column, before, after }) => {
        return { message: `The workspace has "${before}" here.`, column, value: after };
      });
    default:
      return [];
  }
}
