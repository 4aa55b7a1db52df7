import { expect, test } from 'vitest';
import { proposedFor as proposed } from './proposed.js';

const ROWS = [
  ...['K-1,Rail,2,Frame', 'K-2,Bolt M4,8,Frame', 'K-3,Hub,4,Drive', 'K-4,Axle,2,Drive'],
  ...['K-5,Washer M4,30,"Frame, Drive"', 'K-6,Grease,1,Drive'],
];

test('a cell with several parents of other rows is not an item, and the column is a remark', async () => {
  const { items, bom, said, assembly } = await proposed('cart.csv', 'SKU,Part,Qty,Assembly', ...ROWS);
  expect(assembly).toBe('cart');
  expect(await items()).toHaveLength(6);
  expect((await bom()).map(({ number, notes }) => [number, notes])).toContainEqual(['cart', 'Frame, Drive']);
  expect(said).toContain('cells of "Assembly" list several parents of other rows, such as "Frame, Drive": row 6.');
  expect(said).toContain('the column is imported as a remark');
});

test('beside a column of remarks, such a column is not imported', async () => {
  const rows = ROWS.map((row) => `${row},glue`);
  const { bom, said } = await proposed('cart.csv', 'SKU,Part,Qty,Assembly,Notes', ...rows);
  expect(new Set((await bom()).map(({ number, notes }) => `${number} ${notes}`))).toEqual(new Set(['cart glue']));
  expect(said).toContain('the column is not imported');
});

test('a parent whose name has a comma stays one, and so does a column that people call parents', async () => {
  const rows = ROWS.map((row) => row.replace('"Frame, Drive"', '"Wheel, left"'));
  const { bom, said } = await proposed('cart.csv', 'SKU,Part,Qty,Assembly', ...rows);
  expect((await bom()).map(({ number }) => number)).toContain('Wheel, left');
  expect(said).not.toContain('list several parents');
  const asked = { file: 'cart.csv', meanings: { Assembly: 'parent' } } as const;
  const told = await proposed(asked, 'SKU,Part,Qty,Assembly', ...ROWS);
  expect(told.said).toContain('Each list becomes an item: give each parent a row of its own instead.');
});
