import type { ImportSource } from '#core/jobs/source.js';
import { plainNumber } from '../source/plain-number.js';
import type { Column } from './column.js';
import { columnsIn, columnTexts, type Draft, withoutValues, withRemark, withSource } from './draft.js';
import { eachRowCells, MOST_ALIKE } from './row-cells.js';

/** A row with cells that are at home in the columns beside theirs. */
export interface ShiftedRow {
  readonly row: number;
  readonly cells: readonly ShiftedCell[];
}

/** A cell of such a row, and the column that it is at home in. */
interface ShiftedCell {
  readonly column: string;
  readonly value: string;
  readonly home: string;
}

interface ReadRows {
  readonly source: ImportSource;
  readonly columns: readonly Column[];
  readonly rows: number;
}

type Form = 'number' | 'date' | 'address' | 'text';

/** What is known of the cells of a column. */
interface Tally {
  readonly name: string;
  readonly counts: Map<string, number>;
  readonly forms: Map<Form, number>;
  filled: number;
}

/** The share of cells of one form that makes others foreign. */
const MOST = 0.85;
/** In a shorter list one cell says nothing about the others. */
const LEAST_ROWS = 8;
/** More of them are no mistakes in single rows. */
const MOST_SHIFTED = 5;

const formOf = (cell: string): Form => {
  if (/^https?:\/\/|^www\./i.test(cell)) return 'address';
  if (/^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$/.test(cell)) return 'date';
  return plainNumber(cell, {}) === undefined ? 'text' : 'number';
};

/** Finds rows of which two cells or more are foreign in their columns, and at home in the next ones. */
export async function shiftedRows(path: string, { source, columns, rows }: ReadRows): Promise<readonly ShiftedRow[]> {
  const named = columns.filter(({ name }) => name !== '');
  if (rows < LEAST_ROWS || rows > MOST_ALIKE || named.length < 3) return [];
  const all: { readonly row: number; readonly cells: readonly string[] }[] = [];
  const tallies = named.map(({ name }): Tally => ({ name, counts: new Map(), forms: new Map(), filled: 0 }));
  await eachRowCells(
    path,
    source,
    named.map(({ name }) => name),
    (cells, row) => {
      all.push({ row, cells });
      for (const [at, cell] of cells.entries()) countCell(tallies[at], cell);
    },
  );
  const found = all.flatMap(({ row, cells }) => {
    const toRight = shiftedBy(tallies, cells, 1);
    const shifted = toRight.length > 1 ? toRight : shiftedBy(tallies, cells, -1);
    return shifted.length > 1 ? [{ row, cells: shifted }] : [];
  });
  return found.length > MOST_SHIFTED ? [] : found;
}

function countCell(tally: Tally | undefined, cell: string): void {
  if (tally === undefined || cell === '') return;
  tally.filled += 1;
  tally.counts.set(cell, (tally.counts.get(cell) ?? 0) + 1);
  const form = formOf(cell);
  tally.forms.set(form, (tally.forms.get(form) ?? 0) + 1);
}

/** The cells that are foreign where they are, and at home one column further. */
function shiftedBy(tallies: readonly Tally[], cells: readonly string[], step: 1 | -1): readonly ShiftedCell[] {
  return tallies.flatMap((own, at) => {
    const [value = '', beside = ''] = [cells[at], cells[at + step]];
    const next = tallies[at + step];
    const isShifted = value !== '' && next !== undefined && isForeign(own, value) && isAtHome(next, value, beside);
    return isShifted ? [{ column: own.name, value, home: next.name }] : [];
  });
}

const shareOf = ({ forms, filled }: Tally, form: Form): number => (forms.get(form) ?? 0) / Math.max(1, filled);

/** Whether a text occurs once among few words that repeat, or has another form than nearly all cells. */
function isForeign(tally: Tally, value: string): boolean {
  const { counts, filled } = tally;
  const form = formOf(value);
  if (filled < LEAST_ROWS || counts.get(value) !== 1) return false;
  const isOnlyOne = form === 'text' && [...counts.values()].filter((count) => count === 1).length <= 2;
  return (isOnlyOne && counts.size * 2 <= filled) || shareOf(tally, form) <= 1 - MOST;
}

/** Whether a text occurs in other rows of a column, or has the form of nearly all cells there, which no text has. */
function isAtHome(tally: Tally, value: string, beside: string): boolean {
  const form = formOf(value);
  const others = (tally.counts.get(value) ?? 0) - (beside === value ? 1 : 0);
  return others > 0 || (form !== 'text' && shareOf(tally, form) >= MOST);
}

/** Leaves out shifted rows where a draft reads one of the cells, or one between them, and asks about all. */
export function withoutShifted(draft: Draft, shifted: readonly ShiftedRow[], columns: readonly Column[]): Draft {
  const used = new Set(
    [...draft.mapping.values()].flatMap((name) => [name, ...columnTexts(draft.source, name).flatMap(columnsIn)]),
  );
  const names = columns.map(({ name }) => name);
  return shifted.reduce((one, { row, cells }) => {
    const places = cells.map(({ column }) => names.indexOf(column));
    const isRead = names.slice(Math.min(...places), Math.max(...places) + 1).some((name) => used.has(name));
    const [first] = cells;
    if (first === undefined || !(isRead || draft.kind === 'items')) return one;
    const left = isRead ? withSource(one, withoutValues(one.source, first.column, [first.value])) : one;
    return withRemark(left, shiftedText(row, cells));
  }, draft);
}

const shiftedText = (row: number, cells: readonly ShiftedCell[]): string => {
  const shown = cells.map(({ column, value, home }) => `${JSON.stringify(value)} in "${column}" belongs to "${home}"`);
  return `Open: the cells of row ${row} seem to be in wrong columns: ${shown.join(', ')}. What is read from them is left out until the row is corrected in the file.`;
};
