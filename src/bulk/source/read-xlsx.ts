import { DexsyncError, reasonOf } from '../../errors.js';
import type { ImportSource } from '../../jobs/source.js';
import { numberText } from './number-format.js';
import { noHeader } from './read-csv.js';
import { type SheetCell, type SheetRow, sheetRows } from './sheet-rows.js';
import { unreadable } from './sniff.js';
import { type CellFault, isBlank, nameOfTable, type SourceRow, type SourceTable } from './source-table.js';
import { chooseWorksheet, readWorkbook, unescaped, type Workbook, worksheetBytes } from './workbook.js';

/** A worksheet as text, cell by cell: numbers as numbers are written, dates as ISO, booleans as TRUE and FALSE. */
export async function readXlsx(path: string, source: ImportSource): Promise<SourceTable> {
  const { file, headerRow = 1 } = source;
  const workbook = await orBroken(file, () => readWorkbook(path));
  const { name, part } = await orBroken(file, async () => chooseWorksheet(workbook, source.worksheet, file));
  const rows = textRows(sheetRows(worksheetBytes(path, part)), workbook, file);
  for (;;) {
    const { value, done } = await rows.next();
    if (done) throw noHeader(nameOfTable({ file, worksheet: name }), headerRow);
    if (value.row < headerRow) continue;
    return {
      file,
      worksheet: name,
      headerRow: value.row,
      headers: value.cells,
      rows: padded(rows, value.cells.length),
    };
  }
}

async function orBroken<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof DexsyncError ? error : broken(file, error);
  }
}

const broken = (file: string, error: unknown) =>
  unreadable(
    `${file} is a broken workbook: ${reasonOf(error)}.`,
    'Open it in a spreadsheet program and save it again as .xlsx.',
    error,
  );

async function* textRows(rows: AsyncGenerator<SheetRow>, workbook: Workbook, file: string): AsyncGenerator<SourceRow> {
  try {
    for await (const { row, cells } of rows) {
      const text = textRow(row, cells, workbook);
      if (!isBlank(text.cells) || text.faults !== undefined) yield text;
    }
  } catch (error) {
    throw broken(file, error);
  }
}

async function* padded(rows: AsyncGenerator<SourceRow>, width: number): AsyncGenerator<SourceRow> {
  for await (const row of rows) {
    const missing = width - row.cells.length;
    yield missing > 0 ? { ...row, cells: [...row.cells, ...new Array<string>(missing).fill('')] } : row;
  }
}

function textRow(row: number, source: readonly SheetCell[], workbook: Workbook): SourceRow {
  const cells = new Array<string>(1 + source.reduce((last, { column }) => Math.max(last, column), -1)).fill('');
  const faults: CellFault[] = [];
  for (const cell of source) {
    cells[cell.column] = textOf(cell, workbook);
    const fault = faultOf(cell);
    if (fault !== undefined) faults.push(fault);
  }
  return faults.length === 0 ? { row, cells } : { row, cells, faults };
}

function textOf({ type, value, style }: SheetCell, workbook: Workbook): string {
  if (value === undefined) return '';
  switch (type) {
    case 's': {
      const shared = workbook.sharedStrings[Number(value)];
      if (shared === undefined) throw new Error(`it lacks its shared string ${value}`);
      return shared;
    }
    case 'b':
      return Number(value) === 0 ? 'FALSE' : 'TRUE';
    case 'n':
      return numberText(value, workbook.formatOf(style), workbook.epoch);
    default:
      return unescaped(value);
  }
}

function faultOf({ column, type, value, formula }: SheetCell): CellFault | undefined {
  if (type === 'e') return { index: column, code: 'cell-error', says: `holds the error ${value ?? ''}` };
  if (formula === 'formula' && value === undefined) {
    return { index: column, code: 'formula-without-value', says: 'holds a formula, but no value was stored with it' };
  }
  return undefined;
}
