import { describe, expect, test } from 'vitest';
import { proposedFor as proposed } from './proposed.js';

const costs = (rows: readonly Record<string, string>[]) => rows.map(({ standardcost }) => standardcost);

describe('the cost of a piece', () => {
  const rows = ['Gear,4,2.50,10.00', 'Shaft,1,7.2,7.2', 'Bearing,3,1.15,3.45', 'Screw,20,0.049,0.98'];

  test('is the factor of a product with the quantity, under any header', async () => {
    const { items, notes } = await proposed('cart.csv', 'Part name,Quantity,Á price,Estimated cost', ...rows);
    expect(costs(await items())).toEqual(['2.50', '7.2', '1.15', '0.049']);
    expect(notes.join()).toContain(
      '"Á price" is the cost of a piece: "Estimated cost" is its product with "Quantity".',
    );
  });

  test.each(['Estimated cost', '∑ Price', 'Total price', 'Gesamtpreis', 'Ext. price'])(
    'is not "%s", which is asked about',
    async (header) => {
      const lines = [`Part name,Quantity,${header}`, 'Gear,4,10.00', 'Shaft,1,7.2', 'Bearing,3,3.45'];
      const { items, said } = await proposed('cart.csv', ...lines);
      expect(costs(await items()).every((cost) => cost === undefined)).toBe(true);
      expect(said).toContain(
        `Open: the header "${header}" is one of costs of lines, and no column has those of pieces`,
      );
      const given = await proposed({ file: 'cart.csv', meanings: { [header]: 'cost' } }, ...lines);
      expect(costs(await given.items())).toEqual(['10.00', '7.2', '3.45']);
      expect(given.said).not.toContain('costs of lines');
    },
  );

  test('is an estimated one where each line is one piece', async () => {
    const { items } = await proposed('cart.csv', 'Part name,Quantity,Estimated cost', 'Gear,1,10.00', 'Shaft,1,7.2');
    expect(costs(await items())).toEqual(['10.00', '7.2']);
  });

  test('is not taken from products of other numbers', async () => {
    const { items } = await proposed('cart.csv', 'Part name,Quantity,Weight,Total weight', ...rows);
    expect(costs(await items()).every((cost) => cost === undefined)).toBe(true);
  });

  test('is taken from a column with a few texts, which are named', async () => {
    const { items, bom, said } = await proposed(
      'list.csv',
      ...['Part,Qty,Price', 'Gear,4,2.50', 'Shaft,1,on request', 'Bearing,3,1.15', 'Screw,20,1/4 W'],
      ...['Nut,20,0.02', 'Washer,20,0.01', 'Pin,2,0.30', 'Key,1,0.40', 'Hub,1,12.00', 'Belt,1,(ca. 8.00)'],
      ...['Ring,2,1.00', 'Cap,2,1.00', 'Foot,4,1.00'],
    );
    expect(costs(await items()).slice(0, 5)).toEqual(['2.50', '', '1.15', '', '0.02']);
    expect(costs(await items())[9]).toBe('8.00');
    expect(await bom()).toHaveLength(13);
    expect(said).toContain(
      '"Price" has costs that are no numbers, and are not imported: "on request" (row 3), "1/4 W" (row 5).',
    );
    expect(said).toContain('"(ca. 8.00)" as 8.00 (row 11)');
  });
});

test('quantities that are about right are read as exact ones with their units', async () => {
  const { items, bom, said, problems } = await proposed(
    'list.csv',
    ...['Part,Amount', 'Bearing,6', 'Screw,66', 'Nut,approx. 40', 'LED strip,~2m', 'Cable,~ 30cm', 'Board,1'],
  );
  expect(problems).toEqual([]);
  expect((await bom()).map(({ quantity }) => quantity)).toEqual(['6', '66', '40', '2', '30', '1']);
  expect((await items()).map(({ uom }) => uom)).toEqual(['', '', '', 'm', 'cm', '']);
  expect(said).toContain('"approx. 40" as 40 (row 4), "~2m" as 2 (row 5), "~ 30cm" as 30 (row 6)');
});

test('the total of a list in Japanese is left out', async () => {
  const { items } = await proposed(
    'list.csv',
    ...[
      '部品名,型番,個数,参考単価,参考小計',
      'ナット,SLBNR3,10,50,500',
      'ねじ,SCB3-6,30,10,300',
      'シャフト,RSSC-D12,2,2394,4788',
    ],
    ',,,合計参考,5588',
  );
  expect(costs(await items())).toEqual(['50', '10', '2394']);
});
