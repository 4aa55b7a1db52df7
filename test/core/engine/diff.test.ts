import fc from 'fast-check';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { diffSpec } from '#core/engine/diff.js';
import { overlay } from '#core/engine/spec-after.js';
import { keyedList, object, serverDefault, set } from '#core/model/fields.js';
import type { JsonObject } from '#core/model/json.js';

const schema = object({
  text: Type.Optional(Type.String()),
  flag: Type.Optional(Type.Boolean(serverDefault(true))),
  list: Type.Optional(Type.Array(Type.String())),
  tags: Type.Optional(set(Type.String())),
  nested: Type.Optional(
    object({
      mode: Type.Optional(Type.String(serverDefault('STRIP'))),
      entries: Type.Optional(
        keyedList(
          ['kind', 'name'],
          object({ kind: Type.String(), name: Type.Optional(Type.String()), from: Type.Optional(Type.String()) }),
        ),
      ),
    }),
  ),
  free: Type.Optional(Type.Record(Type.String(), Type.String())),
});

describe('diffSpec', () => {
  const cases: [promise: string, desired: JsonObject, observed: JsonObject, changes: unknown[]][] = [
    ['a field that is not named is left alone', {}, { text: 'a' }, []],
    ['an equal field does not change', { text: 'a' }, { text: 'a' }, []],
    ['a field that is missing is added', { text: 'a' }, {}, [{ path: 'text', after: 'a' }]],
    ['a field that differs is changed', { text: 'b' }, { text: 'a' }, [{ path: 'text', before: 'a', after: 'b' }]],
    ['a default that the service does not show does not change', { flag: true }, {}, []],
    ['a value other than the default is a change', { flag: false }, {}, [{ path: 'flag', after: false }]],
    [
      'an ordered list is compared in order',
      { list: ['a', 'b'] },
      { list: ['b', 'a'] },
      [{ path: 'list', before: ['b', 'a'], after: ['a', 'b'] }],
    ],
    ['a set has no order', { tags: ['a', 'b'] }, { tags: ['b', 'a'] }, []],
    [
      'a set is changed member by member',
      { tags: ['a', 'c'] },
      { tags: ['a', 'b'] },
      [
        { path: 'tags[c]', after: 'c' },
        { path: 'tags[b]', before: 'b' },
      ],
    ],
    ['a set that the workspace lacks is added', { tags: ['a'] }, {}, [{ path: 'tags[a]', after: 'a' }]],
    ['null clears a value', { text: null }, { text: 'a' }, [{ path: 'text', before: 'a' }]],
    ['null returns to the default', { flag: null }, { flag: false }, [{ path: 'flag', before: false, after: true }]],
    ['null clears a set member by member', { tags: null }, { tags: ['a'] }, [{ path: 'tags[a]', before: 'a' }]],
    ['null of a default does not change', { flag: null }, { flag: true }, []],
    [
      'null clears an object field by field, each to the value that the service fills in',
      { nested: null },
      { nested: { mode: 'STRIP', entries: [{ kind: 'a' }] } },
      [{ path: 'nested.entries', before: [{ kind: 'a' }] }],
    ],
    ['null of an object with only defaults does not change', { nested: null }, { nested: { mode: 'STRIP' } }, []],
    [
      'an entry that the workspace has twice goes away once',
      { nested: { entries: [{ kind: 'a' }] } },
      { nested: { entries: [{ kind: 'a' }, { kind: 'A', from: 'x' }] } },
      [{ path: 'nested.entries[A #2]', before: { kind: 'A', from: 'x' } }],
    ],
    [
      'null of a missing field does not change',
      { text: null, tags: null, list: null, free: null },
      { text: '', tags: [], free: {}, list: null },
      [],
    ],
    [
      'nested objects are compared field by field',
      { nested: { mode: 'KEEP' } },
      { nested: { mode: 'STRIP' } },
      [{ path: 'nested.mode', before: 'STRIP', after: 'KEEP' }],
    ],
    ['a nested object that is missing is compared to nothing', { nested: { mode: 'STRIP' } }, {}, []],
    [
      'a map without a fixed shape is one value',
      { free: { a: '1' } },
      { free: { a: '2' } },
      [{ path: 'free', before: { a: '2' }, after: { a: '1' } }],
    ],
    [
      'entries of a keyed list are matched by their key, in any order',
      {
        nested: {
          entries: [
            { kind: 'K', name: 'b', from: 'B' },
            { kind: 'K', name: 'a', from: 'A' },
          ],
        },
      },
      {
        nested: {
          entries: [
            { kind: 'K', name: 'a', from: 'A' },
            { kind: 'K', name: 'b', from: 'B' },
          ],
        },
      },
      [],
    ],
    [
      'entries of a keyed list are added, changed and removed',
      {
        nested: {
          entries: [
            { kind: 'K', name: 'a', from: 'X' },
            { kind: 'K', from: 'N' },
          ],
        },
      },
      {
        nested: {
          entries: [
            { kind: 'K', name: 'a', from: 'A' },
            { kind: 'K', name: 'gone' },
          ],
        },
      },
      [
        { path: 'nested.entries[K a].from', before: 'A', after: 'X' },
        { path: 'nested.entries[K]', after: { kind: 'K', from: 'N' } },
        { path: 'nested.entries[K gone]', before: { kind: 'K', name: 'gone' } },
      ],
    ],
    [
      'a field that the service adds to an entry does not change',
      { nested: { entries: [{ kind: 'K', name: 'a' }] } },
      { nested: { entries: [{ kind: 'K', name: 'a', from: 'filled in' }] } },
      [],
    ],
    [
      'a keyed list that is missing is added entry by entry',
      { nested: { entries: [{ kind: 'K' }] } },
      { nested: {} },
      [{ path: 'nested.entries[K]', after: { kind: 'K' } }],
    ],
    [
      'a field that the schema does not know is compared as a value',
      { other: 1 },
      { other: 2 },
      [{ path: 'other', before: 2, after: 1 }],
    ],
  ];
  test.each(cases)('%s', (_, desired, observed, changes) => {
    expect(diffSpec(schema, desired, observed)).toEqual(changes);
  });

  test('entries that are not text are named by their JSON', () => {
    const numbers = object({ values: set(Type.Number()) });
    expect(diffSpec(numbers, { values: [1] }, { values: [] })).toEqual([{ path: 'values[1]', after: 1 }]);
  });
});

const text = fc.string({ maxLength: 4 });
const spec = fc.record(
  {
    text: fc.option(text, { nil: null }),
    flag: fc.option(fc.boolean(), { nil: null }),
    list: fc.array(text, { maxLength: 3 }),
    tags: fc.option(fc.uniqueArray(text, { maxLength: 3 }), { nil: null }),
    nested: fc.record(
      {
        mode: fc.constantFrom('STRIP', 'KEEP'),
        entries: fc.uniqueArray(
          fc.record(
            { kind: fc.constantFrom('A', 'B'), name: fc.constantFrom('x', 'y', 'z'), from: text },
            { requiredKeys: ['kind'] },
          ),
          { maxLength: 4, selector: (entry) => `${entry.kind} ${entry.name ?? ''}` },
        ),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

const observed = spec.map((value) => overlay(schema, value, {}));

test('the observed state with a spec merged in does not differ from it', () => {
  fc.assert(
    fc.property(
      spec,
      observed,
      (desired, live) => diffSpec(schema, desired, overlay(schema, desired, live)).length === 0,
    ),
  );
});

test('merging a spec in twice equals merging it in once', () => {
  fc.assert(
    fc.property(spec, observed, (desired, live) => {
      const once = overlay(schema, desired, live);
      expect(overlay(schema, desired, once)).toEqual(once);
    }),
  );
});

test('an entry that is not an object is its own key', () => {
  const list = object({ entries: keyedList(['name'], Type.Unknown()) });
  expect(diffSpec(list, { entries: ['a'] }, { entries: ['b'] })).toEqual([
    { path: 'entries[a]', after: 'a' },
    { path: 'entries[b]', before: 'b' },
  ]);
});

test('fields that the manifest does not name keep their value', () => {
  expect(overlay(schema, { text: 'new' }, { text: 'old', flag: false, tags: ['a'] })).toEqual({
    text: 'new',
    flag: false,
    tags: ['a'],
  });
});
