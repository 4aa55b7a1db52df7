import { expect, test } from 'vitest';
import { nameAssembly } from '#data/bulk/inspect/assembly-name.js';

test.each([
  ['lists/pump_bom.csv', 'pump'],
  ['lists/900-0001 BOM.csv', '900-0001'],
  ['lists/1234_bom.csv', '1234'],
  ['lists/24-nomenclature.csv', '24-nomenclature'],
  ['lists/07 parts list.csv', '07 parts list'],
  ['pump/bom.csv', 'pump'],
  ['lists/PO_4500018834.csv', 'PO_4500018834'],
  ['lists/pump-2026-11-21.csv', 'pump'],
])('the list %s is that of %s', (path, name) => {
  expect(nameAssembly(path, path, undefined)).toBe(name);
});
