import { describe, expect, test } from 'vitest';
import { proposedFor } from './proposed.js';

const proposed = (...lines: readonly string[]) => proposedFor('list.csv', ...lines);
const numbers = (rows: readonly Record<string, string>[]) => rows.map(({ number }) => number);

describe('a proposal says', () => {
  test('what each import reads, and which columns none of them reads, alone or in a composed text', async () => {
    const { readings, unmapped } = await proposed(
      'Reference,Value,Footprint,Shelf',
      ...['"R1,R2",10k,0603,A1', 'C1,1u,0603,A2', 'C2,1u,0402,A3'],
    );
    expect(readings.map(({ kind, fields }) => [kind, ...fields.map(({ field, from }) => `${field} ${from}`)])).toEqual([
      ['items', 'number "{Value} {Footprint}"', 'name "Value"'],
      [
        'BOM',
        expect.stringMatching(/^number always /),
        'item.number "{Value} {Footprint}"',
        'refDes "Reference"',
        'quantity count of "Reference"',
      ],
    ]);
    expect(unmapped).toEqual(['Shelf']);
  });

  test('that the numbers of costs are in a currency', async () => {
    const { said } = await proposed(
      'Number,Name,Price',
      'P-1,Frame,"41,88 zł"',
      'P-2,Plate,"3,50 zł"',
      'P-3,Bolt,"0,20 zł"',
    );
    expect(said).toContain('Open: costs in "Price" are in zł, and only their numbers are imported.');
    const inHeader = await proposed('Number,Name,Unit Price (EUR)', 'P-1,Frame,41.88', 'P-2,Plate,3.50');
    expect(inHeader.said).toContain('costs in "Unit Price (EUR)" are in EUR');
    expect((await proposed('Number,Name,Price', 'P-1,Frame,41.88', 'P-2,Plate,3.50')).said).not.toContain('currency');
  });

  test('that makers without a number give no source', async () => {
    const { sources, said } = await proposed(
      'Number,Name,Manufacturer,MPN',
      ...['P-1,Frame,Acme,A-100', 'P-2,Plate,Bolt Ltd,', 'P-3,Cover,Acme,A-300'],
    );
    expect(await sources()).toHaveLength(2);
    expect(said).toContain('Open: 1 row has a value in "Manufacturer" and none in "MPN", and gives no source.');
  });
});

test('a number that two of many parts share numbers them all the same, and the second name is said', async () => {
  const rows = Array.from(
    { length: 14 },
    (_, index) => `${index + 1},1,Acme,B-${100 + index},Part ${'ABCDEFGHIJKLMN'[index]}`,
  );
  const { items, said } = await proposed('Item,Quantity,Vendor,Part number,Name', ...rows, '15,2,Acme,B-100,Washer');
  expect(numbers(await items()).slice(0, 2)).toEqual(['B-100', 'B-101']);
  expect(said).toContain('items have several names, and the first one counts, without "B-100: Washer" in row 16');
});

test.each([
  ['Resistor 1000 Ω', 'Resistor 1800 Ω'],
  ['100 nF', '100 pF'],
])('parts of one number whose names have other figures are asked about: %s and %s', async (one, other) => {
  const { said } = await proposed(
    'Name,MPN,Manufacturer,Qty',
    ...[`${one},RC-1,Yageo,12`, 'Jumper,J-1,Harwin,1', `${other},RC-1,Yageo,6`, 'Jumper x,J-1,Harwin,1'],
    ...['Plug,P-1,Acme,1', 'Nut,P-2,Acme,1', 'Bolt,P-3,Acme,1', 'Pad,P-4,Acme,1'],
  );
  expect(said).toContain(
    `become one item: "RC-1: ${other}" in row 4 beside "RC-1: ${one}". Give different parts different numbers.`,
  );
  expect(said).toContain('items have several names, and the first one counts, without "J-1: Jumper x" in row 5');
});

test('parts that somebody makes have no supplier', async () => {
  const { sources } = await proposed(
    'Number,Name,Quantity,Vendor,Vendor Part Number',
    ...['P-1,Screw,2,Acme,A-1', 'P-2,Foot,1,CUSTOM,B-1', 'P-3,Leg,1,3D printed,B-2', 'P-4,Hip,1,in-house,B-3'],
  );
  expect(new Set((await sources()).map((row) => row['supplier.name']))).toEqual(new Set(['Acme']));
});

test('an address among names names nothing: the number does', async () => {
  const { items } = await proposed(
    'MPN,Manufacturer,Description,Quantity',
    ...['X-1,Acme,Timer,1', 'X-2,Acme,https://shop.example/x2.html,1', 'X-3,Acme,Driver,2', 'X-4,Acme,Switch,1'],
  );
  expect((await items()).map(({ name }) => name)).toEqual(['Timer', 'X-2', 'Driver', 'Switch']);
});

test('materials that are long numbers number the items, and the numbers beside them name them', async () => {
  const { items } = await proposed(
    'Material,Acme Part Number,Location,Stock',
    ...['10010101234,LP-12,A1,4', '10010101235,LP-18,A1,2', '10010101236,LP-24,B7,9'],
  );
  expect(await items()).toMatchObject([
    { number: '10010101234', name: 'LP-12' },
    { number: '10010101235', name: 'LP-18' },
    { number: '10010101236', name: 'LP-24' },
  ]);
  const steel = await proposed('Part Number,Name,Material', 'P-1,Frame,Steel', 'P-2,Plate,Steel', 'P-3,Bolt,Brass');
  expect(numbers(await steel.items())).toEqual(['P-1', 'P-2', 'P-3']);
});

test('a mark of parts that are not fitted is one behind a value, and alone in place of a value and a number', async () => {
  const { bom, items } = await proposed(
    'RefDes;Value;Pattern',
    ...['R1;10k;0603', 'R2,R3;NI;0603', 'R4;0R NI;0603', 'C1;1u;0402', 'C2;4u7;0805', 'C3;22u;1206', 'U1;NICE1;SO-8'],
  );
  expect((await bom()).map(({ refdes }) => refdes)).toEqual(['R1', 'C1', 'C2', 'C3', 'U1']);
  expect(await items()).toHaveLength(5);
  const marked = await proposed(
    'Reference,Quantity,Value,Manufacturer1,Manufacturer1PartNumber',
    ...['R1,1,10k,Acme,A-10', 'R2,1,10k,Acme,A-10J', 'C1,2,1u,Bolt,B-1', 'U9,0,DNU,DNU,DNU'],
  );
  expect(numbers(await marked.items())).toEqual(['A-10', 'A-10J', 'B-1']);
});

test('a list that says in which state its pieces are is a stock, unless a person says otherwise', async () => {
  const { items, bom, said } = await proposed(
    'item,quantity,condition',
    'Motor,4,new',
    'Frame,1,broken',
    'Propeller,8,new',
  );
  expect(await items()).toHaveLength(3);
  expect(await bom()).toEqual([]);
  expect(said).toContain('Open: the list looks like a stock, so "quantity" is not imported and no BOM is proposed.');
});

test('descriptions in two columns, of which each row fills one, are one description', async () => {
  const { items } = await proposed(
    'Number,Name,Qty,Description,Description_1',
    ...['P-1,Alpha,1,Capacitor,', 'P-2,Beta,2,,Transistor', 'P-3,Gamma,1,Resistor,'],
  );
  expect((await items()).map(({ description }) => description)).toEqual(['Capacitor', 'Transistor', 'Resistor']);
});
