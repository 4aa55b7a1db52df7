import Type from 'typebox';
import { expect, test } from 'vitest';
import { wholeSpec } from '#core/engine/whole-spec.js';
import { keyedList, object, set } from '#core/model/fields.js';

const text = Type.Optional(Type.String());
const schema = object({
  text,
  nested: Type.Optional(object({ mode: text, size: text })),
  entries: Type.Optional(keyedList(['name', 'other'], object({ name: text, other: text, from: text, to: text }))),
  tags: Type.Optional(set(Type.String())),
  groups: Type.Optional(Type.Array(object({ a: text }))),
  free: Type.Optional(Type.Record(Type.String(), Type.String())),
});

test('a field that was observed and is not desired is null, at any depth; others are left out', () => {
  const observed = { text: 'x', nested: { mode: 'b', size: 'c' }, tags: ['t'] };
  expect(wholeSpec(schema, { nested: { mode: 'a' } }, observed)).toEqual({
    ...{ nested: { mode: 'a', size: null }, text: null, tags: null },
  });
  expect(wholeSpec(schema, { text: 'x' }, {})).toEqual({ text: 'x' });
});

test('an unknown field is left as it is', () => {
  expect(wholeSpec(schema, {}, { text: 'x', tags: ['t'] }, ['text'])).toEqual({ tags: null });
});

test('an unknown field within a larger value, which is written as a whole, keeps the observed value', () => {
  const observed = { nested: { mode: 'b', size: 'c' } };
  const unknown = ['nested.size', 'text.x'];
  expect(wholeSpec(schema, { nested: {} }, observed, unknown)).toEqual({ nested: { mode: null, size: 'c' } });
  expect(wholeSpec(schema, { nested: { size: 'own' } }, observed, unknown)).toEqual({
    nested: { mode: null, size: 'own' },
  });
});

test('keys identify entries and stay; new entries, lists without keys and free maps stay as they are', () => {
  const desired = { entries: [{ name: 'X' }, { name: 'new' }, 'odd'], groups: [{}], free: { a: 'b' } };
  const observed = { entries: [{ name: 'x', from: 'f' }, 'odd'], groups: [{ a: '1' }], free: { c: 'd' } };
  expect(wholeSpec(schema, desired, observed)).toEqual({
    ...desired,
    entries: [{ name: 'X', from: null }, { name: 'new' }, 'odd'],
  });
  expect(wholeSpec(schema, { entries: [{ name: 'x' }] }, { entries: 'odd' })).toEqual({ entries: [{ name: 'x' }] });
});

test('a field outside the schema and a value of another shape stay as they are', () => {
  expect(wholeSpec({}, { odd: { a: 1 } }, { odd: { b: 1 } })).toEqual({ odd: { a: 1 } });
  expect(wholeSpec(schema, { nested: 'text' }, { nested: { mode: 'a' } })).toEqual({ nested: 'text' });
});
