import { Readable } from 'node:stream';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { joinErrors, type RowError } from '../../src/bulk/errors/join-errors.js';
import { readReport } from '../../src/bulk/errors/report.js';
import { preparedRows, reportOf } from './scripted-runs.js';
import { definitionOf, fileOf, prepare, refusal } from './support.js';

const read = (text: string, keep = 1000) => readReport(Readable.from([text]), keep);

describe('an error report', () => {
  test('is read by its column names in any letter case and order, among other columns', async () => {
    const text = '\ufeffERROR message,Extra,number,ROW NUMBER,error code\r\n"Name, please",x,R1,2,3001\r\n';
    expect((await read(text)).errors).toEqual([{ rowNumber: 2, key: 'R1', code: 3001, message: 'Name, please' }]);
  });

  test('is counted whole, kept up to a limit, and grouped by cause, most frequent first', async () => {
    const lines = Array.from(
      { length: 25 },
      (_, index) => `${index + 2},R${index},Error,${index % 5 === 0 ? 7 : 9},why`,
    );
    const report = await read(reportOf(...lines), 10);
    expect([report.errors.length, report.total]).toEqual([10, 25]);
    expect(report.groups).toEqual([
      { code: 9, message: 'why', count: 20 },
      { code: 7, message: 'why', count: 5 },
    ]);
  });

  test('without the columns of an error report is refused, so that errors never look like none', async () => {
    expect(await refusal(read('<html>\r\n'))).toBe(
      'The error report of the run has the columns "<html>", but none of "Error Code" and "Error Message". Use --trace to see the answer. [ANSWER_UNEXPECTED]',
    );
    expect(await refusal(read('Row Number,"Number\r\n'))).toContain('is no readable CSV');
  });

  test('is read as another library reads it, whatever its messages hold', async () => {
    const text = fc
      .string({ unit: fc.constantFrom('a', '"', ',', '\n', 'ß'), minLength: 1, maxLength: 6 })
      .map((part) => `x${part}x`);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(99), text, text), { minLength: 1, maxLength: 9 }), async (rows) => {
        const body = rows.map(([row, key, message]) => [row, key, 'Error', 3001, message]);
        const csv = Papa.unparse([['Row Number', 'Number', 'Status', 'Error Code', 'Error Message'], ...body]);
        const { errors } = await read(csv);
        expect(errors.map(({ rowNumber, key, message }) => [rowNumber, key, message])).toEqual(rows);
      }),
    );
  });
});

/** Rows R1, R2, ... stand from row 3 of the file on. */
async function joined(lines: readonly string[], rows = 10): Promise<RowError[]> {
  return joinErrors((await read(reportOf(...lines))).errors, await preparedRows(rows));
}

const short = (errors: readonly RowError[]) => errors.map(({ row, key, certainty }) => [row, key, certainty]);

describe('errors joined to the source', () => {
  test('are certain where row number and key agree', async () => {
    expect(short(await joined(['2,R1,Error,1,x', '5,R4,Error,1,x']))).toEqual([
      [3, 'R1', 'certain'],
      [6, 'R4', 'certain'],
    ]);
  });

  test.each([[0], [1], [3], [100]])('are certain too in a report whose base is shifted by %i', async (shift) => {
    const lines = [1, 4, 9].map((n) => `${n + 1 + shift},R${n},Error,1,x`);
    expect(short(await joined(lines))).toEqual([
      [3, 'R1', 'certain'],
      [6, 'R4', 'certain'],
      [11, 'R9', 'certain'],
    ]);
  });

  test('name the cell that the message is about, and the key’s cell otherwise', async () => {
    const [named, other] = await joined([
      '2,R1,Error,1,"The attribute ""NAME"" is required."',
      '3,R2,Error,1,Some trouble.',
    ]);
    expect(named).toMatchObject({ column: 'Description', value: 'part 1' });
    expect(other).toMatchObject({ column: 'Part Number', value: 'R2' });
  });

  test('state their doubt where row number and key disagree, and follow the key', async () => {
    const errors = await joined([
      '2,R1,Error,1,x',
      '3,R2,Error,1,x',
      '4,R9,Error,1,x',
      '5,R77,Error,1,x',
      '99,R4,Error,1,x',
      '98,R88,Error,1,x',
    ]);
    expect(errors.slice(2).map(({ row, certainty, doubt }) => [row, certainty, doubt])).toEqual([
      [
        11,
        'doubtful',
        'The service\'s row number 4 leads to row 5, which has another key; the key "R9" stands in row 11.',
      ],
      [6, 'doubtful', 'The service\'s row number 5 leads to row 6, which has another key; no row has the key "R77".'],
      [6, 'doubtful', 'The service\'s row number 99 leads to no row; the key "R4" stands in row 6.'],
      [undefined, 'doubtful', 'The service\'s row number 98 leads to no row; no row has the key "R88".'],
    ]);
  });

  test('go by the row where there is no key, and by the key where there is no row number', async () => {
    expect(short(await joined(['4,,Error,1,x', ',R5,Error,1,x']))).toEqual([
      [5, '', 'by-row'],
      [7, 'R5', 'by-key'],
    ]);
  });

  test('of one far-off row number alone are no proof of another base', async () => {
    expect(short(await joined(['9,R1,Error,1,x']))).toEqual([[3, 'R1', 'doubtful']]);
  });

  test('of a BOM, whose key is the parent’s: certain where parents tell the base, by row where one parent has all lines', async () => {
    const definition = definitionOf('ITEM_BOM', 'CREATE', { number: 'Parent', 'item.number': 'Child' });
    const bomOf = async (parents: readonly string[]) =>
      prepare(
        await fileOf('bom.csv', `Parent,Child\n${parents.map((parent, n) => `${parent},C${n}\n`).join('')}`),
        definition,
      );
    const at = async (parents: readonly string[], ...lines: string[]) =>
      short(await joinErrors((await read(reportOf(...lines))).errors, await bomOf(parents)));
    expect(await at(['A', 'B', 'C', 'D'], '4,B,Error,1,x', '5,C,Error,1,x')).toEqual([
      [3, 'B', 'certain'],
      [4, 'C', 'certain'],
    ]);
    expect(await at(['A', 'A', 'A', 'A'], '3,A,Error,1,x')).toEqual([[3, 'A', 'by-row']]);
    expect(await at(['A', 'A'], ',A,Error,1,x')).toEqual([[2, 'A', 'doubtful']]);
  });
});
