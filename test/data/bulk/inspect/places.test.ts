import { expect, test } from 'vitest';
import { proposedFor as proposed } from './proposed.js';

const STOCK = [
  ...['B11;3;0;DHT22 Sensor;400', 'B12;1;0;LED-Ring 24;700', 'x;;11;Lötzinn;5', 'x;;12;Kabelbinder;2'],
  ...['B13;2;0;Relaismodul;150', 'B14;1;0;USB-Hub;900', 'x;;11;Schrumpfschlauch;3', 'z;;12;Litze 0,5 mm²;1'],
  ...['C1;2;0;Steckbrett;150', 'C2;1;0;OLED 0,96 Zoll;900', 'C3;;11;Servo SG90;3', 'z;;12;Draht;1'],
];

test('in a stock list without headers, places neither name the items nor are part of their numbers', async () => {
  const { items, said } = await proposed('stock.csv', ...STOCK);
  const rows = await items();
  expect(rows).toHaveLength(12);
  expect(rows[0]?.number).toBe('DHT22 Sensor');
  expect(said).not.toContain('"A" is used');
});

test('an item in two places is one item, also without headers', async () => {
  const { items } = await proposed('stock.csv', ...STOCK, 'C4;1;0;Servo SG90;3');
  expect(new Set((await items()).map(({ number }) => number))).toHaveProperty('size', 12);
  expect((await items()).map(({ number }) => number)).toContain('Servo SG90');
});
