import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inNaturalOrder, naturalOrder } from '#base/natural-order.js';

const sorted = (...texts: string[]): string[] => inNaturalOrder(texts, (text) => text);

test('numbers in a text sort as numbers, at any position', () => {
  expect(sorted('Group 10', 'Group 2', 'Group 1')).toEqual(['Group 1', 'Group 2', 'Group 10']);
  expect(sorted('v1.10.2', 'v1.9.10', 'v1.9.9')).toEqual(['v1.9.9', 'v1.9.10', 'v1.10.2']);
  expect(sorted('10', '9a', '9')).toEqual(['9', '9a', '10']);
  expect(sorted('a', 'B', 'Group', 'Group 007', 'Group 7')).toEqual(['B', 'Group', 'Group 007', 'Group 7', 'a']);
  expect(sorted(`x${'9'.repeat(40)}`, `x1${'0'.repeat(40)}`)).toEqual([`x${'9'.repeat(40)}`, `x1${'0'.repeat(40)}`]);
});

const text = fc.string({ unit: fc.constantFrom('0', '1', '2', '9', 'a', ' ', '/', '~'), maxLength: 6 });

test('the order is total: no two texts are equal, and it has no cycle', () => {
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(Math.sign(naturalOrder(a, b))).toBe(-Math.sign(naturalOrder(b, a)) + 0);
      expect(naturalOrder(a, b) === 0).toBe(a === b);
      if (naturalOrder(a, b) < 0 && naturalOrder(b, c) < 0) expect(naturalOrder(a, c)).toBeLessThan(0);
    }),
    { numRuns: 3000 },
  );
});

test('plain whole numbers are in their order', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (a, b) => {
      expect(Math.sign(naturalOrder(`n${a}.x`, `n${b}.x`))).toBe(Math.sign(a - b));
    }),
  );
});
