import type { CellFault } from './source-table.js';

/** The fault of a cell whose formula or link failed; `error`: what the cell shows, such as #REF!. */
export const errorFault = (index: number, error: string | undefined): CellFault => ({
  index,
  code: 'cell-error',
  says: error === undefined ? 'contains an error' : `contains the error ${error}`,
});

/** The fault of a formula that no program has computed yet. */
export const valuelessFault = (index: number): CellFault => ({
  index,
  code: 'formula-without-value',
  says: 'contains a formula without a stored value',
});
