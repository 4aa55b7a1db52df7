import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportSource } from '#core/jobs/source.js';
import { errorFault, valuelessFault } from './cell-faults.js';
import { numberText } from './number-text.js';
import type { RawRow, RawTable } from './raw-table.js';
import { decodeEscapes } from './shared-strings.js';
import type { SheetCell } from './sheet-cell.js';
import { readSheet, type SheetRow } from './sheet-rows.js';
import type { CellFault } from './source-table.js';
import { chooseWorksheet, readWorkbook, type Workbook } from './workbook.js';
import { brokenWorkbook, refuseBroken, refuseTextOptions } from './workbook-errors.js';
import { partBytes } from './workbook-parts.js';

/** Reads a worksheet as text, cell by cell: numbers as plain numbers, dates as ISO, booleans as TRUE and FALSE. */
export async function readXlsx(path: string, source: ImportSource): Promise<RawTable> {
  const { file } = source;
  refuseTextOptions(source);
  const workbook = await refuseBroken(file, () => readWorkbook(path, file));
  const { name, part } = await refuseBroken(file, async () => chooseWorksheet(workbook, source.worksheet, file));
  const { batches, hiddenColumns, merged } = readSheet(partBytes(workbook.parts, part));
  return {
    form: 'sheet',
    format: 'xlsx',
    file,
    worksheet: name,
    worksheets: workbook.worksheets,
    batches: textRows(batches, workbook, file),
    hiddenColumns: () => hiddenColumns,
    merged: () => merged,
    notes: [],
  };
}

async function* textRows(
  batches: AsyncGenerator<readonly SheetRow[]>,
  workbook: Workbook,
  file: string,
): AsyncGenerator<readonly RawRow[]> {
  try {
    for await (const rows of batches) yield rows.map((row) => textRow(row, workbook));
  } catch (error) {
    throw brokenWorkbook(file, error);
  }
}

function textRow({ row, cells: given, hidden, outline }: SheetRow, workbook: Workbook): RawRow {
  const cells: string[] = [];
  let faults: CellFault[] | undefined;
  for (const cell of given) {
    while (cells.length < cell.column) cells.push('');
    cells[cell.column] = textOf(cell, workbook);
    const fault = faultOf(cell);
    if (fault !== undefined) faults = [...(faults ?? []), fault];
  }
  return {
    row,
    cells,
    ...omitUndefined({ faults, hidden, outline }),
  };
}

function textOf({ type, value, style }: SheetCell, { sharedStrings, formats, epoch }: Workbook): string {
  if (value === undefined || value === '') return '';
  switch (type) {
    case 's': {
      const shared = sharedStrings[Number(value)];
      if (shared === undefined) throw new Error(`its shared string ${value} is missing`);
      return shared;
    }
    case 'b':
      return Number(value) === 0 ? 'FALSE' : 'TRUE';
    case 'n':
      return numberText(value, formats[style] ?? 'General', epoch);
    default:
      return decodeEscapes(value);
  }
}

function faultOf({ column, type, value, formula }: SheetCell): CellFault | undefined {
  if (type === 'e') return errorFault(column, value);
  // Programs that do not compute formulas may write an empty value; only that of a text can be a result.
  const isEmpty = value === undefined || (value === '' && type !== 'str');
  return formula === 'formula' && isEmpty ? valuelessFault(column) : undefined;
}
