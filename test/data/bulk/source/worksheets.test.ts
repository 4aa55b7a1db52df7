import { describe, expect, test } from 'vitest';
import type { ImportSource } from '#core/jobs/source.js';
import { openSource } from '#data/bulk/source/open-source.js';
import { fileOf, readAll, refusal } from '../support.js';
import { declareSize, rawWorkbook, textRows } from './raw-workbook.js';

const notesOf = async (path: string, source: Partial<ImportSource> = {}) => {
  const table = await openSource(path, { file: 'raw.xlsx', ...source });
  for await (const _ of table.rows);
  return (table.notes?.() ?? []).map(({ code, message, hint }) => `${code}: ${message} ${hint ?? ''}`);
};

test('two worksheets of one name are an error, since nobody can know which one is meant', async () => {
  const path = await rawWorkbook({ sheets: { Parts: '<sheetData/>', parts: '<sheetData/>' } });
  expect(await refusal(readAll(path))).toContain('it has two worksheets named "parts"');
});

describe('merged cells', () => {
  const book = () =>
    rawWorkbook({
      sheets: {
        Parts: `<sheetData>${textRows(['Group', 'Part', 'Note'], ['Frame', '1', 'a'], [undefined, '2', undefined], [undefined, '3', ''], ['Drive', '4'], [undefined, '5'])}</sheetData><mergeCells count="3"><mergeCell ref="A2:A4"/><mergeCell ref="A5:A6"/><mergeCell ref="B1:C1"/></mergeCells>`,
      },
    });

  test('give their value in the first row alone, which is a warning', async () => {
    const path = await book();
    expect((await readAll(path)).rows.map(({ cells }) => cells[0])).toEqual(['Frame', '', '', 'Drive', '']);
    expect(await notesOf(path)).toEqual([
      'merged-cells: raw.xlsx, worksheet "Parts" has 2 merged ranges over several rows (column A); only the first row of each has the value. Set `fillDown: merged` to repeat the value in the other rows.',
    ]);
  });

  test('fillDown: merged repeats it down, and fills nothing else', async () => {
    const path = await book();
    expect((await readAll(path, { fillDown: 'merged' })).rows.map(({ cells }) => cells)).toEqual([
      ['Frame', '1', 'a'],
      ['Frame', '2', ''],
      ['Frame', '3', ''],
      ['Drive', '4', ''],
      ['Drive', '5', ''],
    ]);
    expect(await notesOf(path, { fillDown: 'merged' })).toEqual([]);
  });

  test('work with a range that begins beside them', async () => {
    const { rows } = await readAll(await book(), { fillDown: 'merged', range: 'A1:B4' });
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['Frame', '1'],
      ['Frame', '2'],
      ['Frame', '3'],
    ]);
  });
});

describe('hidden rows and columns', () => {
  const book = () =>
    rawWorkbook({
      sheets: {
        Parts: `<cols><col min="2" max="2" hidden="1"/></cols><sheetData><row r="1"><c r="A1" t="str"><v>A</v></c><c r="B1" t="str"><v>B</v></c><c r="C1" t="str"><v>C</v></c></row><row r="2" hidden="1"><c r="A2"><v>1</v></c></row><row r="3"><c r="A3"><v>2</v></c><c r="B3"><v>3</v></c><c r="C3" t="e"><v>#N/A</v></c></row></sheetData>`,
      },
    });

  test('a formula whose value no program has stored is a fault, also with an empty value element, as openpyxl writes it', async () => {
    const cells = [
      '<c r="A2"><f>2*3</f><v></v></c>',
      '<c r="B2"><f>2*3</f><v/></c>',
      '<c r="C2"><f>2*3</f></c>',
      // An empty text is a result of a formula.
      '<c r="D2" t="str"><f>IF(1,"","x")</f><v></v></c>',
      '<c r="E2" s="0" t="b"><f>1=1</f><v></v></c>',
      '<c r="F2"><f>2*3</f><v>0</v></c>',
      '<c r="G2"><v></v></c>',
    ];
    for (const form of [cells, cells.map((cell) => cell.replace('<c ', '<c  '))]) {
      const path = await rawWorkbook({
        sheets: { Parts: `<sheetData>${textRows([...'ABCDEFG'])}<row r="2">${form.join('')}</row></sheetData>` },
      });
      const [row] = (await readAll(path)).rows;
      expect(row?.faults?.map(({ index, code }) => [index, code])).toEqual(
        [0, 1, 2, 4].map((index) => [index, 'formula-without-value']),
      );
      expect(row?.cells.slice(3)).toEqual(['', '', '0', '']);
    }
  });

  test('are read, with a warning that counts them, unless the options say so', async () => {
    const path = await book();
    expect((await readAll(path)).rows.map(({ cells }) => cells)).toEqual([
      ['1', '', ''],
      ['2', '3', '#N/A'],
    ]);
    expect(await notesOf(path)).toEqual([
      'hidden-read: raw.xlsx, worksheet "Parts" has 1 hidden row and 1 hidden column (B), which are read like the others. Set `hidden: skip` to leave them out, or `hidden: read` to read them without this warning.',
    ]);
    expect(await notesOf(path, { hidden: 'read' })).toEqual([]);
  });

  test('hidden: skip leaves them out, and faults stay at their cells', async () => {
    const { headers, rows } = await readAll(await book(), { hidden: 'skip' });
    expect(headers).toEqual(['A', 'C']);
    expect(rows).toEqual([
      { row: 3, cells: ['2', '#N/A'], faults: [{ index: 1, code: 'cell-error', says: 'contains the error #N/A' }] },
    ]);
  });
});

test('part numbers keep what their formats show: leading zeros, groups and literals; quantities stay numbers', async () => {
  const formats = [
    '000000',
    '000-000',
    '00\\-0000',
    '"PN-"00000',
    '@',
    '0" mm"',
    '#,##0.00',
    '00-0000;-00',
    '0.00E+00',
    'yyyy-mm-dd',
  ];
  const values = ['1234', '1234', '1234567', '42', '00970', '5', '1234.5', '31', '97000000', '46347'];
  const cells = values.map(
    (value, index) => `<c r="${String.fromCharCode(65 + index)}2" s="${index + 1}"><v>${value}</v></c>`,
  );
  const path = await rawWorkbook({
    formats,
    sheets: {
      Parts: `<sheetData>${textRows(formats.map((_, index) => `C${index}`))}<row r="2">${cells.join('')}</row></sheetData>`,
    },
  });
  expect((await readAll(path)).rows[0]?.cells).toEqual([
    '001234',
    '001-234',
    '123-4567',
    'PN-00042',
    '00970',
    '5',
    '1234.5',
    '00-0031',
    '97000000',
    '2026-11-21',
  ]);
});

test('dates follow the epoch of the workbook', async () => {
  const sheet = `<sheetData>${textRows(['Day'])}<row r="2"><c r="A2" s="1"><v>44885.5</v></c></row></sheetData>`;
  const of = async (date1904: boolean) =>
    (await readAll(await rawWorkbook({ formats: ['yyyy-mm-dd'], sheets: { A: sheet }, date1904 }))).rows[0]?.cells;
  expect(await of(false)).toEqual(['2022-11-20T12:00:00']);
  expect(await of(true)).toEqual(['2026-11-21T12:00:00']);
});

test('shared, inline and rich strings are text, no matter what they look like', async () => {
  const path = await rawWorkbook({
    shared: ['<t>007</t>', '<r><t>970</t></r><r><rPr><b/></rPr><t>e07</t></r><rPh sb="0" eb="1"><t>no</t></rPh>'],
    sheets: {
      A: `<sheetData>${textRows(['A', 'B', 'C'])}<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="inlineStr"><is><t>3-10</t></is></c></row></sheetData>`,
    },
  });
  expect((await readAll(path)).rows[0]?.cells).toEqual(['007', '970e07', '3-10']);
});

test('the first visible worksheet is read, a hidden one by its name', async () => {
  const path = await rawWorkbook({
    hidden: ['Lists'],
    sheets: {
      Lists: `<sheetData>${textRows(['L'], ['1'])}</sheetData>`,
      Parts: `<sheetData>${textRows(['P'], ['2'])}</sheetData>`,
    },
  });
  expect((await readAll(path)).worksheet).toBe('Parts');
  expect((await readAll(path, { worksheet: 'lists' })).headers).toEqual(['L']);
});

describe('a file other than .xlsx is refused by its name', () => {
  const zipOf = (...names: string[]): Buffer =>
    Buffer.concat([
      Buffer.from(`PK\u0003\u0004${'\0'.repeat(26)}`, 'latin1'),
      Buffer.from(names.join(' ')),
      Buffer.from('PK\u0005\u0006', 'latin1'),
    ]);
  test.each([
    [
      'a.xlsb',
      zipOf('xl/workbook.bin'),
      'a.xlsb is a binary workbook (.xlsb), which dexsync does not read. Save it as .xlsx or .csv.',
    ],
    [
      'a.docx',
      zipOf('word/document.xml'),
      'a.docx is a Word document, which dexsync does not read. Save it as .xlsx or .csv.',
    ],
    ['a.zip', zipOf('parts.csv'), 'a.zip is a ZIP archive, but not a workbook. Unpack it, and use the table in it.'],
    ['a.csv.gz', Buffer.from('1f8b0800', 'hex'), 'a.csv.gz is compressed with gzip. Unpack it first (`gunzip`).'],
  ])('%s', async (name, content, message) => {
    expect(await refusal(readAll(await fileOf(name, content)))).toBe(`${message} [FILE_UNREADABLE]`);
  });
});

describe('content that would exceed the memory is refused', () => {
  test('as shared texts that unpack to hundreds of megabytes, before any is unpacked', async () => {
    const path = await rawWorkbook({ sheets: { Parts: `<sheetData>${textRows(['Part'])}</sheetData>` } });
    await declareSize(path, 'xl/sharedStrings.xml', 300 * 1024 * 1024);
    expect(await refusal(openSource(path, { file: 'raw.xlsx' }))).toMatch(
      /raw\.xlsx unpacks to 3\d\d MB of shared texts, but at most 256 MB are read\. Save it as \.csv\./,
    );
  });

  test('as a cell longer than any spreadsheet program writes', async () => {
    const path = await rawWorkbook({
      sheets: { Parts: `<sheetData>${textRows(['Part'], ['x'.repeat(1_000_001)])}</sheetData>` },
    });
    expect(await refusal(readAll(path))).toContain('row 2 has a cell with more than 1000000 characters');
  });
});
