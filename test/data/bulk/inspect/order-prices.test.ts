import { describe, expect, test } from 'vitest';
import { proposedFor as proposed } from './proposed.js';

const costs = (rows: readonly Record<string, string>[]) => rows.map(({ standardcost }) => standardcost);

const lcsc = (price: string) => [
  `LCSC Part Number,Manufacture Part Number,Manufacturer,Customer NO.,Description,Order Qty.,Min\\Mult Order Qty.,${price},Order Price`,
  'C1525,RC0402-10K,Yageo,,Resistor 10k,100,50\\50,0.0004,0.04',
  'C2337,GRM155,Murata,,Capacitor 100n,50,50\\50,0.02,1.00',
];
const digiKey = (price: string, extended: string, sign = '') => [
  `Index,Quantity,Part Number,Manufacturer Part Number,Description,Customer Reference,Backorder,${price},${extended}`,
  `1,10,311-10KCT-ND,RC0402-10K,RES 10K,,0,${sign}0.01,0.10`,
  `2,5,490-1519-1-ND,GRM155,CAP 100N,,0,${sign}0.20,1.00`,
];
const mouser = (price: string) => [
  `Mouser No,Mfr. No,Manufacturer,Description,Order Qty.,${price},Ext.`,
  '603-RC0402-10K,RC0402-10K,Yageo,Resistor 10k,100,0.01,1.00',
  '81-GRM155,GRM155,Murata,Capacitor 100n,50,0.20,10.00',
];

describe('prices of an order at a shop are costs', () => {
  test.each([
    ['the header of the prices', lcsc('Unit Price(USD)'), 'USD (read in "Unit Price(USD)")', ['0.0004', '0.02']],
    ['a sign in the header', lcsc('Unit Price($)'), '$ (read in "Unit Price($)")', ['0.0004', '0.02']],
    ['a code', digiKey('Unit Price AUD', 'Extended'), 'AUD (read in "Unit Price AUD")', ['0.01', '0.20']],
    [
      'the other prices',
      digiKey('Unit Price', 'Extended Price NZD'),
      'NZD (read in "Extended Price NZD")',
      ['0.01', '0.20'],
    ],
    ['a sign in the cells', digiKey('Unit Price', 'Extended Price', '£'), '£ (read in "Unit Price")', ['0.01', '0.20']],
    [
      'a sign that other prices explain',
      digiKey('Unit Price', 'Extended Price CAD', '$'),
      'CAD (read in "Extended Price CAD")',
      ['0.01', '0.20'],
    ],
    ['the header of Mouser', mouser('Price (EUR)'), 'EUR (read in "Price (EUR)")', ['0.01', '0.20']],
    [
      'LCSC, which sells in one',
      lcsc('Unit Price'),
      'USD (assumed, as the list names none and LCSC usually sells in it)',
      ['0.0004', '0.02'],
    ],
  ])('in the currency of %s', async (_, lines, currency, expected) => {
    const { items, bom, said, problems } = await proposed('cart.csv', ...lines);
    expect(problems).toEqual([]);
    expect(costs(await items())).toEqual(expected);
    expect(await bom()).toEqual([]);
    expect(said).toContain(`are taken as costs, in ${currency}.`);
    expect(said).toMatch(/inspect the file again with `--column "(Unit )?Price.*=none"`/);
    expect(said).toContain(
      'its quantities are not those of a BOM. If they are, inspect it with `--column NAME=quantity`.',
    );
  });

  test.each([
    ['names none', digiKey('Unit Price', 'Extended Price')],
    ['of Mouser names none', mouser('Price')],
    [
      'is between two companies',
      [
        'Pos.,Our Item No.,Your Part No.,Qty,Unit Price EUR',
        '10,400-20011,RB-6205,200,3.85',
        '20,400-20012,RB-6206,120,4.40',
      ],
    ],
  ])('unless the order %s', async (_, lines) => {
    const { items, said } = await proposed('cart.csv', ...lines);
    expect(costs(await items()).every((cost) => cost === undefined)).toBe(true);
    expect(said).toContain('its prices are no standard costs. If they are');
  });

  test('unless somebody says otherwise', async () => {
    const file = 'cart.csv';
    const none = await proposed({ file, meanings: { 'Unit Price': 'none' } }, ...lcsc('Unit Price'));
    expect(costs(await none.items())).toEqual([undefined, undefined]);
    const asked = digiKey('Unit Price', 'Extended Price');
    const given = await proposed({ file, meanings: { 'Unit Price': 'cost' } }, ...asked);
    expect(costs(await given.items())).toEqual(['0.01', '0.20']);
    expect(given.said).toContain('in a currency that the list does not name.');
    expect(given.said).not.toContain('no standard costs');
  });
});
