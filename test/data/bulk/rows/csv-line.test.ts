import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, mostCsvBytes, writeCsvLine } from '#data/bulk/rows/csv-line.js';

const cell = fc.string({
  unit: fc.constantFrom('"', ',', '\n', '\r', 'a', ' ', 'ä', '漢', '𝒳', '\0', '\x7f'),
  maxLength: 6,
});

test('a row has the same bytes as its line, and never more than announced', () => {
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 5 }), fc.nat(3), (cells, start) => {
      const bytes = Buffer.alloc(start + mostCsvBytes(cells));
      const end = writeCsvLine(bytes, start, cells);
      expect(bytes.subarray(start, end)).toEqual(Buffer.from(csvLine(cells)));
    }),
    { seed: 20_261_123, numRuns: 500 },
  );
});
