import Type from 'typebox';
import { expect, test } from 'vitest';
import { wholeSpec } from '../../src/engine/whole-spec.js';
import { keyedList, object, set } from '../../src/model/fields.js';

const schema = object({
  text: Type.Optional(Type.String()),
  nested: Type.Optional(object({ mode: Type.Optional(Type.String()), size: Type.Optional(Type.String()) })),
  entries: Type.Optional(
    keyedList(
      ['name', 'other'],
      object({
        name: Type.Optional(Type.String()),
        other: Type.Optional(Type.String()),
        from: Type.Optional(Type.String()),
      }),
    ),
  ),
  tags: Type.Optional(set(Type.String())),
  groups: Type.Optional(Type.Array(object({ a: Type.Optional(Type.String()) }))),
  free: Type.Optional(Type.Record(Type.String(), Type.String())),
});

test('a field that the spec does not have is null, at any depth', () => {
  expect(wholeSpec(schema, { nested: { mode: 'a' } })).toEqual({
    ...{ text: null, nested: { mode: 'a', size: null } },
    ...{ entries: null, tags: null, groups: null, free: null },
  });
});

test('entries are told by their keys, which stay absent; lists without keys and free maps stay as they are', () => {
  const spec = { entries: [{ name: 'x' }, 'odd'], groups: [{}], free: { a: 'b' }, tags: ['t'] };
  expect(wholeSpec(schema, spec, ['text', 'nested'])).toEqual({ ...spec, entries: [{ name: 'x', from: null }, 'odd'] });
});

test('a field of no schema and a value of another shape stay as they are', () => {
  expect(wholeSpec({}, { odd: { a: 1 } })).toEqual({ odd: { a: 1 } });
  expect(wholeSpec(object({ nested: schema }), { nested: 'text' })).toEqual({ nested: 'text' });
});
