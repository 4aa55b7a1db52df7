import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeSpecs, type Side, type ThreeSpecs } from '#core/engine/three-way-merge.js';
import { keyedList, object, serverDefault, set } from '#core/model/fields.js';
import type { Json, JsonObject } from '#core/model/json.js';
import { Type } from '#core/model/schema.js';
import { scaled } from '../../harness/sample.js';

const text = () => Type.Optional(Type.String());

const schema = object({
  description: text(),
  enabled: Type.Optional(Type.Boolean(serverDefault(true))),
  place: Type.Optional(object({ city: text(), street: text() })),
  members: Type.Optional(set(Type.String())),
  addresses: Type.Optional(keyedList(['label'], object({ label: Type.String(), city: text(), street: text() }))),
  conditions: Type.Optional(keyedList(['field', 'value'], object({ field: Type.String(), value: Type.String() }))),
  steps: Type.Optional(Type.Array(Type.String())),
});

const merge = (specs: Partial<ThreeSpecs>, choose?: (path: string) => Side | undefined) =>
  mergeSpecs(schema, { base: {}, theirs: {}, ours: {}, ...specs }, choose);

describe('one field', () => {
  const field = (base: Json, theirs: Json, ours: Json) =>
    merge({ base: { description: base }, theirs: { description: theirs }, ours: { description: ours } });
  test('that only the release changed is taken', () =>
    expect(field('a', 'b', 'a')).toEqual({ spec: { description: 'b' }, kept: [], conflicts: [] }));
  test('that only the target changed is kept', () =>
    expect(field('a', 'a', 'c')).toEqual({
      spec: { description: 'c' },
      kept: [{ path: 'description', before: 'a', after: 'c' }],
      conflicts: [],
    }));
  test('that both changed alike is nothing', () =>
    expect(field('a', 'b', 'b')).toEqual({ spec: { description: 'b' }, kept: [], conflicts: [] }));
  test('that both changed differently is a conflict, and stays as it is', () =>
    expect(field('a', 'b', 'c')).toEqual({
      spec: { description: 'c' },
      kept: [],
      conflicts: [{ path: 'description', base: 'a', theirs: 'b', ours: 'c' }],
    }));
  test('that the release emptied is cleared', () =>
    expect(field('a', null, 'a')).toEqual({ spec: { description: null }, kept: [], conflicts: [] }));
  test('that the target emptied stays empty', () =>
    expect(field('a', 'a', '')).toEqual({
      spec: { description: null },
      kept: [{ path: 'description', before: 'a' }],
      conflicts: [],
    }));
  test('that one side emptied and the other changed is a conflict', () =>
    expect(field('a', null, 'c').conflicts).toEqual([{ path: 'description', base: 'a', ours: 'c' }]));
  test('that the release no longer names is left', () =>
    expect(merge({ base: { description: 'a' }, ours: { description: 'c' } })).toEqual({
      spec: {},
      kept: [],
      conflicts: [],
    }));
  test('that it names for the first time is taken', () =>
    expect(merge({ theirs: { description: 'b' }, ours: { description: 'c' } })).toEqual({
      spec: { description: 'b' },
      kept: [],
      conflicts: [],
    }));
  test('that the service fills in counts as filled in', () =>
    expect(merge({ base: { enabled: null }, theirs: { enabled: false }, ours: { enabled: true } }).spec).toEqual({
      enabled: false,
    }));
  test('is decided by a person', () => {
    const specs = { base: { description: 'a' }, theirs: { description: 'b' }, ours: { description: 'c' } };
    expect(merge(specs, () => 'release')).toEqual({ spec: { description: 'b' }, kept: [], conflicts: [] });
    expect(merge(specs, () => 'target')).toEqual({
      spec: { description: 'c' },
      kept: [{ path: 'description', before: 'a', after: 'c' }],
      conflicts: [],
    });
  });
});

test('fields within a field are merged one by one', () => {
  expect(
    merge({
      base: { place: { city: 'a', street: 'a' } },
      theirs: { place: { city: 'b', street: 'a' } },
      ours: { place: { city: 'a', street: 'c' } },
    }),
  ).toEqual({
    spec: { place: { city: 'b', street: 'c' } },
    kept: [{ path: 'place.street', before: 'a', after: 'c' }],
    conflicts: [],
  });
  expect(merge({ base: { place: { city: 'a' } }, theirs: { place: { city: 'b' } }, ours: {} }).conflicts).toEqual([
    { path: 'place.city', base: 'a', theirs: 'b' },
  ]);
});

test('members that either side added are there, and those that either side removed are not', () => {
  expect(
    merge({
      base: { members: ['both', 'by release', 'by target'] },
      theirs: { members: ['both', 'by target', 'new in release'] },
      ours: { members: ['new on target', 'both', 'by release'] },
    }),
  ).toEqual({
    spec: { members: ['both', 'new in release', 'new on target'] },
    kept: [
      { path: 'members[by target]', before: 'by target' },
      { path: 'members[new on target]', after: 'new on target' },
    ],
    conflicts: [],
  });
});

test('entries are matched by their keys and merged field by field', () => {
  const works = { label: 'Works', city: 'Graz', street: 'a' };
  const merged = merge({
    base: { addresses: [works, { label: 'Old', city: 'Linz' }, { label: 'Moved', city: 'Wels' }, { label: 'Lost' }] },
    theirs: {
      addresses: [{ ...works, city: 'Wien' }, { label: 'Moved', city: 'Enns' }, { label: 'Lost' }, { label: 'New' }],
    },
    ours: { addresses: [{ ...works, street: 'b' }, { label: 'Old', city: 'Linz' }, { label: 'Here' }] },
  });
  expect(merged.spec).toEqual({
    addresses: [{ label: 'Works', city: 'Wien', street: 'b' }, { label: 'New' }, { label: 'Here' }],
  });
  expect(merged.kept).toEqual([
    { path: 'addresses[Works].street', before: 'a', after: 'b' },
    { path: 'addresses[Lost]', before: { label: 'Lost' } },
    { path: 'addresses[Here]', after: { label: 'Here' } },
  ]);
  expect(merged.conflicts).toEqual([
    { path: 'addresses[Moved]', base: { label: 'Moved', city: 'Wels' }, theirs: { label: 'Moved', city: 'Enns' } },
  ]);
});

test('of entries that share a key the first counts', () => {
  const twice = (city: string) => ({
    addresses: [
      { label: 'Works', city },
      { label: 'works', city: 'Enns' },
    ],
  });
  expect(merge({ base: twice('Graz'), theirs: twice('Wien'), ours: twice('Graz') }).spec).toEqual({
    addresses: [{ label: 'Works', city: 'Wien' }],
  });
});

test('lists without a key, and lists whose entries are keys, are one value', () => {
  const conditions = (value: string) => [{ field: 'phase', value }];
  const merged = merge({
    base: { steps: ['a'], conditions: conditions('a') },
    theirs: { steps: ['a', 'b'], conditions: conditions('b') },
    ours: { steps: ['c', 'a'], conditions: conditions('a') },
  });
  expect(merged.spec).toEqual({ steps: ['c', 'a'], conditions: conditions('b') });
  expect(merged.conflicts.map(({ path }) => path)).toEqual(['steps']);
});

const value = fc.constantFrom('a', 'b', 'c', 'd');
const spec = fc.record(
  {
    description: value,
    place: fc.record({ city: value, street: value }),
    members: fc.uniqueArray(value),
    addresses: fc.uniqueArray(fc.record({ label: value, city: value }), { selector: ({ label }) => label }),
    steps: fc.array(value, { maxLength: 2 }),
  },
  { noNullPrototype: true },
) as fc.Arbitrary<JsonObject>;

const asSet = (merged: JsonObject): JsonObject => ({
  ...merged,
  steps: merged.steps ?? [],
  members: [...(merged.members as string[])].sort(),
  addresses: [...(merged.addresses as JsonObject[])].sort((a, b) => (String(a.label) < String(b.label) ? -1 : 1)),
});

test('nothing that one end alone edited is lost, and two that edited alike agree', () => {
  fc.assert(
    fc.property(spec, spec, (base, edited) => {
      expect(asSet(merge({ base, theirs: edited, ours: base }).spec)).toEqual(asSet(edited));
      const kept = merge({ base, theirs: base, ours: edited });
      expect([kept.conflicts, asSet(kept.spec)]).toEqual([[], asSet(edited)]);
      const both = merge({ base, theirs: edited, ours: edited });
      expect([both.conflicts, both.kept, asSet(both.spec)]).toEqual([[], [], asSet(edited)]);
    }),
    { numRuns: scaled(2000, 200) },
  );
});

test('a decided conflict has the decided value, and asking again for the same changes nothing', () => {
  fc.assert(
    fc.property(spec, spec, spec, fc.constantFrom<Side>('release', 'target'), (base, theirs, ours, side) => {
      const open = merge({ base, theirs, ours });
      const decided = merge({ base, theirs, ours }, () => side);
      expect(decided.conflicts).toEqual([]);
      const isOpen = (path: string): boolean => open.conflicts.some((one) => one.path === path);
      for (const field of ['description', 'steps'] as const)
        if (isOpen(field)) expect(asSet(decided.spec)[field]).toEqual(side === 'release' ? theirs[field] : ours[field]);
      // What the target has then, against what was asked.
      const again = merge({ base: theirs, theirs, ours: decided.spec });
      expect([again.conflicts, asSet(again.spec)]).toEqual([[], asSet(decided.spec)]);
    }),
    { numRuns: scaled(2000, 200) },
  );
});
