import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { directNeeds, topologicalOrder } from '#core/engine/graph.js';
import { digest, fingerprint, withoutDefaults } from '#core/engine/normal-form.js';
import { kindsReferredTo, listReferences } from '#core/engine/references.js';
import { type Address, addressOf } from '#core/model/address.js';
import { keyedList, object, ref, serverDefault, set } from '#core/model/fields.js';

const schema = object({
  owner: Type.Optional(ref('User')),
  members: Type.Optional(set(ref('User'))),
  entries: Type.Optional(
    keyedList(
      ['world'],
      object({ world: Type.Optional(Type.String()), attribute: ref('Attribute', { partitionBy: 'world' }) }),
    ),
  ),
  free: Type.Optional(Type.Record(Type.String(), Type.String())),
});

describe('referencesOf', () => {
  test('finds references in fields, lists and objects, with their partition', () => {
    const spec = {
      owner: 'ann',
      members: ['bo'],
      entries: [{ world: 'ITEMS', attribute: 'RoHS' }, { attribute: 'Plain' }],
      free: { owner: 'nobody' },
      unknown: { owner: ['nobody'] },
    };
    expect(listReferences(schema, spec)).toEqual([
      { pointer: '/owner', kind: 'User', partition: '', name: 'ann' },
      { pointer: '/members/0', kind: 'User', partition: '', name: 'bo' },
      { pointer: '/entries/0/attribute', kind: 'Attribute', partition: 'ITEMS', name: 'RoHS' },
      { pointer: '/entries/1/attribute', kind: 'Attribute', partition: '', name: 'Plain' },
    ]);
  });

  test('the kinds that specs of a schema can refer to', () => {
    expect(kindsReferredTo(schema)).toEqual(new Set(['User', 'Attribute']));
  });

  test('a cleared reference does not count', () => {
    expect(listReferences(schema, { owner: null })).toEqual([]);
  });
});

describe('fingerprint', () => {
  test('does not depend on the order of keys, sets and keyed lists', () => {
    const a = {
      owner: 'x',
      members: ['a', 'b'],
      entries: [
        { world: 'A', attribute: 'p' },
        { world: 'B', attribute: 'q' },
      ],
    };
    const b = {
      entries: [
        { attribute: 'q', world: 'B' },
        { attribute: 'p', world: 'A' },
      ],
      members: ['b', 'a'],
      owner: 'x',
    };
    expect(fingerprint(schema, a)).toBe(fingerprint(schema, b));
    expect(fingerprint(schema, a)).not.toBe(fingerprint(schema, { ...a, members: ['a'] }));
  });

  test('depends on the order of other lists', () => {
    const list = object({ list: Type.Array(Type.String()) });
    expect(fingerprint(list, { list: ['a', 'b'] })).not.toBe(fingerprint(list, { list: ['b', 'a'] }));
  });

  test('a digest distinguishes null from a missing value, and text from a number', () => {
    expect(new Set([{}, { a: null }, { a: '1' }, { a: 1 }].map(digest)).size).toBe(4);
  });
});

describe('the graph', () => {
  const [a, b, c] = ['A', 'B', 'C'].map((name) => addressOf('K', name)) as [Address, Address, Address];
  test('puts everything after its needs, and by name where the order is free', () => {
    expect(
      topologicalOrder(
        new Map([
          [a, new Set([c])],
          [b, new Set()],
          [c, new Set()],
        ]),
      ),
    ).toEqual([c, a, b]);
  });
  test('has no needs outside the list', () => {
    expect(directNeeds(a, new Map())).toEqual([]);
    expect(topologicalOrder(new Map([[a, new Set([b])]]))).toEqual([b, a]);
  });
  test('does not hang on a cycle', () => {
    expect(
      topologicalOrder(
        new Map([
          [a, new Set([b])],
          [b, new Set([a])],
        ]),
      ),
    ).toEqual([b, a]);
  });
});

test('a value with named defaults equals one without them', () => {
  const spec = object({
    mode: Type.String(),
    options: Type.Optional(
      object({
        strip: Type.Optional(Type.String(serverDefault('STRIP'))),
        list: Type.Array(object({ shown: Type.Boolean(serverDefault(true)) })),
      }),
    ),
  });
  expect(withoutDefaults(spec, { mode: 'EDIT', options: { strip: 'STRIP' }, gone: null })).toEqual({ mode: 'EDIT' });
  expect(
    withoutDefaults(spec, {
      mode: 'EDIT',
      options: { strip: 'RETAIN', list: [{ shown: true, other: 1 }, { shown: false }] },
    }),
  ).toEqual({
    mode: 'EDIT',
    options: { strip: 'RETAIN', list: [{ other: 1 }, { shown: false }] },
  });
});
