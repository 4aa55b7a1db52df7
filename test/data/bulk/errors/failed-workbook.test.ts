import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { read } from '@e965/xlsx';
import { expect, test } from 'vitest';
import type { RowError } from '#core/stream/row-error.js';
import { openFailedWorkbook } from '#data/bulk/report/failed-workbook.js';
import { openSource } from '#data/bulk/source/open-source.js';
import { temporaryFolder } from '../support.js';

const error = (column: string | undefined, message: string, code = 3001): RowError => ({
  ...{ row: 2, key: 'k', code, message, cause: message, certainty: 'certain' },
  ...(column === undefined ? {} : { column }),
});

/** Writes a workbook of one row, and returns its path. */
async function written(headers: readonly string[], cells: readonly string[], errors: readonly RowError[]) {
  const folder = await temporaryFolder();
  const book = openFailedWorkbook(join(folder, 'spool'), headers);
  await book.add([...cells, '2', 'why', 'certain'], errors);
  const path = join(folder, 'failed.xlsx');
  expect(await book.finish(path)).toEqual({ path, rows: 1 });
  return path;
}

/** The worksheet as another library reads it. */
async function sheetIn(path: string) {
  const { Sheets, SheetNames } = read(await readFile(path), { cellFormula: true, cellStyles: true, cellNF: true });
  return Sheets[SheetNames[0] ?? ''] ?? {};
}

const HOSTILE = [
  '=HYPERLINK("http://evil","x")',
  '+1+1',
  '-2',
  '@SUM(A1)',
  '000123',
  '1E5',
  '<b>&"\'</b>]]>',
  'a\u0000b\u001b[31m',
  '_x001B_ _x005F_',
  'line\r\nbreak\ttab',
  '\ud800 alone',
  '\u202egnp.exe',
  ' spaces ',
];

test('hostile cells are texts, as they are: none is a formula, a number or markup', async () => {
  const headers = HOSTILE.map((_, index) => `=H${index} <&>`);
  const path = await written(headers, HOSTILE, [error(headers[0], 'm')]);
  const sheet = await sheetIn(path);
  const cells = HOSTILE.map((_, column) => sheet[`${String.fromCharCode(65 + column)}2`]);
  expect(cells.map((cell) => [cell.t, cell.f, cell.z])).toEqual(HOSTILE.map(() => ['s', undefined, '@']));
  const { headers: read, rows } = await openSource(path, { file: 'failed.xlsx' });
  const found: string[][] = [];
  for await (const { cells } of rows) found.push([...cells]);
  expect(read.slice(0, HOSTILE.length)).toEqual(headers);
  expect(found[0]?.slice(0, HOSTILE.length)).toEqual(HOSTILE.map((text) => text.replace('\ud800', '\ufffd')));
});

test('a comment at each failed cell says what is wrong and what to do; what is about no cell is said at the reason', async () => {
  const errors = [
    error('Cost', '"1,5" is not a number.\u0007', 3003),
    error('Cost', '<script>alert(1)</script>', 4711),
    error(undefined, 'No such parent.', 4712),
  ];
  const path = await written(['Part', 'Cost'], ['X', '1,5'], errors);
  const sheet = await sheetIn(path);
  const commentAt = (address: string): string => sheet[address]?.c?.map(({ t }: { t: string }) => t).join() ?? '';
  expect(commentAt('A2')).toBe('');
  expect(commentAt('B2')).toBe(
    'The attribute does not accept this value.\n"1,5" is not a number.<U+0007> (3003)\n' +
      'Correct the cells, or map another column.\n\n<script>alert(1)</script> (4711)',
  );
  expect(commentAt('D2')).toBe('No such parent. (4712)');
  expect([sheet.D1.v, sheet.D2.v]).toEqual(['dexsync reason', 'why']);
});

test('a text that is too long for a workbook is cut, and its comment says so', async () => {
  const path = await written(['Part', 'Note'], ['X', 'n'.repeat(40_000)], [error('Part', 'm'.repeat(9000))]);
  const sheet = await sheetIn(path);
  expect([sheet.B2.v.length, sheet.B2.c[0].t]).toEqual([32_767, expect.stringContaining('failed.csv has all of it')]);
  expect(sheet.A2.c[0].t.length).toBeLessThanOrEqual(2000);
});

test('without a failed row there is no workbook, and one has 10,000 rows at most', async () => {
  const folder = await temporaryFolder();
  const none = openFailedWorkbook(join(folder, 'spool'), ['Part']);
  expect(await none.finish(join(folder, 'none.xlsx'))).toBeUndefined();
  const many = openFailedWorkbook(join(folder, 'spool'), ['Part']);
  for (let row = 0; row < 10_005; row += 1) await many.add([`P${row}`], []);
  expect((await many.finish(join(folder, 'many.xlsx')))?.rows).toBe(10_000);
});
