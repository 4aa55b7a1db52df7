import { expect, test } from 'vitest';
import { KeyedRows } from '#data/bulk/compare/keyed-rows.js';
import { temporaryFolder } from '../support.js';

test('rows that were not found keep their order, also while others are looked up between them', async () => {
  const rows = await KeyedRows.open(await temporaryFolder(), 'records');
  const names = Array.from({ length: 3500 }, (_, index) => `P-${index}`);
  for (const name of names) rows.add([name], [['text', name]]);
  rows.seal();
  const isFound = (_: string, index: number): boolean => index % 3 === 0 || (index > 900 && index < 2100);
  for (const name of names.filter(isFound)) for (const row of rows.withKey([name])) rows.mark(row);
  const left: string[] = [];
  for (const { key } of rows.unmarked()) {
    left.push(key[0] ?? '');
    if (left.length % 100 === 0) {
      expect(rows.withKey(['P-17'])).toHaveLength(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  expect(left).toEqual(names.filter((name, index) => !isFound(name, index)));
  rows.close();
});
