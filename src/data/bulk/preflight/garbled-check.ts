import { omitUndefined } from '#base/omit-undefined.js';
import { excerpt } from '#base/printable.js';
import { ungarbled } from '../source/garbled-text.js';
import type { Column } from './columns.js';
import type { ReportFinding, RowCheck } from './row-check.js';

/** Finds texts whose letters were destroyed before the file was written: UTF-8 that a program read as Windows-1252. */
export function garbledCheck(columns: readonly Column[], say: ReportFinding): RowCheck {
  return ({ row, cells }) => {
    for (let index = 0; index < cells.length; index += 1) {
      const value = cells[index] ?? '';
      const original = ungarbled(value);
      if (original === undefined) continue;
      say({
        severity: 'warning',
        code: 'value-garbled',
        message: `"${excerpt(value)}" looks like UTF-8 that was read as Windows-1252; it was probably "${excerpt(original)}".`,
        hint: 'Export the list again as UTF-8, or correct the value in the file.',
        row,
        ...omitUndefined({ column: columns[index]?.header }),
        value,
      });
    }
  };
}
