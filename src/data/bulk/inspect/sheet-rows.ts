import { LAST_ROW } from '../source/cell-range.js';
import { rowPlace } from '../source/row-place.js';
import type { SourceTable } from '../source/source-table.js';
import type { ProposedDraft } from './draft.js';

/** Row numbers in a sentence, which do not say their worksheet yet. */
const ROWS = /\brows? (\d+(?:, \d+)*)(?! of worksheet)\b/g;

/** Writes the rows of several worksheets that sentences about a list name as people count them: those of each worksheet. */
export function withSheetRows(
  drafts: readonly ProposedDraft[],
  table: Pick<SourceTable, 'worksheets'>,
): readonly ProposedDraft[] {
  if (table.worksheets === undefined) return drafts;
  return drafts.map((draft) => ({ ...draft, remarks: draft.remarks.map((text) => inSheets(text, table)) }));
}

/** A list with one number of another worksheet than the first is of numbers that rise through all of them. */
function inSheets(text: string, table: Pick<SourceTable, 'worksheets'>): string {
  return text.replace(ROWS, (whole, list: string) => {
    const rows = list.split(', ').map(Number);
    if (rows.every((row) => row <= LAST_ROW)) return whole;
    const sheets = new Map<string, number[]>();
    for (const number of rows) {
      const { row = 0, worksheet = '' } = rowPlace(table, number);
      sheets.set(worksheet, [...(sheets.get(worksheet) ?? []), row]);
    }
    return [...sheets]
      .map(([sheet, of]) => `${of.length === 1 ? 'row' : 'rows'} ${of.join(', ')} of worksheet "${sheet}"`)
      .join(', ');
  });
}
