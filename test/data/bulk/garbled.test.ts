import { expect, test } from 'vitest';
import { inspectTable } from '#data/bulk/inspect/inspect-table.js';
import { ungarbled } from '#data/bulk/source/garbled-text.js';
import { fileOf } from './support.js';

test.each([
  ['MÃ¼ller', 'Müller'],
  ['Ã„nderung Ã–l', 'Änderung Öl'],
  ['5â€“10 â‚¬', '5–10 €'],
  ['10 ÂµF', '10 µF'],
  ['Å›ruba', 'śruba'],
])('%s was probably %s', (text, original) => {
  expect(ungarbled(text)).toBe(original);
});

test.each(['Länge', 'CAFÉ”', 'naïve', 'Señor', 'Ü…', 'Â', '10 µF', 'Ø 5'])('%s is as it should be', (text) => {
  expect(ungarbled(text)).toBeUndefined();
});

test('inspect names the cell, how many there are, and what it probably was', async () => {
  const path = await fileOf('parts.csv', 'Number,Maker\nP-1,Acme\nP-2,MÃ¼ller\nP-3,LÃ¤ng\n');
  const { inspection } = await inspectTable(
    { path, file: 'parts.csv' },
    { file: 'parts.csv' },
    new AbortController().signal,
  );
  expect(inspection.notes.map(({ severity, code, message }) => [severity, code, message])).toEqual([
    [
      'warning',
      'cells-garbled',
      '2 cells look like UTF-8 that was read as Windows-1252 in "Maker": "MÃ¼ller" in row 3 was probably "Müller".',
    ],
  ]);
});
