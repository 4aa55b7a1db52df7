import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import readExcel from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import { scaled } from '../../../harness/sample.js';
import { cellsOf, fileOf, hasRealData, readAll, realData, refusal, workbookOf } from '../support.js';

/** Another library's reading, as text, without the blank rows that it keeps. */
async function otherReading(path: string, worksheet?: string): Promise<string[][]> {
  const sheets = await readExcel(path, { trim: false });
  const rows = (sheets.find(({ sheet }) => sheet === worksheet) ?? sheets[0])?.data ?? [];
  return rows.map((row) => row.map(textOf)).filter((row) => row.some((text) => text.trim() !== ''));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
}

/** Without trailing empty cells, in which readings may differ. */
const shorn = (rows: readonly (readonly string[])[]): string[][] =>
  rows.map((row) => row.slice(0, row.findLastIndex((text) => text !== '') + 1));

const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom('007', '970e07', '3-10', '__proto__', 'a\nb', ' x '),
  )
  .filter(
    (value) =>
      /^[\t\n\u0020-\ud7ff\ue000-\ufffd]*$/.test(value) && !/_x[0-9a-f]{4}_/i.test(value) && value.trim() !== '',
  );

test('any workbook that another library writes is read back cell by cell, as a third one reads it', async () => {
  const value = fc.oneof(
    text,
    fc.integer(),
    fc.boolean(),
    fc.double({ noNaN: true, min: 0.001, max: 1e6 }).map((n) => Number(n.toPrecision(12))),
  );
  const rows = fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(rows, async (body) => {
      const path = await workbookOf({ Sheet: [['A', 'B', 'C'], ...body] });
      const read = cellsOf(await readAll(path));
      expect(read).toEqual([['A', 'B', 'C'], ...body.map((row) => row.map(textOf))]);
      expect(shorn(read)).toEqual(shorn(await otherReading(path)));
    }),
    { numRuns: scaled(200, 12) },
  );
});

test('part numbers stay as a person sees them: zeros, exponents that are text, long numbers, dates as ISO, booleans', async () => {
  const path = await workbookOf(
    {
      Parts: [
        ['A', 'B', 'C', 'D', 'E', 'F'],
        [1234, '970e07', 123456789012345, new Date(Date.UTC(2026, 10, 21)), true, 0.1 + 0.2],
        [42, '0042', 1e-7, new Date(Date.UTC(2026, 10, 21, 13, 30, 5)), false, 1.5e21],
      ],
    },
    { A2: '000000', A3: '000000', D2: 'yyyy-mm-dd', D3: 'd/m/yy h:mm' },
  );
  expect((await readAll(path)).rows.map(({ cells }) => cells)).toEqual([
    ['001234', '970e07', '123456789012345', '2026-11-21', 'TRUE', '0.3'],
    ['000042', '0042', '0.0000001', '2026-11-21T13:30:05', 'FALSE', '1500000000000000000000'],
  ]);
});

test('rich text is joined, a formula gives its stored value, a link its text; no cell becomes an object', async () => {
  const path = await workbookOf({
    Parts: [
      ['A', 'B', 'C', 'D'],
      [
        { richText: [{ text: 'bold ' }, { font: { bold: true }, text: 'part' }] },
        { formula: 'A1&"x"', result: 'Ax' },
        { formula: '1+1', result: 2 },
        { text: 'data sheet', hyperlink: 'https://example.com/' },
      ],
    ],
  });
  expect((await readAll(path)).rows[0]?.cells).toEqual(['bold part', 'Ax', '2', 'data sheet']);
});

test('error cells and formulas without a stored value are marked in place', async () => {
  const path = await workbookOf({
    Parts: [
      ['A', 'B', 'C'],
      ['x', { error: '#N/A' }, { formula: 'A1' }],
    ],
  });
  const { rows } = await readAll(path);
  expect(rows[0]?.cells).toEqual(['x', '#N/A', '']);
  expect(rows[0]?.faults).toEqual([
    { index: 1, code: 'cell-error', says: 'contains the error #N/A' },
    { index: 2, code: 'formula-without-value', says: 'contains a formula without a stored value' },
  ]);
});

test('rows keep the numbers of the sheet past blank rows, below the requested header row', async () => {
  const path = await workbookOf({
    Parts: [['Title'], [], ['made', 'by'], ['Number', 'Name'], ['1', 'a'], [' ', ''], ['2', 'b']],
  });
  const read = await readAll(path, { headerRow: 4 });
  expect(read.headers).toEqual(['Number', 'Name']);
  expect(read.rows).toEqual([
    { row: 5, cells: ['1', 'a'] },
    { row: 7, cells: ['2', 'b'] },
  ]);
});

test('a worksheet is found by name, letter case aside, and is the first one otherwise', async () => {
  const path = await workbookOf({ Cover: [['Hello'], ['x']], 'Part list': [['Number'], ['1']] });
  expect((await readAll(path, { worksheet: 'part list' })).rows).toEqual([{ row: 2, cells: ['1'] }]);
  expect((await readAll(path)).worksheet).toBe('Cover');
});

describe('a workbook that cannot be read is refused by name, with the next step', () => {
  test('with an unknown worksheet', async () => {
    const path = await workbookOf({ Cover: [['Hello']], Parts: [['Number']] });
    expect(await refusal(readAll(path, { worksheet: 'Part' }))).toBe(
      'book.xlsx has no worksheet "Part". It has "Cover", "Parts". Did you mean "Parts"? [UNKNOWN_NAME]',
    );
  });

  test('with a header row behind the end', async () => {
    expect(await refusal(readAll(await workbookOf({ Parts: [['Number']] }), { headerRow: 3 }))).toBe(
      'book.xlsx, worksheet "Parts" has no header row: row 3 is after its last row. Set `headerRow` to the row of the headers. [FILE_UNREADABLE]',
    );
  });

  test('with its end cut off', async () => {
    const whole = await readFile(await workbookOf({ Parts: [['Number'], ['1']] }));
    expect(await refusal(readAll(await fileOf('cut.xlsx', whole.subarray(0, whole.length - 40))))).toBe(
      'cut.xlsx is a broken workbook: its end is missing. It was probably cut off while it was copied; copy it again. [FILE_UNREADABLE]',
    );
  });

  test('with damage in its middle', async () => {
    const whole = await readFile(
      await workbookOf({ Parts: Array.from({ length: 200 }, (_, index) => [`part ${index}`]) }),
    );
    const path = await fileOf(
      'damaged.xlsx',
      Buffer.concat([whole.subarray(0, 400), Buffer.alloc(2000, 7), whole.subarray(2400)]),
    );
    expect(await refusal(readAll(path))).toMatch(
      /^damaged\.xlsx is a broken workbook: .+\. Open it in a spreadsheet program and save it again as \.xlsx\. \[FILE_UNREADABLE\]$/,
    );
  });

  const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
  const faulty: readonly [string, string, Uint8Array, string][] = [
    [
      'a password',
      'safe.xlsx',
      Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')]),
      'safe.xlsx is protected with a password. Save a copy without a password. [FILE_UNREADABLE]',
    ],
    [
      'text under the name of a workbook',
      'list.xlsx',
      Buffer.from('A,B\n'),
      'list.xlsx has a workbook extension but is not a workbook. Save it again as .xlsx, or rename it to .csv if it is text. [FILE_UNREADABLE]',
    ],
  ];
  test.each(faulty)('%s', async (_, name, content, message) => {
    expect(await refusal(readAll(await fileOf(name, content)))).toBe(message);
  });
});

describe.skipIf(!hasRealData)('real workbooks are read as another library reads them', () => {
  test.each([
    ['AllenNeuralDynamics/exa-spim-hardware/BOM.xlsx', 'in', 1],
    ['robotarium/GRITSBot_hardware_design/bom/bom.xlsx', 'Main Board', 1],
    ['robotarium/GRITSBot_hardware_design/bom/bom.xlsx', 'Motor Board', 1],
    ['Opentrons/otone_hardware/OT-One Pro BOM .xlsx', 'Sheet1', 1],
    ['particle-iot/photon/bill-of-materials/photon-bom-v1.0.0.xlsx', 'v1.0.0', 1],
  ])('%s, worksheet %s', async (file, worksheet) => {
    const path = join(realData, file);
    const read = cellsOf(await readAll(path, { worksheet }));
    const other = await otherReading(path, worksheet);
    const width = read[0]?.length ?? 0;
    expect(shorn(read.map((row) => row.slice(0, width)))).toEqual(shorn(other.map((row) => row.slice(0, width))));
  });
});
