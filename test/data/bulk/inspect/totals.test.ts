import { expect, test } from 'vitest';
import { proposedFor as proposed } from './proposed.js';

test.each(['TOTAL', 'Total', 'Разом', 'Всього', 'Σ'])(
  'a row "%s" with dashes in place of cells is not an item',
  async (total) => {
    const { items, bom, problems } = await proposed(
      'drive.csv',
      'Component,Description,Maker,MPN,Qty,Price (USD),Sum (USD),Shop,Remarks',
      ...['DRV1,Step driver,Toshiba,TB67,2,6.00,12.00,Ali,module', 'HALL1,Encoder,AMS,AS5048,1,5.00,5.00,Ali,'],
      ...['SW1,Switch,Omron,D2FC,4,0.50,Лют.50,—,small', 'PSU1,Supply,Mean Well,LRS-50,1,15.00,15.00,Ali,'],
      `${total},—,—,—,—,—,Лют.50,—,prices may vary`,
    );
    expect((await items()).map(({ number }) => number)).toEqual(['DRV1', 'HALL1', 'SW1', 'PSU1']);
    expect(await bom()).toHaveLength(4);
    expect(problems).toEqual([]);
  },
);

test('a total in a narrow list, whose cells are all filled, is not an item', async () => {
  const { items } = await proposed('small.csv', 'Name,Qty,Price', 'Hinge,2,1.50', 'Latch,1,2.20', 'Total,3,5.20');
  expect((await items()).map(({ number }) => number)).toEqual(['Hinge', 'Latch']);
});
