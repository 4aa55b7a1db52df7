import type { CellObject, ColInfo, Range, RowInfo } from '@e965/xlsx';
import { errorFault, valuelessFault } from './cell-faults.js';
import { numberText } from './number-text.js';
import type { RawRow } from './raw-table.js';
import type { CellFault } from './source-table.js';

/** What the library keeps of a worksheet; missing rows and cells are undefined. */
export interface XlsSheet {
  readonly '!type'?: string;
  readonly '!data'?: readonly Cells[];
  readonly '!merges'?: readonly Range[];
  readonly '!cols'?: readonly (ColInfo | undefined)[];
  readonly '!rows'?: readonly (RowInfo | undefined)[];
}

type Cells = readonly (CellObject | undefined)[];
type Epoch = '1900' | '1904';
type Formulas = 'computed' | 'not computed';

const BATCH = 1000;

/** Returns the rows of a worksheet that have a cell. */
export async function* xlsBatches(sheet: XlsSheet, epoch: Epoch): AsyncGenerator<readonly RawRow[]> {
  const all: readonly Cells[] = sheet['!data'] ?? [];
  const formulas = neverComputed(all) ? 'not computed' : 'computed';
  let rows: RawRow[] = [];
  for (const [index, cells = []] of all.entries()) {
    const row = rowOf(sheet, index, cells, epoch, formulas);
    if (row.cells.length > 0) rows.push(row);
    if (rows.length < BATCH) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** A program that does not compute stores an empty text with each formula, which is a result only where others are not. */
function neverComputed(rows: readonly Cells[]): boolean {
  let formulas = 0;
  for (const cells of rows) {
    for (const cell of cells ?? []) {
      if (cell?.f === undefined) continue;
      if (cell.v !== '' && cell.v !== undefined) return false;
      formulas += 1;
    }
  }
  return formulas > 0;
}

function rowOf(sheet: XlsSheet, index: number, given: Cells, epoch: Epoch, formulas: Formulas): RawRow {
  const cells: string[] = [];
  const faults: CellFault[] = [];
  for (const [column, cell] of given.entries()) {
    if (cell === undefined || (cell.t === 'z' && cell.f === undefined)) continue;
    while (cells.length < column) cells.push('');
    cells.push(textOf(cell, epoch));
    faults.push(...faultsOf(cell, column, formulas));
  }
  const { hidden = false, level = 0 } = sheet['!rows']?.[index] ?? {};
  return {
    row: index + 1,
    cells,
    ...(faults.length === 0 ? {} : { faults }),
    ...(hidden ? { hidden } : {}),
    ...(level === 0 ? {} : { outline: level }),
  };
}

function faultsOf(cell: CellObject, column: number, formulas: Formulas): CellFault[] {
  if (cell.t === 'e') return [errorFault(column, errorName(cell))];
  return cell.f !== undefined && formulas === 'not computed' ? [valuelessFault(column)] : [];
}

function textOf(cell: CellObject, epoch: Epoch): string {
  switch (cell.t) {
    case 'n':
      return numberText(String(cell.v), String(cell.z ?? 'General'), epoch);
    case 'b':
      return cell.v === true ? 'TRUE' : 'FALSE';
    case 'e':
      return errorName(cell) ?? '';
    default:
      return String(cell.v ?? '').replaceAll('\r\n', '\n');
  }
}

/** Codes of errors ([MS-XLS] 2.5.10). */
const ERRORS: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};

const errorName = ({ v }: CellObject): string | undefined => ERRORS[Number(v)];
