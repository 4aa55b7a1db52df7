import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { type ReportedError, readErrorReport, spoolErrorReport } from '#data/bulk/errors/error-report.js';
import { refusal, temporaryFolder } from '../support.js';

async function read(text: string): Promise<ReportedError[]> {
  const path = join(await temporaryFolder(), 'report.csv');
  await spoolErrorReport(Readable.from([text]), path);
  const errors: ReportedError[] = [];
  for await (const error of readErrorReport(path)) errors.push(error);
  return errors;
}

describe('an error report', () => {
  test('is read by its column names in any letter case and order, among other columns', async () => {
    const text = '\ufeffERROR message,Extra,number,ROW NUMBER,error code\r\n"Name, please",x,R1,2,3001\r\n';
    expect(await read(text)).toEqual([{ rowNumber: 2, key: 'R1', code: 3001, message: 'Name, please' }]);
  });

  test('is refused without the columns of an error report, so that errors never look like none', async () => {
    expect(await refusal(read('<html>\r\n'))).toBe(
      'The error report of the run has the columns "<html>", but neither "Error Code" nor "Error Message". Use `--trace` to see the answer. [ANSWER_UNEXPECTED]',
    );
    expect(await refusal(read('Row Number,"Number\r\n'))).toContain('is not a readable CSV file');
  });

  test('is read as another library reads it, with messages of any kind', async () => {
    const path = join(await temporaryFolder(), 'report.csv');
    const text = fc
      .string({ unit: fc.constantFrom('a', '"', ',', '\n', 'ß'), minLength: 1, maxLength: 6 })
      .map((part) => `x${part}x`);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(99), text, text), { minLength: 1, maxLength: 9 }), async (rows) => {
        const body = rows.map(([row, key, message]) => [row, key, 'Error', 3001, message]);
        await writeFile(
          path,
          Papa.unparse([['Row Number', 'Number', 'Status', 'Error Code', 'Error Message'], ...body]),
        );
        const errors: ReportedError[] = [];
        for await (const error of readErrorReport(path)) errors.push(error);
        expect(errors.map(({ rowNumber, key, message }) => [rowNumber, key, message])).toEqual(rows);
      }),
    );
  });
});
