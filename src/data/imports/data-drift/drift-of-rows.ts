import { omitUndefined } from '#base/omit-undefined.js';
import type { DriftedRow, ImportDrift } from '#core/model/import-drift.js';
import type { RowChange } from '#core/model/rows-preview.js';
import { compareState } from '../../bulk/compare/compare-state.js';
import type { KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { cellFields, type LaterWrites, type WrittenRows } from '../../bulk/compare/later-writes.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import { rowLabel, rowPlace } from '../../bulk/source/row-place.js';

/** Committed rows, what the workspace has of them, and what later imports wrote. */
export interface RowsDriftInput extends WrittenRows {
  readonly prepared: PreparedImport;
  /** Sealed; values are in the order of the targets of the columns. */
  readonly records: KeyedRows;
  readonly later: LaterWrites;
  /** An existing folder. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Changes to committed rows. */
export type RowsDrift = Required<Pick<ImportDrift, 'counts' | 'changes'>> & Pick<ImportDrift, 'columnsNotCompared'>;

const KEEP = 10_000;

/** Compares the rows that an import wrote with the workspace. Values that later imports overwrote are not drift. */
export async function driftOfRows(input: RowsDriftInput): Promise<RowsDrift> {
  const { prepared, definition, records, folder, later, signal, failed } = input;
  const fields = cellFields(prepared.columns, definition);
  const failedAt = new Set([...failed].map((n) => rowLabel(rowPlace(prepared, prepared.sourceRowOf(n)))));
  const counts = { changed: 0, cells: 0, gone: 0, back: 0, added: 0, notCompared: 0 };
  const changes: DriftedRow[] = [];
  const asked = { prepared, definition, records, folder, signal };
  const compared = await compareState(asked, (found) => {
    if (found.row !== undefined && failedAt.has(rowLabel(found))) return;
    const left = later.without(found, fields);
    const drifted = left === undefined ? undefined : driftedRow(left);
    if (drifted === undefined) return;
    counts[drifted.what] += 1;
    if (drifted.what === 'changed') counts.cells += drifted.cells.length;
    if (changes.length < KEEP) changes.push(drifted);
  });
  const { columnsNotCompared } = compared;
  return {
    counts: { ...counts, notCompared: compared.counts.notCompared },
    changes,
    ...(columnsNotCompared.length === 0 ? {} : { columnsNotCompared }),
  };
}

/** Undefined if the import itself made the change, such as removing a record. */
function driftedRow({ change, row, worksheet, key, cells = [] }: RowChange): DriftedRow | undefined {
  const where = { ...omitUndefined({ row, worksheet }), key };
  // The other way round: the row would change the current value back to the applied one.
  const both = cells.map(({ column, before: now, after: applied }) => ({ column, applied, now }));
  switch (change) {
    case 'changed':
      return { what: 'changed', ...where, cells: both };
    case 'new':
      return { what: 'gone', ...where, cells: [] };
    case 'removed':
      return { what: row === undefined ? 'added' : 'back', ...where, cells: both };
    default:
      return undefined;
  }
}
