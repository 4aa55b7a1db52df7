import { describe, expect, test } from 'vitest';
import { isPartOf, numberReservation } from '#core/kinds/number-reservation.js';
import type { JsonObject } from '#core/model/json.js';
import type { Observed } from '#core/model/observation.js';
import { GONE, identities, RESISTOR } from './support.js';

const CATEGORY = 'Item\\Resistor';
const reserved = (name: string, ...itemNumbers: string[]): Observed => ({
  name,
  identity: name,
  spec: { category: CATEGORY, itemNumbers },
});
const gathered = (...live: Observed[]) => numberReservation.gather?.(live, (name) => name === 'C #2') ?? [];

/** Wire-facts 0 and 7, "number reservations". */
test('the category is a GUID on the wire, and the reserved content its numbers', () => {
  expect(numberReservation.toWire({ category: CATEGORY, quantity: 2 }, identities)).toEqual({
    category: { guid: RESISTOR },
    quantity: 2,
  });
  const body = { category: { guid: RESISTOR, name: 'Resistor' }, itemNumbers: ['1', '2'] };
  const spec = { category: CATEGORY, itemNumbers: ['1', '2'] };
  expect(numberReservation.fromWire(body, identities)).toEqual(spec);
  const dead = { category: '(deleted Category)', itemNumbers: [] };
  expect(numberReservation.fromWire({ category: { guid: GONE } }, identities)).toEqual(dead);
  expect(numberReservation.fromWire({ category: null }, identities)).toEqual(dead);
});

test('reserved numbers count as a quantity, too', () => {
  expect(numberReservation.otherwise?.(reserved('A', '1', '2').spec)).toEqual({ quantity: 2 });
});

test('a manifest can name reserved numbers, too', () => {
  expect(numberReservation.otherwise?.({ category: CATEGORY, itemNumbers: ['1', '2'] })).toEqual({ quantity: 2 });
});

test('further reservations are one with the first; a name that only looks like one is another reservation', () => {
  const [first, alone, ...others] = gathered(reserved('A', '1'), reserved('B #2', '7'), reserved('A #2', '2', '3'));
  expect(first).toEqual({ ...reserved('A', '1', '2', '3'), further: 'A #3' });
  expect(alone).toEqual({ ...reserved('B #2', '7'), further: 'B #2 #2' });
  expect(others).toEqual([]);
  // One that a manifest describes is its own, and its name is not taken for a further part.
  expect(gathered(reserved('C', '1'), reserved('C #2', '2'))).toEqual([
    { ...reserved('C', '1'), further: 'C #3' },
    { ...reserved('C #2', '2'), further: 'C #2 #2' },
  ]);
  expect(gathered(reserved('C', '1'))).toMatchObject([{ further: 'C #3' }]);
  expect(['A', 'A #2', 'A #10', 'A #1', 'AB', 'A #2 #3'].filter((name) => isPartOf(name, 'A'))).toEqual([
    'A',
    'A #2',
    'A #10',
  ]);
});

describe('the missing part of a reservation (design, section 5)', () => {
  const live = gathered(reserved('A', '1', '2'), reserved('A #2', '3'))[0] as Observed;
  const grown = (desired: JsonObject) => numberReservation.grow?.({ category: CATEGORY, ...desired }, live);

  test('is empty where the quantity or the numbers are there', () => {
    expect(grown({ quantity: 3 })).toEqual({ is: 'enough' });
    expect(grown({ itemNumbers: ['3', '1', '2'] })).toEqual({ is: 'enough' });
  });

  test('is a further reservation of the difference where the quantity is larger', () => {
    expect(grown({ quantity: 5 })).toEqual({
      is: 'more',
      name: 'A #3',
      spec: { category: CATEGORY, quantity: 2 },
      fields: [{ path: 'quantity', before: 3, after: 5 }],
    });
    const alone = numberReservation.grow?.({ category: CATEGORY, quantity: 2 }, reserved('A', '1'));
    expect(alone).toMatchObject({ is: 'more', name: 'A #2' });
  });

  test('is a further reservation of further numbers', () => {
    expect(grown({ itemNumbers: ['1', '2', '3', '9'] })).toEqual({
      is: 'more',
      name: 'A #3',
      spec: { category: CATEGORY, itemNumbers: ['9'] },
      fields: [{ path: 'itemNumbers[9]', after: '9' }],
    });
  });

  test.each([
    [{ quantity: 2 }, /^3 numbers are reserved, but the manifest has a quantity of 2;.*reservations release/],
    [{ quantity: undefined as unknown as number }, /has a quantity of 0/],
    [{ itemNumbers: ['1', '2'] }, /^3 is reserved but not in the manifest;/],
    [{ itemNumbers: ['1'] }, /^2, 3 are reserved but not in the manifest;/],
    [{ itemNumbers: null, quantity: 1 }, /has a quantity of 1/],
    [{ category: 'Item\\Cable', quantity: 3 }, /cannot move to "Item\\Cable"/],
  ])('%o is refused', (desired, message) => {
    expect(grown(desired)).toEqual({ is: 'refused', message: expect.stringMatching(message) });
  });
});
