import { stringify } from 'csv-stringify/sync';
import { printableText } from '#base/printable.js';

/** Formats rows as CSV that is safe to open and to print: no cell runs as a formula or moves the cursor. */
export const csvText = (rows: readonly object[], columns: readonly string[]): string =>
  stringify([...rows], {
    header: true,
    columns: [...columns],
    escape_formulas: true,
    cast: { string: printableText },
  });
