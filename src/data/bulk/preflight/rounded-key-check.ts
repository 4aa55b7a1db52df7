import { excerpt } from '#base/printable.js';
import { FREE_TEXT } from './columns.js';
import type { PreflightRules, ReportFinding, RowCheck } from './row-check.js';
import type { RowFields } from './row-fields.js';

/**
 * Format in which spreadsheet programs write a long number into a text file. `970E07` lacks the sign and is an ordinary
 * part number; a number in a cell of a workbook is read as its digits, and never gets here.
 */
const SCIENTIFIC = /^\d(?:[.,]\d+)?E[+-]\d{2,}$/;

/** Finds keys that lost digits in a spreadsheet: the row would change another record, or create a new one. */
export function roundedKeyCheck(fields: RowFields, { rules }: PreflightRules, say: ReportFinding): RowCheck {
  const columns = [...rules.keys, FREE_TEXT].flatMap((key) => {
    const header = fields.column(key)?.header;
    return header === undefined ? [] : [{ key, header }];
  });
  return ({ row, cells }) => {
    for (const { key, header } of columns) {
      const value = fields.text(cells, key).trim();
      if (!SCIENTIFIC.test(value)) continue;
      const message = `"${excerpt(value)}" is probably a long number that a spreadsheet program has rounded.`;
      const hint = `Format the column "${header}" as text, restore the full numbers, and export the file again.`;
      say({ severity: 'warning', code: 'key-rounded', message, hint, row, column: header, value });
    }
  };
}
