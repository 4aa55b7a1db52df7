import { readFile } from 'node:fs/promises';
import { utils, type WorkBook, type WorkSheet, write } from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { openRawTable } from '#data/bulk/source/open-source.js';
import { fileOf, readAll, refusal } from '../support.js';

/** An .xls file (BIFF8) of these sheets. */
async function xlsOf(sheets: Readonly<Record<string, WorkSheet>>, hidden: readonly string[] = []): Promise<string> {
  const book: WorkBook = utils.book_new();
  for (const [name, sheet] of Object.entries(sheets)) utils.book_append_sheet(book, sheet, name);
  book.Workbook = { Sheets: Object.keys(sheets).map((name) => ({ name, Hidden: hidden.includes(name) ? 1 : 0 })) };
  return fileOf('parts.xls', write(book, { bookType: 'biff8', type: 'buffer' }) as Buffer);
}

const sheetOf = (...rows: unknown[][]): WorkSheet => utils.aoa_to_sheet(rows);

describe('cells of an .xls workbook are read as those of XLSX', () => {
  test('numbers, texts, booleans, dates and leading zeros', async () => {
    const sheet = sheetOf(
      ['Text', 'Number', 'Small', 'Yes', 'Date', 'Zeros', 'Part'],
      ['żółw\nÄ €', 12.5, 1e-7, true, 46066.4375, 42, 0.05],
    );
    Object.assign(sheet.E2, { z: 'dd.mm.yyyy hh:mm' });
    Object.assign(sheet.F2, { z: '00000' });
    Object.assign(sheet.G2, { z: '0%' });
    expect((await readAll(await xlsOf({ Parts: sheet }))).rows).toEqual([
      { row: 2, cells: ['żółw\nÄ €', '12.5', '0.0000001', 'TRUE', '2026-02-13T10:30:00', '00042', '0.05'] },
    ]);
  });

  test('errors have a fault, and rows keep their numbers', async () => {
    const sheet = sheetOf(['A', 'B'], [], ['x', 'y']);
    sheet.B3 = { t: 'e', v: 42 };
    expect((await readAll(await xlsOf({ Parts: sheet }))).rows).toEqual([
      {
        row: 3,
        cells: ['x', '#N/A'],
        faults: [{ index: 1, code: 'cell-error', says: 'contains the error #N/A' }],
      },
    ]);
  });

  test('merged ranges, worksheets and hidden ones are known', async () => {
    const sheet = sheetOf(['A', 'B'], ['1', '2'], [null, '3']);
    sheet['!merges'] = [{ s: { r: 1, c: 0 }, e: { r: 2, c: 0 } }];
    const path = await xlsOf({ Cover: sheetOf(['Title']), Parts: sheet }, ['Cover']);
    const raw = await openRawTable(path, { file: 'parts.xls' });
    expect(raw.worksheets?.map(({ name, state }) => [name, state])).toEqual([
      ['Cover', 'hidden'],
      ['Parts', 'shown'],
    ]);
    expect(raw.merged()).toEqual([{ top: 2, bottom: 3, left: 0, right: 0 }]);
    expect((await readAll(path, { fillDown: 'merged' })).rows.map(({ cells }) => cells)).toEqual([
      ['1', '2'],
      ['1', '3'],
    ]);
    expect(await refusal(readAll(path, { worksheet: 'Part' }))).toContain('It has "Cover", "Parts".');
  });
});

describe('an .xls workbook that cannot be read is refused', () => {
  const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

  test('one that was cut off, wherever that was', async () => {
    const whole = await readFile(
      await xlsOf({ Parts: sheetOf(...Array.from({ length: 50 }, (_, row) => [row, `t${row}`])) }),
    );
    for (const part of [0.2, 0.5, 0.8, 0.95]) {
      const path = await fileOf('cut.xls', whole.subarray(0, Math.floor(whole.length * part)));
      expect(await refusal(readAll(path))).toBe(
        'cut.xls is a broken workbook: its end is missing. It was probably cut off while it was copied; copy it again. [FILE_UNREADABLE]',
      );
    }
  });

  test('one that is too large, with its size and the bound', async () => {
    const path = await fileOf('big.xls', Buffer.concat([OLE, Buffer.alloc(11 * 1024 * 1024)]));
    expect(await refusal(readAll(path))).toBe(
      'big.xls has 11 MB, but at most 10 MB of an .xls file are read. Save it as .xlsx or .csv, which may be larger. [FILE_UNREADABLE]',
    );
  });

  test('an old document, and a web page under the name of a workbook', async () => {
    const book = await readFile(await xlsOf({ Parts: sheetOf(['A']) }));
    const name = Buffer.from('Workbook', 'utf16le');
    Buffer.from('WordDocu', 'utf16le').copy(book, book.indexOf(name));
    expect(await refusal(readAll(await fileOf('letter.doc', book)))).toBe(
      'letter.doc is an old Office file, but not a workbook. Save its table as .xlsx or .csv. [FILE_UNREADABLE]',
    );
    expect(await refusal(readAll(await fileOf('report.xls', '<html><table><tr><td>1</td></tr></table></html>')))).toBe(
      'report.xls has a workbook extension but is a web page. Open it in a spreadsheet program and save it as .xlsx. [FILE_UNREADABLE]',
    );
  });
});
