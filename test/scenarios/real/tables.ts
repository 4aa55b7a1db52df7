import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import Papa from 'papaparse';
import readExcel from 'read-excel-file/node';
import { readZip } from '../read-zip.js';

/** Real part lists of several projects, which are no part of the repository. */
export const DATA = resolve(process.env.DEXSYNC_SHARED ?? '../shared', 'data/real');

export const hasData = existsSync(DATA);
if (!hasData) console.warn(`Skipped: the real part lists are not at ${DATA} (DEXSYNC_SHARED names another folder).`);

export type Row = Readonly<Record<string, string>>;

/** Where a manifest finds its rows. */
export interface Source {
  readonly file: string;
  readonly worksheet?: string;
  readonly delimiter?: string;
  readonly headerRow?: number;
  readonly range?: string;
  readonly stopAt?: 'blank';
  readonly rename?: Readonly<Record<string, string>>;
  readonly fillDown?: 'merged' | readonly string[];
  readonly constants?: Row;
  readonly values?: Readonly<Record<string, Row>>;
  /** Columns of texts with cells in braces, the first filled one of several, or the number of designators in a cell. */
  readonly columns?: Readonly<
    Record<string, string | readonly string[] | { readonly count: string } | { readonly designators: string }>
  >;
  readonly splitRows?: { readonly columns: readonly string[]; readonly at?: string };
  readonly where?: Readonly<Record<string, { readonly not: string | readonly string[] }>>;
}

/**
 * The rows of a source by line, as another library reads them and as its options select them. Blank ones are left out;
 * no cell of a text file may contain a line break. Several headers of one name become `Name#1`, `Name#2`.
 */
export async function independently(source: Source): Promise<Map<number, Row>> {
  const [, column = 'A', line = '1'] = /^([A-Z])(\d+):/.exec(source.range ?? '') ?? [];
  const left = column.charCodeAt(0) - 'A'.charCodeAt(0);
  const top = source.headerRow ?? HEADER_ROWS[`${basename(source.file)}!${source.worksheet}`] ?? Number(line);
  const table = (await tableOf(source)).map((cells) => cells.slice(left));
  const names = namesOf(table[top - 1] ?? [], source.rename ?? {});
  const rows = table.slice(top).map((cells, index): [number, Row] => [index + top + 1, rowOf(names, cells)]);
  const end = source.stopAt === 'blank' ? rows.findIndex(([, row]) => isBlank(row)) : -1;
  const read = (end === -1 ? rows : rows.slice(0, end)).filter(([, row]) => !isBlank(row));
  const wanted = Object.entries(source.where ?? {});
  const filled = Array.isArray(source.fillDown) ? fill(read, source.fillDown) : read;
  const whole = filled
    .flatMap((one) => divided(one, source.splitRows))
    .map(([line, given]) => {
      const row = replaced(source.values, given);
      return [line, { ...row, ...source.constants, ...written(source.columns, row) }] as const;
    });
  return new Map(
    whole.filter(([, row]: readonly [number, Row]) =>
      wanted.every(([name, { not }]) => ![not].flat().includes(row[name]?.trim() ?? '')),
    ),
  );
}

/** A row for each of several values in a cell, numbered by parts of its line. */
function divided([line, row]: readonly [number, Row], split: Source['splitRows']): (readonly [number, Row])[] {
  if (split === undefined) return [[line, row]];
  const values = split.columns.map((name) => (row[name] ?? '').trim().split(split.at ?? '\n'));
  const most = Math.max(...values.map(({ length }) => length));
  return Array.from({ length: most }, (_, part) => {
    const cells = split.columns.map((name, index) => [name, values[index]?.[part] ?? values[index]?.[0] ?? '']);
    return [line + part / most, { ...row, ...Object.fromEntries(cells) }];
  });
}

const replaced = (values: Source['values'] = {}, row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, values[name]?.[cell.trim()] ?? cell]));

/** Words without a comma between them are one designator. */
const apartByCommas = (cell: string): string =>
  cell
    .split(/[,;]/)
    .map((part) => part.trim().replaceAll(/\s+/g, '_'))
    .join(',');

const written = (columns: Source['columns'] = {}, row: Row): Row =>
  Object.fromEntries(
    Object.entries(columns).map(([name, made]) => {
      const textOf = (text: string): string =>
        text.replaceAll(/{(.+?)}/g, (_, from) => (row[from] ?? '').trim()).trim();
      if (typeof made === 'string') return [name, textOf(made)];
      if ('designators' in made) return [name, apartByCommas(row[made.designators] ?? '')];
      if (!('count' in made)) return [name, made.map(textOf).find((text) => text !== '') ?? ''];
      const designators = (row[made.count] ?? '').match(/[^\s,;]+/g) ?? [];
      return [name, designators.length === 0 ? '' : String(designators.length)];
    }),
  );

/** Headers below a title, for manifests that do not say where theirs is. */
const HEADER_ROWS: Readonly<Record<string, number>> = { 'OT-One Pro BOM .xlsx!Sheet1': 2 };

const isBlank = (row: Row): boolean => Object.values(row).every((cell) => cell.trim() === '');

/** What a manifest calls each column. */
function namesOf(headers: readonly string[], rename: Readonly<Record<string, string>>): string[] {
  const called = headers.map((header) => rename[header.trim()] ?? header.trim());
  return called.map((header, index) => {
    const same = (other: string): boolean => other.toLowerCase() === header.toLowerCase();
    const count = called.slice(0, index + 1).filter(same).length;
    const first = called.find(same) ?? header;
    return called.filter(same).length > 1 ? `${first}#${count}` : header;
  });
}

const rowOf = (names: readonly string[], cells: readonly string[]): Row =>
  Object.fromEntries(names.map((name, column) => [name, cells[column] ?? '']));

function fill(rows: readonly [number, Row][], columns: readonly string[]): [number, Row][] {
  let above: Row = {};
  return rows.map(([line, row]) => {
    const values = columns.map((name) => [name, row[name]?.trim() ? row[name] : (above[name] ?? '')] as const);
    above = Object.fromEntries(values);
    return [line, { ...row, ...above }];
  });
}

async function tableOf({ file, worksheet, delimiter = '', fillDown }: Source): Promise<string[][]> {
  const path = resolve(DATA, file);
  if (!path.endsWith('.xlsx')) {
    // It finds no delimiter in two lines and a blank one.
    const text = readFileSync(path, 'utf8').replace(/^\ufeff|\r?\n$/g, '');
    return Papa.parse<string[]>(text, { delimiter }).data;
  }
  const sheets = await readExcel(path, { trim: false });
  const { data } = sheets.find(({ sheet }) => worksheet === undefined || sheet === worksheet) ?? { data: [] };
  const texts = data.map((cells) =>
    cells.map((cell) => (cell === null || cell === undefined ? '' : String(cell).replaceAll('\r\n', '\n'))),
  );
  if (fillDown === 'merged') fillMerged(path, texts);
  return texts;
}

/** By the plain XML of the first worksheet; the first column of each range alone. */
function fillMerged(path: string, table: string[][]): void {
  const xml = readZip(readFileSync(path)).get('xl/worksheets/sheet1.xml')?.toString() ?? '';
  for (const [, letter = '', top, bottom] of xml.matchAll(/<mergeCell ref="([A-Z])(\d+):[A-Z](\d+)"/g)) {
    const column = letter.charCodeAt(0) - 'A'.charCodeAt(0);
    const value = table[Number(top) - 1]?.[column] ?? '';
    for (let line = Number(top); line < Number(bottom); line += 1) {
      const cells = table[line];
      if (cells !== undefined && column < cells.length) cells[column] = value;
    }
  }
}
