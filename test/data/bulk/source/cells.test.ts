import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ImportSource } from '#core/jobs/source.js';
import type { NumberFormat } from '#core/jobs/source-cells.js';
import { plainNumber } from '#data/bulk/source/plain-number.js';
import { cellsOf, fileOf, readAll, refusal } from '../support.js';

describe('a number as a column writes it', () => {
  test.each<[string, NumberFormat, string]>([
    ['1.234,56', { decimal: 'comma' }, '1234.56'],
    ['0,5', { decimal: 'comma' }, '0.5'],
    [',5', { decimal: 'comma' }, '0.5'],
    ['1.234.567', { decimal: 'comma' }, '1234567'],
    ["1'234,50", { decimal: 'comma' }, '1234.50'],
    ['1 234,5 €', { decimal: 'comma', unit: '€' }, '1234.5'],
    ['1,234.5', {}, '1234.5'],
    ['1\u00a0234.5', {}, '1234.5'],
    ['$1,200.50', { unit: ['$', 'US$'] }, '1200.50'],
    ['US$ 3', { unit: ['$', 'US$'] }, '3'],
    ['-$3', { unit: '$' }, '-3'],
    ['0.8015$', { unit: '$' }, '0.8015'],
    ['10 pcs', { unit: 'pcs' }, '10'],
    ['+7', {}, '7'],
    ['−7', {}, '-7'],
    ['5%', {}, '0.05'],
    ['5 %', { percent: 'whole' }, '5'],
    ['12,5%', { decimal: 'comma' }, '0.125'],
    ['150%', {}, '1.5'],
    ['0%', {}, '0'],
    ['100%', {}, '1'],
    ['0.10', {}, '0.10'],
    ['007', {}, '007'],
    ['123456789012345678901234567890,25', { decimal: 'comma' }, '123456789012345678901234567890.25'],
  ])('%s with %o is %s', (cell, format, plain) => {
    expect(plainNumber(cell, format)).toBe(plain);
  });

  test.each<[string, NumberFormat]>([
    ['1.5', { decimal: 'comma' }],
    ['1,5', {}],
    ['1,2345.6', {}],
    ['1,234 567', {}],
    ['1e5', {}],
    ['5%%', {}],
    ['five', {}],
    ['3 $', {}],
    ['', {}],
    ['-', {}],
    ['.', {}],
    ['2026-11-23', {}],
  ])('%s with %o is none', (cell, format) => {
    expect(plainNumber(cell, format)).toBeUndefined();
  });

  test('numbers written by Intl come back, in every way of writing', () => {
    const locales = {
      'de-DE': 'comma',
      'en-US': 'point',
      'fr-FR': 'comma',
      'pl-PL': 'comma',
      'de-CH': 'point',
    } as const;
    const numbers = fc.integer({ min: -(10 ** 12), max: 10 ** 12 }).map((cents) => cents / 100);
    fc.assert(
      fc.property(numbers, fc.constantFrom(...(Object.keys(locales) as (keyof typeof locales)[])), (value, locale) => {
        const written = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(value);
        expect(Number(plainNumber(written, { decimal: locales[locale] }))).toBe(value);
      }),
      { seed: 18 },
    );
  });
});

test('a column can be the unit behind a number', async () => {
  const cells = ['1,8 m', '2pcs', '-1 200.5 kg', '3 m2', '5', 'AR', '€ 5', ''];
  const path = await fileOf('u.csv', `Part,Length\n${cells.map((cell) => `P,"${cell}"`).join('\n')}\n`);
  const { rows } = await readAll(path, { columns: { Unit: { unit: 'Length' } } });
  expect(rows.map((row) => row.cells[2])).toEqual(['m', 'pcs', 'kg', 'm2', '', '', '', '']);
});

test('a column can be the first of several texts that is not empty', async () => {
  const path = await fileOf('f.csv', 'Part,MPN,Value,Case\nA,M,V,C\n-,M,V,C\n,,V,C\n,,,\n,,V,\n');
  const { rows } = await readAll(path, {
    columns: { Number: ['{Part}', '{MPN}', '{Value} {Case}'] },
    values: { Part: { '-': '' } },
  });
  expect(rows.map(({ cells }) => cells[4])).toEqual(['A', 'M', 'V C', 'V']);
});

test('a column can be the number of designators, or one of two values of a cell', async () => {
  const path = await fileOf('d.csv', 'Ref,Source\n"R1、R3~R5;R7",Acme: A-1: b\n,Acme\nR9-R2,\n');
  const columns = {
    Pieces: { count: 'Ref' },
    Plain: { designators: 'Ref' },
    Maker: { split: 'Source', at: ':', part: 'first' },
    Number: { split: 'source', at: ':', part: 'second' },
  } as const;
  const { rows } = await readAll(path, { columns });
  expect(rows.map(({ cells }) => cells.slice(2))).toEqual([
    ['5', 'R1,R3-R5,R7', 'Acme', 'A-1: b'],
    ['', '', 'Acme', ''],
    ['', 'R9-R2', '', ''],
  ]);
  expect(await refusal(readAll(path, { columns: { Pieces: { count: 'Refs' } } }))).toContain('Refs');
});

test('a column can be the number in brackets before a name, or the name', async () => {
  const path = await fileOf('b.csv', 'Product\n"[00123] Grip pair (Black)"\nSaddle\n[A]\n');
  const columns = {
    Number: { bracketed: 'Product', part: 'number' },
    Name: { bracketed: 'product', part: 'name' },
  } as const;
  const { rows } = await readAll(path, { columns });
  expect(rows.map(({ cells }) => cells.slice(1))).toEqual([
    ['00123', 'Grip pair (Black)'],
    ['Saddle', 'Saddle'],
    ['[A]', '[A]'],
  ]);
});

test('numbers and values also change cells of added columns, before parents are found', async () => {
  const path = await fileOf('a.csv', 'Level,Part,Length\n0,10,"1,8 m"\n1,11,2 pcs\n');
  const source: Partial<ImportSource> = {
    columns: {
      Number: 'P-{Part}',
      Quantity: { split: 'Length', at: ' ', part: 'first' },
      Unit: { unit: 'Length' },
    },
    numbers: { Quantity: { decimal: 'comma' } },
    values: { Number: { 'P-10': 'KNOWN' }, Unit: { pcs: 'each' }, Part: { 11: 12 } },
    hierarchy: { level: 'Level', number: 'Number', top: 'TOP' },
  };
  const { rows } = await readAll(path, source);
  expect(rows.map(({ cells }) => cells.slice(3))).toEqual([
    ['KNOWN', '1.8', 'm', 'TOP'],
    ['P-12', '2', 'each', 'KNOWN'],
  ]);
});

test('numbers and values change cells, columns adds some; where sees those of the file', async () => {
  const path = await fileOf('c.csv', 'Part,Status,Price,Side\n10,NI," 1.200,5 € ",T\n11,,n/a, B \n12,OK,,\n,NI,2,\n');
  const source: Partial<ImportSource> = {
    values: { Status: { NI: true, '': false }, Side: { T: 'Top', B: 'Bottom' } },
    numbers: { price: { decimal: 'comma', unit: '€' } },
    columns: { Number: 'PUMP-{Part}-{side}', Site: 'Graz' },
    where: { Status: ['NI', ''] },
  };
  expect(cellsOf(await readAll(path, source))).toEqual([
    ['Part', 'Status', 'Price', 'Side', 'Number', 'Site'],
    ['10', 'true', '1200.5', 'Top', 'PUMP-10-Top', 'Graz'],
    ['11', 'false', 'n/a', 'Bottom', 'PUMP-11-Bottom', 'Graz'],
    ['', 'true', '2', '', '', 'Graz'],
  ]);
  expect(await refusal(readAll(path, { values: { State: { a: 'b' } } }))).toContain(
    '`values` refers to the column "State"',
  );
  expect(await refusal(readAll(path, { numbers: { Prise: {} } }))).toContain('Did you mean "Price"?');
  expect(await refusal(readAll(path, { columns: { Number: '{Prat}' } }))).toContain(
    '`columns` refers to the column "Prat"',
  );
  expect(await refusal(readAll(path, { columns: { part: 'x' } }))).toContain(
    '`columns` adds the column "part", which c.csv already has. Give the added column another name.',
  );
});
