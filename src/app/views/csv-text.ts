import { stringify } from 'csv-stringify/sync';
import { printableText } from '#base/printable.js';

/** A list as CSV that people open and terminals show: no cell runs as a formula of a spreadsheet or moves the cursor. */
export const csvText = (rows: readonly object[], columns: readonly string[]): string =>
  stringify([...rows], {
    header: true,
    columns: [...columns],
    escape_formulas: true,
    cast: { string: printableText },
  });
