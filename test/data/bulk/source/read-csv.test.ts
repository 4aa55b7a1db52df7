import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { openSource } from '#data/bulk/source/open-source.js';
import { scaled } from '../../../harness/sample.js';
import { cellsOf, fileOf, readAll, refusal } from '../support.js';

const cell = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  {
    weight: 2,
    arbitrary: fc.string({ unit: fc.constantFrom('"', ',', ';', '\n', '\r\n', 'a', ' ', "'"), maxLength: 5 }),
  },
  { weight: 1, arbitrary: fc.constantFrom('007', '970e07', '3-10', '__proto__', '', 'Ω 10 kΩ', '𝒳') },
);
const isText = (text: string): boolean =>
  Buffer.from(text).toString() === text && !text.includes('\0') && !text.includes('\ufeff');

/** A table whose rows are not blank, with at least two columns, so that no row looks like an empty line. */
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) =>
    fc.array(fc.array(cell.filter(isText), { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
  )
  .filter((rows) => rows.every((row) => row.some((text) => text.trim() !== '')));

test('any table that another library writes is read back cell by cell', async () => {
  const style = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    quotes: fc.boolean(),
    newline: fc.constantFrom('\n', '\r\n'),
    mark: fc.constantFrom('', '\ufeff'),
    ending: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(table, style, async (rows, { delimiter, quotes, newline, mark, ending }) => {
      const text = mark + Papa.unparse(rows, { delimiter, quotes, newline }) + (ending ? newline : '');
      const path = await fileOf('any.csv', text);
      const read = cellsOf(await readAll(path, { delimiter }));
      expect(read).toEqual(rows);
      expect(Papa.parse(text.slice(mark.length), { delimiter, newline, skipEmptyLines: true }).data).toEqual(read);
    }),
    { numRuns: scaled(500, 40) },
  );
});

test('line breaks in cells and blank lines do not change that a row has the number of its first line', async () => {
  const path = await fileOf(
    'lines.csv',
    'A,B\r\n\r\n"two\r\nlines",1\r\n,\r\nx,2\r\n"a\nb\nc","d\re"\r\n\r\nlast,3\r\n',
  );
  const { rows } = await readAll(path);
  expect(rows).toEqual([
    { row: 3, cells: ['two\r\nlines', '1'] },
    { row: 6, cells: ['x', '2'] },
    { row: 7, cells: ['a\nb\nc', 'd\re'] },
    { row: 12, cells: ['last', '3'] },
  ]);
});

test('line numbers stay right across the chunks of a large file', async () => {
  const rows = Array.from({ length: 60_000 }, (_, index) =>
    index % 7 === 0 ? `"part\n${index}",ä` : `part ${index},ü`,
  );
  const path = await fileOf('large.csv', `N,V\n${rows.join('\n')}\n`);
  const read = await readAll(path);
  expect(read.rows).toHaveLength(60_000);
  expect(read.rows.at(-1)?.row).toBe(1 + 60_000 + Math.ceil(59_999 / 7));
});

test('the header row is the first that is not blank from headerRow on', async () => {
  const path = await fileOf('titled.csv', 'Part list\n\nmade,by,hand\nNumber,Name\n1,a\n');
  expect(cellsOf(await readAll(path, { headerRow: 4 }))).toEqual([
    ['Number', 'Name'],
    ['1', 'a'],
  ]);
});

test('.tsv is read with tabs, a given delimiter overrides, and trailing empty cells beyond the header are allowed', async () => {
  expect(cellsOf(await readAll(await fileOf('a.tsv', 'A\tB\n1,5\t2\t\t\n')))).toEqual([
    ['A', 'B'],
    ['1,5', '2'],
  ]);
  expect(cellsOf(await readAll(await fileOf('a.csv', 'A;B\n1,5;2;\n'), { delimiter: ';' }))).toEqual([
    ['A', 'B'],
    ['1,5', '2'],
  ]);
});

test('a row with too few cells is completed, and says where it ended', async () => {
  const { rows } = await readAll(await fileOf('short.csv', 'A,B,C\n"x\ny",2,3\n1\n4,5,6\n'));
  expect(rows).toEqual([
    { row: 2, cells: ['x\ny', '2', '3'] },
    {
      row: 4,
      cells: ['1', '', ''],
      faults: [{ index: 1, code: 'row-short', says: 'is missing: the row has 1 cell, but the header has 3' }],
    },
    { row: 5, cells: ['4', '5', '6'] },
  ]);
});

test('a header and a cell named __proto__ are data', async () => {
  expect(cellsOf(await readAll(await fileOf('p.csv', '__proto__,constructor\n__proto__,toString\n')))).toEqual([
    ['__proto__', 'constructor'],
    ['__proto__', 'toString'],
  ]);
});

describe('a file that cannot be read for certain is refused with its line and the next step', () => {
  const faulty: readonly [string, string | Uint8Array, string][] = [
    [
      'a row with too many cells',
      'A,B\n1,2\n1,2,3\n',
      'faulty.csv:3: this row has 3 cells, but the header has 2. Quote values that contain the delimiter ",". [FILE_UNREADABLE]',
    ],
    [
      'a quote that is never closed',
      'A,B\n1,"2\n3,4\n5,6\n',
      'faulty.csv:2: the row that starts here has an opening quote that is never closed. Close the quote, or write a quote within a value as "". [FILE_UNREADABLE]',
    ],
    [
      'a text without a line break',
      `A,B\n${'x'.repeat(5 * 1024 * 1024)}`,
      'faulty.csv:2: the row that starts here has more than 4 MB. A table has rows on lines of their own. Check the line breaks of the file, and that every quote is closed. [FILE_UNREADABLE]',
    ],
    [
      'more columns than a workbook can have',
      `${Array.from({ length: 16_385 }, (_, index) => `C${index}`).join(',')}\n`,
      'faulty.csv:1: the row has 16385 values; a table has at most 16384 columns. Check the line breaks of the file, and its delimiter. [FILE_UNREADABLE]',
    ],
    [
      'text after a closing quote',
      'A,B\n\n1,2\n"x"y,2\n',
      'faulty.csv:4: in the row that starts here, text follows a closing quote. Only "," or the end of the line may follow a closing quote; write a quote within a value as "". [FILE_UNREADABLE]',
    ],
    [
      'a quote within a plain value',
      'A,B\n5" wheel,2\n',
      'faulty.csv:2: in the row that starts here, an unquoted value contains a quote. Quote the whole value and write the quote within it as "", or set `quotes: lenient`. [FILE_UNREADABLE]',
    ],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from('A,B\nä,ö\n1,'), Buffer.from([0xe4]), Buffer.from(',2\n')]),
      'faulty.csv:3: this line is not UTF-8, but other lines are. Save the file as UTF-8 ("CSV UTF-8"), or set `encoding` to the encoding of the whole file. [FILE_UNREADABLE]',
    ],
    [
      'binary',
      Buffer.from([1, 2, 0, 3]),
      'faulty.csv is neither text nor a workbook. Give a CSV, TSV, XLSX, XLS or ODS file. [FILE_UNREADABLE]',
    ],
    ['nothing', '', 'faulty.csv is empty. Export it again; a table needs at least a header row. [FILE_UNREADABLE]'],
    [
      'blank lines only',
      '\n\n , \n',
      'faulty.csv has no row with a value. Export it again, with its headers in the first row. [FILE_UNREADABLE]',
    ],
  ];
  test.each(faulty)('%s', async (_, content, message) => {
    expect(await refusal(readAll(await fileOf('faulty.csv', content)))).toBe(message);
  });

  test('with another delimiter than the stated one', async () => {
    expect(await refusal(readAll(await fileOf('a.csv', 'A;B\n1,5;2\n'), { delimiter: ',' }))).toBe(
      'a.csv:2: this row has 2 cells, but the header has 1. The header is one cell that contains ";": set `delimiter: ";"`. [FILE_UNREADABLE]',
    );
  });

  test('with a header row behind the end', async () => {
    expect(await refusal(readAll(await fileOf('short.csv', 'A,B\n1,2\n'), { headerRow: 9 }))).toBe(
      'short.csv has no header row: row 9 is after its last row. Set `headerRow` to the row of the headers. [FILE_UNREADABLE]',
    );
  });

  test('with a worksheet of a text file', async () => {
    expect(await refusal(readAll(await fileOf('a.csv', 'A\n1\n'), { worksheet: 'Parts' }))).toBe(
      'a.csv is a text file and has no worksheet "Parts". Remove `worksheet`, or use a workbook. [FILE_UNREADABLE]',
    );
  });

  test('if it is missing, or a folder', async () => {
    const path = await fileOf('a.csv', 'A\n');
    expect(await refusal(openSource(`${path}.no`, { file: 'data/parts.csv' }))).toBe(
      'data/parts.csv does not exist. Check the path; paths in a manifest are relative to the manifest, others to the working folder. [FILE_UNREADABLE]',
    );
    expect(await refusal(openSource(path.replace('/a.csv', ''), { file: 'data' }))).toBe(
      'data is a folder. Use the file in it that contains the rows. [FILE_UNREADABLE]',
    );
  });
});

test('decimal commas above and in a table do not outweigh its tabs', async () => {
  const path = await fileOf(
    'cs12.txt',
    'Material\t100-4711\nBasismenge (ST)\t1,000\nBedarf (ST)\t1,000\n\nStufe\tNummer\tMenge\n.1\t100-4720\t1,000\n.1\t200-0815\t12,000\n..2\t300-0020\t0,025\n',
  );
  expect((await openSource(path, { file: 'cs12.txt', headerRow: 5 })).delimiter).toBe('\t');
});
