import { expect, test } from 'vitest';
import { overlay } from '#core/engine/spec-after.js';
import { keyedList, object, set } from '#core/model/fields.js';
import { Type } from '#core/model/schema.js';

const text = Type.Optional(Type.String());
const schema = object({
  name: text,
  options: Type.Optional(object({ a: text, b: text })),
  tags: Type.Optional(set(Type.String())),
  rows: Type.Optional(keyedList(['id'], object({ id: Type.String(), from: text, note: text }))),
});

test.each([
  ['a field that is not named keeps its value', { name: 'x' }, { tags: ['t'] }, { name: 'x', tags: ['t'] }],
  ['null removes a field', { name: null }, { name: 'x' }, {}],
  [
    'an object is laid over field by field',
    { options: { a: '1' } },
    { options: { a: '0', b: '2' } },
    { options: { a: '1', b: '2' } },
  ],
  ['null within an object', { options: { a: null } }, { options: { a: '0', b: '2' } }, { options: { b: '2' } }],
  ['an object in an empty place', { options: { a: '1' } }, {}, { options: { a: '1' } }],
  ['an object outside the schema stays as it is', { free: { a: 1 } }, { free: { b: 2 } }, { free: { a: 1 } }],
  ['a list of values replaces', { tags: ['n'] }, { tags: ['o', 'p'] }, { tags: ['n'] }],
  [
    'entries of a keyed list are laid over those of the same key, in any letter case; others go',
    { rows: [{ id: 'A', from: 'x' }, { id: 'C' }] },
    {
      rows: [
        { id: 'b', note: 'gone' },
        { id: 'a', from: 'y', note: 'kept' },
      ],
    },
    { rows: [{ id: 'A', from: 'x', note: 'kept' }, { id: 'C' }] },
  ],
  ['a keyed list in an empty place', { rows: [{ id: 'A' }] }, {}, { rows: [{ id: 'A' }] }],
])('%s', (_, desired, observed, expected) => {
  expect(overlay(schema, desired, observed)).toEqual(expected);
  expect(overlay(undefined, { name: 'x', rows: [{ id: 1 }] }, observed)).toMatchObject({
    name: 'x',
    rows: [{ id: 1 }],
  });
});
