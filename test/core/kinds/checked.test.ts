import { expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { CHECKED_KINDS, kindReferredTo } from '#core/model/checked-kinds.js';
import type { JsonObject } from '#core/model/json.js';
import { reference } from '#service/profiles/reference.js';

const names = {
  nameOf: (_: string, guid: string) => (guid === 'F1' ? 'Sequence' : undefined),
  attributeFromWire: () => undefined,
};
const specOf = (kind: string, body: JsonObject): JsonObject => builtIn.knownKind(kind).fromWire(body, names);
const entryOf = (kind: string, body: JsonObject) => builtIn.knownKind(kind).entry?.(body);

test('each has a collection in the profiles, of which only the list is used', () => {
  for (const { name, collection } of builtIn.checked) {
    expect([name, reference.collections[collection]?.can]).toEqual([name, undefined]);
    expect(reference.collections[collection]).toBeDefined();
  }
});

test('the model knows each by name, and by the lookup that has the same list', () => {
  const shared = builtIn.checked.map(({ name, collection }) => {
    const lookups = builtIn.lookups.filter(({ within }) => within === undefined);
    const [found = null] = lookups.flatMap((lookup) =>
      Object.keys(lookup.partitions).flatMap((partition) =>
        lookup.partitions[partition] === collection ? [[lookup.name, partition]] : [],
      ),
    );
    return [name, found];
  });
  expect(Object.fromEntries(shared)).toEqual(CHECKED_KINDS);
});

test('a reference to a category or an attribute leads to the manifest of its world', () => {
  expect(kindReferredTo({ kind: 'Attribute', partition: 'CHANGES' })).toBe('ChangeAttribute');
  expect(kindReferredTo({ kind: 'Category', partition: 'ITEMS' })).toBe('ItemCategory');
  expect(kindReferredTo({ kind: 'NumberFormat', partition: '' })).toBe('ItemNumberFormat');
  expect(kindReferredTo({ kind: 'UserGroup', partition: '' })).toBe('UserGroup');
});

test('only custom attributes have manifests', () => {
  expect(entryOf('ItemAttribute', { apiName: 'number', custom: false })).toBeUndefined();
  expect(entryOf('ItemAttribute', { name: 'RoHS', guid: 'A', custom: true })).toMatchObject({ name: 'RoHS' });
  expect(
    specOf('ItemAttribute', { name: 'RoHS', guid: 'A', fieldType: 'DROP_DOWN', maxLength: null, creatable: true }),
  ).toEqual({ fieldType: 'DROP_DOWN' });
});

test('a setting without anything odd is taken as it is', () => {
  const routing = { guid: 'A', name: 'Engineering', description: 'Review' };
  expect(entryOf('ChangeRouting', routing)).toBe(routing);
  expect(specOf('ChangeRouting', routing)).toEqual({ description: 'Review' });
});

test('a category is named by its path, and its numbering format by name', () => {
  expect(entryOf('ItemCategory', { name: 'Resistor', path: 'Item\\Resistor' })).toMatchObject({
    name: 'Item\\Resistor',
  });
  expect(entryOf('ItemCategory', { name: 'Resistor' })).toMatchObject({ name: 'Resistor' });
  expect(entryOf('ItemCategory', {})).toEqual({ name: null });
  expect(entryOf('ItemCategory', { name: '-uncategorized-' })).toBeUndefined();
  expect(specOf('ItemCategory', { description: null, structural: false })).toEqual({ structural: false });
  expect(specOf('ItemCategory', { numberFormat: { guid: 'F1' } })).toEqual({ numberFormat: 'Sequence' });
  expect(specOf('ItemCategory', { numberFormat: { guid: 'F2' } })).toEqual({ numberFormat: '(deleted NumberFormat)' });
});

test('the prefix of new changes and requests is a text', () => {
  const body = { numberingSequencePrefixDefault: { guid: 'P', value: 'ECO-' }, structural: true };
  expect(specOf('ChangeCategory', body)).toEqual({ numberPrefix: 'ECO-' });
  expect(specOf('RequestCategory', { ...body, numberingSequencePrefixDefault: null })).toEqual({ structural: true });
  expect(specOf('RequestCategory', { numberingSequencePrefixDefault: { guid: 'P' } })).toEqual({});
});

test('both names of the first stage are read as one', () => {
  expect(specOf('ItemLifecyclePhase', { stage: 'UNRELEASED', active: true })).toEqual({
    ...{ stage: 'PRELIMINARY', active: true },
  });
  expect(specOf('ItemLifecyclePhase', { shortName: 'D', stage: 'DESIGN' })).toEqual({
    shortName: 'D',
    stage: 'DESIGN',
  });
  expect(specOf('ItemLifecyclePhase', {})).toEqual({});
});

test('a template of quality processes shows its steps', () => {
  const steps = [{ guid: 'S', name: 'Analysis', order: 1, type: 'REGULAR', description: null }];
  expect(specOf('QualityTemplate', { shortName: 'CAPA', steps })).toEqual({
    ...{ shortName: 'CAPA', steps: [{ name: 'Analysis', order: 1, type: 'REGULAR' }] },
  });
});
