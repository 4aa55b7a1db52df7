import { appendFile, mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImportSource } from '#core/jobs/source.js';
import { findFile } from '#data/bulk/source/find-file.js';
import { openSource } from '#data/bulk/source/open-source.js';
import { steadyFile } from '#data/bulk/source/steady-file.js';
import { cellsOf, fileOf, readAll, refusal, temporaryFolder, workbookOf } from '../support.js';

const TABLE: readonly (readonly string[])[] = [
  ['Parts of the pump', '', '', ''],
  ['', '', '', ''],
  ['x', 'Group', 'Part', 'Qty'],
  ['', 'Frame', '0010', '1'],
  ['', '', '0020', '2'],
  ['', '', '', ''],
  ['', 'Drive', '0030', '3'],
  ['', '', '0040', ''],
  ['', 'Total', '', '6'],
  ['printed by', 'somebody', '', ''],
];

/** The same table as text and as a worksheet: every option means the same in both. */
const forms: readonly [string, () => Promise<string>][] = [
  ['text', () => fileOf('table.csv', TABLE.map((cells) => `${cells.join(';')}\n`).join(''))],
  ['a worksheet', () => workbookOf({ Parts: TABLE })],
];

describe.each(forms)('the options of a source: %s', (_, make) => {
  const read = async (source: Partial<ImportSource>) => {
    const { headers, rows } = await readAll(await make(), source);
    return { headers: headers.slice(0, 4), rows: rows.map(({ row, cells }) => [row, ...cells.slice(0, 4)]) };
  };

  test('range: columns and rows, the first of which has the headers', async () => {
    expect(await read({ range: 'B3:D8' })).toEqual({
      headers: ['Group', 'Part', 'Qty'],
      rows: [
        [4, 'Frame', '0010', '1'],
        [5, '', '0020', '2'],
        [7, 'Drive', '0030', '3'],
        [8, '', '0040', ''],
      ],
    });
  });

  test('range below a named header row, in small letters and without an end', async () => {
    expect((await read({ range: 'c7:d', headerRow: 3 })).rows).toEqual([
      [7, '0030', '3'],
      [8, '0040', ''],
      [9, '', '6'],
    ]);
    expect((await read({ range: 'C:C', headerRow: 3 })).rows.map(([row]) => row)).toEqual([4, 5, 7, 8]);
  });

  test('a range that is invalid, or has no header in it', async () => {
    expect(await refusal(read({ range: 'D5:B9' }))).toContain(
      'is empty: a range goes from its upper left to its lower right cell. Write it like B5:H200, B5:H or B:H.',
    );
    expect(await refusal(read({ range: 'B2:D2' }))).toContain('has no header row');
  });

  test('stopAt: the first blank row, or a value of a column', async () => {
    expect((await read({ headerRow: 3, stopAt: 'blank' })).rows.map(([row]) => row)).toEqual([4, 5]);
    const total = await read({ headerRow: 3, stopAt: { column: 'group', value: 'Total' } });
    expect(total.rows.map(([row]) => row)).toEqual([4, 5, 7, 8]);
    expect((await read({ headerRow: 3, stopAt: { column: 'Qty', value: '' } })).rows.map(([row]) => row)).toEqual([
      4, 5, 7,
    ]);
  });

  test('skipBlank: false makes rows of the blank ones between others', async () => {
    expect((await read({ range: 'B3:D8', skipBlank: false })).rows).toEqual([
      [4, 'Frame', '0010', '1'],
      [5, '', '0020', '2'],
      [6, '', '', ''],
      [7, 'Drive', '0030', '3'],
      [8, '', '0040', ''],
    ]);
  });

  test('wrapped: a row with values in named columns alone continues the row above', async () => {
    expect((await read({ range: 'B3:D8', wrapped: ['Part', 'Qty'] })).rows).toEqual([
      [4, 'Frame', '0010 0020', '1 2'],
      [7, 'Drive', '0030 0040', '3'],
    ]);
    expect(
      (await read({ range: 'B3:D9', wrapped: ['Part'], stopAt: { column: 'Group', value: 'Total' } })).rows,
    ).toEqual([
      [4, 'Frame', '0010', '1'],
      [5, '', '0020', '2'],
      [7, 'Drive', '0030 0040', '3'],
    ]);
  });

  test('fillDown: empty cells of named columns take the value above, others do not', async () => {
    expect((await read({ range: 'B3:D8', fillDown: ['Group'] })).rows).toEqual([
      [4, 'Frame', '0010', '1'],
      [5, 'Frame', '0020', '2'],
      [7, 'Drive', '0030', '3'],
      [8, 'Drive', '0040', ''],
    ]);
  });

  test('where: values, alternatives, exclusions, and empty cells, after filling down', async () => {
    const parts = async (source: Partial<ImportSource>) =>
      (await read({ range: 'B3:D8', ...source })).rows.map(([, , part]) => part);
    expect(await parts({ where: { Group: 'Frame' } })).toEqual(['0010']);
    expect(await parts({ where: { Group: 'Frame' }, fillDown: ['Group'] })).toEqual(['0010', '0020']);
    expect(await parts({ where: { Part: ['0010', '0040'] } })).toEqual(['0010', '0040']);
    expect(await parts({ where: { Qty: { not: ['', '1'] } } })).toEqual(['0020', '0030']);
    expect(await parts({ where: { Group: '', Qty: '' } })).toEqual(['0040']);
    expect(await parts({ where: { Group: 'frame' } })).toEqual([]);
  });

  test('rename: every other option uses the new name', async () => {
    const renamed = await read({
      range: 'B3:D8',
      rename: { group: 'Assembly' },
      fillDown: ['Assembly'],
      where: { Assembly: 'Drive' },
    });
    expect(renamed.headers).toEqual(['Assembly', 'Part', 'Qty']);
    expect(renamed.rows.map(([row]) => row)).toEqual([7, 8]);
  });

  test('an option that names an unknown column says which, and the nearest', async () => {
    expect(await refusal(read({ headerRow: 3, where: { Parts: 'x' } }))).toMatch(
      /^`where` refers to the column "Parts", which is not in .+ \(header row 3\)\. Did you mean "Part"\? \[FILE_UNREADABLE\]$/,
    );
    expect(await refusal(read({ headerRow: 3, rename: { Nmuber: 'x' } }))).toContain(
      '`rename` refers to the column "Nmuber"',
    );
  });

  test('a title in place of the headers gives the row that looks like them', async () => {
    const table = await openSource(await make(), { file: 'table' });
    expect([table.headerRow, table.headerHint]).toEqual([1, 'Row 3 looks like the header: set `headerRow: 3`.']);
    const right = await openSource(await make(), { file: 'table', headerRow: 3 });
    expect(right.headerHint).toBeUndefined();
  });
});

test('repeated headers are numbered by their place, and a header written like that goes first', async () => {
  const path = await fileOf('r.csv', 'Manufacturer,MPN,Manufacturer,MPN,MPN#2\nA,1,B,2,3\n');
  const renamed = await readAll(path, {
    rename: { 'Manufacturer#2': 'Second source', 'MPN#1': 'First' },
    where: { 'MPN#2': '3' },
  });
  expect(cellsOf(renamed)).toEqual([
    ['Manufacturer', 'First', 'Second source', 'MPN', 'MPN#2'],
    ['A', '1', 'B', '2', '3'],
  ]);
  expect(await refusal(readAll(path, { where: { manufacturer: 'A' } }))).toBe(
    '`where` refers to the column "manufacturer", but r.csv (header row 1) has 2 columns with this name (columns 1, 3). Write "manufacturer#1", "manufacturer#2" and so on. [FILE_UNREADABLE]',
  );
});

test('rename prefers the very letters where headers differ in letter case alone', async () => {
  const path = await fileOf('c.csv', 'Value,VALUE\n1,2\n');
  expect((await readAll(path, { rename: { VALUE: 'Marking' } })).headers).toEqual(['Value', 'Marking']);
});

test('options of the other form of file are refused by name', async () => {
  const text = await fileOf('a.csv', 'A\n1\n');
  const book = await workbookOf({ A: [['A'], ['1']] });
  expect(await refusal(readAll(text, { hidden: 'skip' }))).toContain(
    'a.csv is a text file, and `hidden` applies only to workbooks.',
  );
  expect(await refusal(readAll(text, { fillDown: 'merged' }))).toContain(
    'a.csv is a text file, and `fillDown: merged` applies only to workbooks.',
  );
  expect(await refusal(readAll(book, { delimiter: ';' }))).toContain(
    'book.xlsx is a workbook, and `delimiter` applies only to text files.',
  );
});

describe('a file that is still being written is refused', () => {
  const rows = `${Array.from({ length: 20_000 }, (_, index) => `${index},x`).join('\n')}\n`;
  test('while dexsync reads it', async () => {
    const path = await fileOf('growing.csv', `N,V\n${rows}`);
    const table = await openSource(path, { file: 'growing.csv' });
    const reading = (async () => {
      let first = true;
      for await (const _ of table.rows) {
        if (first) await appendFile(path, 'more,1\n');
        first = false;
      }
    })();
    expect(await refusal(reading)).toMatch(
      /^growing\.csv changed while it was read \(\d+ bytes, then \d+\)\. Wait until it is complete, then repeat the command\./,
    );
  });

  test('shortly after dexsync read the whole file', async () => {
    const path = await fileOf('growing.csv', 'N,V\n1,x\n');
    await utimes(path, new Date(), new Date());
    let pass = (): void => undefined;
    const moment = new Promise<void>((done) => {
      pass = done;
    });
    const check = await steadyFile(path, 'growing.csv', () => moment);
    const checked = check();
    await appendFile(path, '2,y\n');
    pass();
    expect(await refusal(checked)).toContain('growing.csv changed while it was read (8 bytes, then 12).');
  });

  test('but not if it was written long before, without any wait', async () => {
    const path = await fileOf('old.csv', 'N,V\n1,x\n');
    await utimes(path, 1, 1);
    await (await steadyFile(path, 'old.csv', () => new Promise(() => undefined)))();
  });
});

describe('a name with * and ?', () => {
  const folderOf = async (...names: string[]): Promise<string> => {
    const folder = await temporaryFolder();
    for (const name of names) await writeFile(join(folder, name), 'A\n');
    return folder;
  };
  const found = async (folder: string, file: string, pick?: 'only' | 'newest') =>
    (await findFile(join(folder, file), pick === undefined ? { file } : { file, pick })).file;

  test('matches the one file that fits', async () => {
    const folder = await folderOf('parts-2026.csv', 'bom-2026.csv', '.parts-2027.csv', '~$parts-2027.csv');
    expect(await found(folder, 'parts-*.csv')).toBe('parts-2026.csv');
    expect(await found(folder, 'bom-202?.csv')).toBe('bom-2026.csv');
    expect(await found(folder, '*parts-*.csv')).toBe('parts-2026.csv');
  });

  test('is refused where several fit, or takes the last by name, with numbers in natural order', async () => {
    const folder = await folderOf('parts-2026-9-30.csv', 'parts-2026-11-21.csv', 'parts-2025-12-31.csv');
    expect(await refusal(found(folder, 'parts-*.csv'))).toBe(
      'parts-*.csv matches 3 files: "parts-2025-12-31.csv", "parts-2026-9-30.csv", "parts-2026-11-21.csv". Choose one of them, or set `pick: newest` to use the last by name ("parts-2026-11-21.csv"). [FILE_UNREADABLE]',
    );
    expect(await found(folder, 'parts-*.csv', 'newest')).toBe('parts-2026-11-21.csv');
  });

  test('names the folder and the nearest file where none fits', async () => {
    const folder = await folderOf('part-2026.csv');
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'data', 'part-1.csv'), 'A\n');
    expect(await refusal(found(folder, 'parts-*.csv'))).toBe(
      'No file matches "parts-*.csv". Known: "part-2026.csv". [FILE_UNREADABLE]',
    );
    expect(await refusal(found(folder, 'data/parts-*.csv'))).toContain('No file in "data" matches "parts-*.csv".');
    expect(await refusal(found(folder, 'no/parts-*.csv'))).toContain('The folder of no/parts-*.csv cannot be read.');
    expect(await refusal(found(folder, '*/part.csv'))).toContain(
      'only the file name may contain * and ?, not a folder',
    );
  });

  test.skipIf(process.platform === 'win32')('means a file of that very name first', async () => {
    const folder = await folderOf('parts-*.csv', 'parts-1.csv');
    expect(await found(folder, 'parts-*.csv')).toBe('parts-*.csv');
  });
});
