import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Papa from 'papaparse';
import { readSheet } from 'read-excel-file/node';

/** Real part lists of several projects, which are no part of the repository. */
export const DATA = resolve(process.env.DEXSYNC_SHARED ?? '../shared', 'data/real');

export const hasData = existsSync(DATA);
if (!hasData) console.warn(`Skipped: the real part lists are not at ${DATA} (DEXSYNC_SHARED names another folder).`);

export type Row = Readonly<Record<string, string>>;

/** The rows of a file by line, as another library reads them. Blank ones are left out; no cell may hold a line break. */
export async function independently(file: string, delimiter: string): Promise<Map<number, Row>> {
  const [header = [], ...rows] = await tableOf(resolve(DATA, file), delimiter);
  const numbered = rows.map((cells, index): [number, Row] => [
    index + 2,
    Object.fromEntries(header.map((name, column) => [name, cells[column] ?? ''])),
  ]);
  return new Map(numbered.filter(([, row]) => Object.values(row).some((cell) => cell.trim() !== '')));
}

async function tableOf(path: string, delimiter: string): Promise<string[][]> {
  if (path.endsWith('.xlsx')) {
    const rows = await readSheet(path);
    return rows.map((cells) => cells.map((cell) => (cell === null || cell === undefined ? '' : String(cell))));
  }
  return Papa.parse<string[]>(readFileSync(path, 'utf8'), { delimiter }).data;
}
