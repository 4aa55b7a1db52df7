import { expect, test } from 'vitest';
import { childWrites, newChildren } from '#core/engine/child-writes.js';
import { diffSpec } from '#core/engine/diff.js';
import { supplier } from '#core/kinds/supplier.js';
import { userGroup } from '#core/kinds/user-group.js';
import type { JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { Write } from '#core/model/plan.js';

/** The writes from one spec to another, as short texts. */
const writesOf = (kind: Kind, desired: JsonObject, observed: JsonObject): string[] =>
  childWrites(kind, diffSpec(kind.schema, desired, observed), { desired, observed }).map(textOf);

const textOf = (write: Write): string =>
  'name' in write ? `${write.verb} ${write.name}${'entry' in write ? ` ${JSON.stringify(write.entry)}` : ''}` : '';

const [A, B] = [
  { label: 'A', city: 'X', primary: true },
  { label: 'B', primary: false },
];

test.each<[string, JsonObject, JsonObject, readonly string[]]>([
  ['equal lists', { addresses: [B, A] }, { addresses: [A, B] }, []],
  ['a list that is not named', { description: 'x' }, { addresses: [A] }, []],
  ['an empty list', { addresses: [] }, { addresses: [A] }, ['removeChild A']],
  ['a cleared list', { addresses: null }, { addresses: [A, B] }, ['removeChild A', 'removeChild B']],
  [
    'an entry keeps what the manifest does not name, and loses what it clears',
    { addresses: [{ label: 'A', city: null, state: 'Y' }] },
    { addresses: [{ ...A, address1: '1' }] },
    ['updateChild A {"label":"A","primary":true,"address1":"1","state":"Y"}'],
  ],
  ['a new entry has no cleared fields', { addresses: [{ label: 'C', city: null }] }, {}, ['addChild C {"label":"C"}']],
  [
    'what an entry has is taken before another gets it',
    { addresses: [{ ...B, primary: true }, { ...A, primary: false }, { label: 'D' }] },
    { addresses: [A, B, { label: 'C' }] },
    [
      'removeChild C',
      'updateChild A {"label":"A","city":"X","primary":false}',
      'updateChild B {"label":"B","primary":true}',
      'addChild D {"label":"D"}',
    ],
  ],
  [
    'further entries with one identity, and those without any',
    { addresses: [A] },
    { addresses: [A, { label: 'a' }, { city: 'Z' }, { label: 'a #2' }, {}] },
    ['removeChild a #2', 'removeChild #1', 'removeChild a #2 #2', 'removeChild #2'],
  ],
])('values: %s', (_, desired, observed, writes) => {
  expect(writesOf(supplier, desired, observed)).toEqual(writes);
});

test('members are added before others are removed', () => {
  expect(writesOf(userGroup, { members: ['a', 'b'] }, { members: ['b', 'c'] })).toEqual([
    'addChild a',
    'removeChild c',
  ]);
});

test('a new object gets its entries in the order of its manifest', () => {
  const spec = { phoneNumbers: [{ number: '2', extension: '7' }], addresses: [B, A] };
  expect(newChildren(supplier, spec).map(textOf)).toEqual([
    'addChild B {"label":"B","primary":false}',
    'addChild A {"label":"A","city":"X","primary":true}',
    'addChild 2 7 {"number":"2","extension":"7"}',
  ]);
  expect(newChildren(userGroup, { members: ['a'] }).map(textOf)).toEqual(['addChild a']);
});
