import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import readExcel from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import { openSource } from '#data/bulk/source/open-source.js';
import { cellsOf, hasRealData, readAll, realData } from '../support.js';

const files = hasRealData
  ? readdirSync(realData, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(csv|tsv|xlsx)$/.test(file))
  : [];
const workbooks = files.filter((file) => file.endsWith('.xlsx'));
const texts = files.filter((file) => !file.endsWith('.xlsx'));

/** Rows with a value, without the empty cells at their ends, in which readings may differ. */
const shorn = (rows: readonly (readonly string[])[]): string[][] =>
  rows
    .map((row) =>
      row.slice(0, row.findLastIndex((text) => text.trim() !== '') + 1).map((text) => text.replaceAll('\r\n', '\n')),
    )
    .filter((row) => row.length > 0);

describe.skipIf(!hasRealData)('every real file is read as another library reads it, without stated options', () => {
  test('and none is missing', () => {
    expect([texts.length > 15, workbooks.length > 3]).toEqual([true, true]);
  });

  test.each(texts)('%s', async (file) => {
    const path = join(realData, file);
    const table = await openSource(path, { file });
    const other = Papa.parse<string[]>(readFileSync(path, 'utf8').replace(/^\ufeff/, ''), {
      delimiter: table.delimiter ?? '',
    });
    expect(other.errors).toEqual([]);
    expect(table.headers.length).toBeGreaterThan(1);
    expect(shorn(cellsOf(await readAll(path)))).toEqual(shorn(other.data));
  });

  test.each(workbooks)('%s', async (file) => {
    const path = join(realData, file);
    for (const { sheet, data } of await readExcel(path, { trim: false })) {
      const other = data.map((row) => row.map((value) => (value === null ? '' : String(value))));
      if (shorn(other).length === 0) continue;
      const read = shorn(cellsOf(await readAll(path, { worksheet: sheet, hidden: 'read' })));
      expect(read.length).toBe(shorn(other).length);
      expect(read.map(numeric)).toEqual(shorn(other).map(numeric));
    }
  });
});

/** Numbers are compared as such: one library rounds where another writes all 17 digits, and booleans differ in case. */
const numeric = (row: readonly string[]): (string | number)[] =>
  row.map((text) => (/^-?\d+\.\d{6,}$/.test(text) ? Number(Number(text).toPrecision(12)) : text.toLowerCase()));
