import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { joinKey, KeyIndex } from '#data/bulk/rows/key-index.js';
import { KeyRuns } from '#data/bulk/rows/key-runs.js';
import { scaled } from '../../../harness/sample.js';
import { temporaryFolder } from '../support.js';

/** Families whose members differ in little, as part numbers do. */
const FAMILIES: readonly ((n: number) => string)[] = [
  (n) => `P-${String(n).padStart(9, '0')}`,
  (n) => String(n),
  (n) => `${n % 1000}-${Math.floor(n / 1000)}`,
  (n) => `\u{4e00}${String.fromCharCode(n & 0xffff)}${String.fromCharCode(n >>> 16)}`,
  (n) => `${'R'.repeat(n % 300)}${Math.floor(n / 300)}x`,
];

test('very many similar keys are never confused, and each is found again', () => {
  const index = new KeyIndex();
  const count = scaled(200_000, 40_000);
  for (const [family, key] of FAMILIES.entries()) {
    for (let n = 0; n < count; n += 1) {
      const found = index.firstRow(`${family} ${key(n)}`, family * count + n + 1);
      if (found !== undefined) expect.fail(`${family} ${key(n)} is taken for the key of row ${found}.`);
    }
  }
  for (const [family, key] of FAMILIES.entries()) {
    for (let n = 0; n < count; n += 997) {
      expect(index.firstRow(`${family} ${key(n)}`, 1)).toBe(family * count + n + 1);
    }
  }
});

test('several values of any kind are one key only together', () => {
  const keys = [['a', 'b'], ['ab', ''], ['', 'ab'], ['1:a', 'b'], ['a1:b', ''], ['a', '1:b'], ['a']].map(joinKey);
  expect(new Set(keys).size).toBe(keys.length);
});

test('keys beyond the memory are found in their file, which is removed with the others', async () => {
  const folder = await temporaryFolder();
  const runs = new KeyRuns(join(folder, 'keys'));
  const index = new KeyIndex(runs, 1000);
  const key = (n: number): string => `P-${String(n).padStart(6, '0')}`;
  for (let n = 1; n <= 10_500; n += 1) expect(index.firstRow(key(n), n)).toBeUndefined();
  expect(runs.count).toBe(10);
  for (let n = 1; n <= 10_500; n += 1) expect(index.firstRow(key(n), 20_000)).toBe(n);
  for (let n = 10_501; n <= 20_000; n += 1) expect(index.has(key(n))).toBe(false);
  expect(index.has(key(1))).toBe(true);
  expect(await readdir(folder)).toEqual(['keys']);
  runs.close();
  expect(await readdir(folder)).toEqual([]);
});
