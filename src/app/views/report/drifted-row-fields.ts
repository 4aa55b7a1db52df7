import type { ImportDrift } from '#core/model/import-drift.js';

/** A drifted record as a field of its import. */
export interface DriftedRowField {
  readonly path: string;
  readonly applied?: string;
  readonly now?: string;
}

/** Number of records that a report lists of an import; the text of `drift` and its JSON have more. */
const MOST = 200;

/** The drifted records of an import as fields: a path for each cell, with the applied and the current value. */
export const driftedRowFields = ({ changes }: Pick<ImportDrift, 'changes'>): DriftedRowField[] =>
  changes.slice(0, MOST).flatMap(({ what, key, cells }): DriftedRowField[] => {
    const record = key.join(' / ');
    if (what === 'changed')
      return cells.map(({ column, applied, now }) => ({ path: `${record} ${column}`, applied, now }));
    return what === 'gone' ? [{ path: record, applied: record }] : [{ path: record, now: record }];
  });
