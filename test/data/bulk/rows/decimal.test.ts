import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDecimals, isAddable } from '#data/bulk/rows/decimal.js';

test.each([
  [['0.1', '0.2'], '0.3'],
  [['1', '2', '3'], '6'],
  [['2.50', '.5'], '3'],
  [['1e3', '0.001'], '1000.001'],
  [['1E-2', '5e-2'], '0.06'],
  [['9007199254740993', '1'], '9007199254740994'],
  [['+2', '-0.5'], '1.5'],
  [['-2', '0.5'], '-1.5'],
  [['5.'], '5'],
])('the sum of %j is %s', (texts, sum) => {
  expect(addDecimals(texts)).toBe(sum);
});

test('a sum has as many thousandths as its terms', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 10 ** 9 }), { minLength: 1, maxLength: 20 }), (thousandths) => {
      const texts = thousandths.map((value) => `${Math.floor(value / 1000)}.${String(value % 1000).padStart(3, '0')}`);
      const [whole = '', part = ''] = addDecimals(texts).split('.');
      expect(BigInt(whole) * 1000n + BigInt(part.padEnd(3, '0'))).toBe(thousandths.reduce((a, b) => a + BigInt(b), 0n));
    }),
  );
});

test('only numbers above 0 are added', () => {
  expect(['1', '0.5', '1e2', '.5'].map(isAddable)).toEqual([true, true, true, true]);
  expect(['', '0', '-1', '1,5', 'two', '.', '1e999', 'e3', '0x1'].some(isAddable)).toBe(false);
});
