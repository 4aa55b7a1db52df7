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

/** What to do about each fault. */
export const FAULT_HINTS: Readonly<Record<CellFault['code'], string>> = {
  'cell-error': 'Correct the cell in the workbook.',
  'date-unreadable': 'Correct the cell, replace it with `values`, or change the order in `dates`.',
  'formula-without-value': 'Open the workbook in a spreadsheet program and save it.',
  'values-uneven': 'Give each of the columns of `splitRows` as many values, or one for all.',
  'row-short': 'Write the empty cells too, set `shortRows: allow`, or remove the row.',
  'parent-unknown': 'Correct the level of the row, or `hierarchy` in the source.',
};
