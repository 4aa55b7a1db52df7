import { excerpts } from '#base/printable.js';
import type { RowChange } from '#core/model/rows-preview.js';
import { keyText, oneLine, ROW_MARKS, rowText, valueText } from './row-words.js';

/** Maximum length of a value in a line. */
const LONGEST_VALUE = 60;

/** A changed row as one line for a report: `~ 20-0001 (row 4): Cost 3 -> 4`. */
export function rowLine(row: RowChange): string {
  const head = `${ROW_MARKS[row.change]} ${oneLine(keyText(row.key))}${rowText(row)}`;
  const said = saidOf(row);
  return said === '' ? head : `${head}: ${said}`;
}

function saidOf({ change, cells = [], why }: RowChange): string {
  if (why !== undefined) return why;
  if (change === 'gone') return 'no longer in the file';
  return cells
    .map(({ column, before, after }) => {
      const [old, wanted] = excerpts(before, after, LONGEST_VALUE);
      if (change === 'changed') return `${oneLine(column)} ${valueText(old)} -> ${valueText(wanted)}`;
      return `${oneLine(column)} ${valueText(after === '' ? old : wanted)}`;
    })
    .join(', ');
}
