import { WorkbookWriter } from '@cj-tech-master/excelts';
import { FIELDS, itemOf } from './csv-files.mjs';

/**
 * Writes items as a workbook of one sheet with shared strings, as spreadsheet programs do, no number twice.
 *
 * @param {string} path
 * @param {number} rows
 */
export async function writeWorkbook(path, rows) {
  const workbook = new WorkbookWriter({ filename: path, useSharedStrings: true });
  const sheet = workbook.addWorksheet('Parts');
  sheet.addRow([...FIELDS]).commit();
  for (let n = 0; n < rows; n += 1) sheet.addRow(itemOf(n)).commit();
  await sheet.commit();
  await workbook.commit();
  return { path, rows };
}
