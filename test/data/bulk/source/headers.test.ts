import { describe, expect, test } from 'vitest';
import { cellsOf, definitionOf, fileOf, findingLines, prepare, readAll, refusal, workbookOf } from '../support.js';
import { mergedWorkbook } from './raw-workbook.js';

const text = (rows: readonly (readonly string[])[]) =>
  fileOf('t.csv', rows.map((cells) => `${cells.join(';')}\n`).join(''));
const sheet = (rows: readonly (readonly string[])[]) => workbookOf({ Parts: rows });

describe.each([
  ['text', text],
  ['a worksheet', sheet],
] as const)('headers: %s', (_, make) => {
  test('header none: letters name the columns in every option, and the first row is data', async () => {
    const path = await make([
      ['0010', 'Base', '3', ''],
      ['0020', 'Lid', '1', 'x'],
    ]);
    const source = { header: 'none', rename: { A: 'Number' }, where: { C: '3' } } as const;
    expect(cellsOf(await readAll(path, source))).toEqual([
      ['Number', 'B', 'C', 'D'],
      ['0010', 'Base', '3', ''],
    ]);
    expect((await readAll(path, { header: 'none', range: 'B2:C' })).headers).toEqual(['B', 'C']);
    expect(await refusal(readAll(path, { header: 'none', headerRow: 1 }))).toContain(
      'has `headerRow` and `header: none`, which exclude each other. Remove one of them;',
    );
    expect(await refusal(readAll(path, { header: 'none', where: { Qty: '3' } }))).toContain('(no headers).');
  });

  test('comment: rows that begin with it are left out, above the header and below it', async () => {
    const path = await make([
      ['# parts of the pump', '', ''],
      ['Part', 'Qty', 'Note'],
      ['', ' #1', 'left out'],
      ['0010', '3', '# a note'],
      ['#', '', ''],
    ]);
    expect(cellsOf(await readAll(path, { comment: '#' }))).toEqual([
      ['Part', 'Qty', 'Note'],
      ['0010', '3', '# a note'],
    ]);
    const { headers, rows } = await readAll(path, { comment: '#', header: 'none', range: 'A3:C' });
    expect([headers, rows.map(({ row }) => row)]).toEqual([['A', 'B', 'C'], [4]]);
  });

  test('a column without a header is named by its letter', async () => {
    const path = await make([
      ['', 'Part', '', 'C'],
      ['1', '0010', 'Base', 'x'],
    ]);
    expect((await readAll(path, { rename: { A: 'Line' } })).headers).toEqual(['Line', 'Part', '', 'C']);
    expect((await readAll(path, { rename: { C: 'Other' } })).headers).toEqual(['', 'Part', '', 'Other']);
    expect((await readAll(path, { range: 'C1:D', rename: { C: 'Other' } })).headers).toEqual(['', 'Other']);
    expect((await readAll(path, { range: 'A1:C', rename: { c: 'Name' } })).headers).toEqual(['', 'Part', 'Name']);
    expect(await refusal(readAll(path, { rename: { B: 'Name' } }))).toContain('`rename` refers to the column "B"');
  });
});

const GROUPED = [
  ['Part', 'Size', '', '', 'Note'],
  ['', 'Length', 'Width', 'Size', ''],
  ['0010', '3', '4', '5', 'x'],
];

test('header: { rows: 2 } joins the texts above one another; in a text file the upper one extends to the right', async () => {
  const { headers, rows } = await readAll(await text(GROUPED), { header: { rows: 2 } });
  expect(headers).toEqual(['Part', 'Size Length', 'Size Width', 'Size', 'Note']);
  expect(rows).toEqual([{ row: 3, cells: ['0010', '3', '4', '5', 'x'] }]);
  const late = await text([['Parts', '', '', '', ''], [], ...GROUPED]);
  expect((await readAll(late, { header: { rows: 2 }, headerRow: 3, range: 'B3:E' })).headers).toEqual([
    'Size Length',
    'Size Width',
    'Size',
    'Note',
  ]);
  expect(await refusal(readAll(late, { header: { rows: 2 }, headerRow: 9 }))).toContain('has no header row');
});

test('header: { rows: 2 } of a worksheet follows its merged cells', async () => {
  const path = await mergedWorkbook(GROUPED, ['A1:A2', 'B1:C1', 'E1:E2']);
  const { headers, rows } = await readAll(path, { header: { rows: 2 } });
  expect(headers).toEqual(['Part', 'Size Length', 'Size Width', 'Size', 'Note']);
  expect(rows.map(({ row }) => row)).toEqual([3]);
});

test('shortRows: allow completes rows that are too short, which are errors otherwise', async () => {
  const path = await fileOf('s.csv', 'Part,Name,Qty\n0010,Base\n0020,Lid,1\n');
  const definition = definitionOf('ITEM_SPECS', 'CREATE', { number: 'Part', name: 'Name', description: 'Qty' });
  expect(findingLines(await prepare(path, definition))).toHaveLength(1);
  expect(findingLines(await prepare(path, definition, { shortRows: 'allow' }))).toEqual([]);
  expect((await readAll(path, { shortRows: 'allow' })).rows[0]).toEqual({ row: 2, cells: ['0010', 'Base', ''] });
});
