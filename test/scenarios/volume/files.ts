import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkbookWriter } from '@cj-tech-master/excelts';
import Papa from 'papaparse';
import { type Catalogue, type Row, TABLES } from './catalogue.js';

export type Format = 'CSV' | 'XLSX';

/** What a spreadsheet program would hold as numbers. */
const NUMERIC = ['quantity', 'year', 'num_parts', 'version'];

/** Writes each table into a file of its own, or all of them into one workbook; gives the source of each. */
export async function writeTables(folder: string, tables: Catalogue, format: Format): Promise<Map<string, object>> {
  await mkdir(folder, { recursive: true });
  if (format === 'XLSX') return writeSheets(join(folder, 'catalogue.xlsx'), tables);
  for (const name of TABLES) await writeFile(join(folder, `${name}.csv`), Papa.unparse([...tables[name]]));
  return new Map(TABLES.map((name) => [name, { file: join(folder, `${name}.csv`) }]));
}

async function writeSheets(file: string, tables: Catalogue): Promise<Map<string, object>> {
  const workbook = new WorkbookWriter({ filename: file, useSharedStrings: true });
  for (const name of TABLES) {
    const sheet = workbook.addWorksheet(name);
    const headers = Object.keys(tables[name][0] ?? {});
    sheet.addRow(headers).commit();
    for (const row of tables[name]) sheet.addRow(headers.map((header) => cellOf(row, header))).commit();
    await sheet.commit();
  }
  await workbook.commit();
  return new Map(TABLES.map((name) => [name, { file, worksheet: name }]));
}

function cellOf(row: Row, header: string): string | number {
  const text = row[header] ?? '';
  return NUMERIC.includes(header) && text !== '' ? Number(text) : text;
}
