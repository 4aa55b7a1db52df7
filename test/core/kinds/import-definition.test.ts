import { describe, expect, test } from 'vitest';
import { hasMode, importDefinition, optionsInMode, parseImportDefinition } from '#core/kinds/import-definition.js';
import type { JsonObject } from '#core/model/json.js';

const entry = { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Number' };

describe('a definition from outside', () => {
  test.each([
    ['a mapping', { resource: 'ITEM_SPECS', mode: 'EDIT', options: { mapping: [entry] } }],
    ['options alone', { resource: 'ITEM_SPECS', mode: 'EDIT', options: { timeZone: 'UTC' } }],
    ['neither', { resource: 'LATER', mode: 'LATER' }],
  ])('is accepted unchanged with %s', (_, spec) => {
    expect(parseImportDefinition(spec)).toBe(spec);
  });

  test.each([
    ['no resource', { mode: 'EDIT' }],
    ['no mode', { resource: 'ITEM_SPECS' }],
    ['options that are a text', { resource: 'ITEM_SPECS', mode: 'EDIT', options: 'none' }],
    ['a mapping that is a text', { resource: 'ITEM_SPECS', mode: 'EDIT', options: { mapping: 'none' } }],
    ['an entry that is a text', { resource: 'ITEM_SPECS', mode: 'EDIT', options: { mapping: ['none'] } }],
    ['an entry without a column', { resource: 'ITEM_SPECS', mode: 'EDIT', options: { mapping: [{ resource: 'X' }] } }],
    [
      'an entry without a resource',
      { resource: 'ITEM_SPECS', mode: 'EDIT', options: { mapping: [{ sourceName: 'X' }] } },
    ],
  ])('is refused with %s', (_, spec) => {
    expect(() => parseImportDefinition(spec)).toThrow('An import definition has no resource, no mode');
  });
});

test('a definition keeps the options that the service keeps in its mode (wire-facts 4)', () => {
  const given = { createDuplicates: 'ALLOW', matchDuplicates: 'ERROR', removeValue: '-', stripWhiteSpace: 'STRIP' };
  expect(optionsInMode(given, 'CREATE')).toEqual({ createDuplicates: 'ALLOW', stripWhiteSpace: 'STRIP' });
  expect(optionsInMode(given, 'EDIT')).toEqual({
    matchDuplicates: 'ERROR',
    removeValue: '-',
    stripWhiteSpace: 'STRIP',
  });
});

describe('a change for the rows', () => {
  const GUIDS: Record<string, string> = {
    'Category Deviation CHANGES': 'A'.repeat(20),
    'Routing Board ': 'B'.repeat(20),
  };
  const change = {
    ...{ category: 'Deviation', effectivityType: 'PERMANENT_ON_APPROVAL', numberPrefix: 'ECO-', title: 'Weekly' },
    routings: ['Board'],
  };
  /** As POST /changes takes it (wire-facts 4, addToChange). */
  const body = {
    ...{ title: 'Weekly', effectivityType: 'PERMANENT_ON_APPROVAL', category: { guid: 'A'.repeat(20) } },
    ...{ numberSequencePrefix: { value: 'ECO-' }, routings: [{ guid: 'B'.repeat(20) }] },
  };
  const spec = (options: JsonObject) => ({ resource: 'ITEM_SPECS', mode: 'EDIT', options });
  const context = {
    guidOf: (kind: string, name: string, partition = '') => GUIDS[`${kind} ${name} ${partition}`] ?? '',
    nameOf: (kind: string, guid: string, partition = '') =>
      Object.keys(GUIDS)
        .find((key) => GUIDS[key] === guid && key.startsWith(kind) && key.endsWith(` ${partition}`))
        ?.split(' ')[1],
    attributeToWire: (name: string) => name,
    attributeFromWire: () => undefined,
  };

  test('is sent with the GUIDs of the workspace, and read by names', () => {
    expect(importDefinition.toWire(spec({ newChange: change }), context)).toEqual(spec({ addToChange: body }));
    expect(importDefinition.fromWire(spec({ addToChange: body }), context)).toEqual(spec({ newChange: change }));
    expect(importDefinition.fromWire(spec({ addToChange: 'ECO-1' }), context)).toEqual(spec({ addToChange: 'ECO-1' }));
  });

  test('is described in part where the service answers a part, and a number says all', () => {
    const { routings: _, ...approved } = body;
    const { routings: __, ...described } = change;
    const read = importDefinition.fromWire(spec({ addToChange: approved }), context);
    expect(read).toEqual(spec({ newChange: described }));
    expect(importDefinition.toWire(spec({ newChange: described }), context)).toEqual(spec({ addToChange: approved }));
    expect(importDefinition.fromWire(spec({ addToChange: { title: 'x' } }), context).options).toEqual({
      newChange: { title: 'x' },
    });
    expect(importDefinition.check?.(spec({ addToChange: 'ECO-1' }))).toEqual([]);
  });

  test('that is gone has a category of which only the kind is known', () => {
    const gone = { ...body, category: { guid: 'C'.repeat(20) } };
    expect(importDefinition.fromWire(spec({ addToChange: gone }), context).options).toMatchObject({
      newChange: { category: '(deleted Category)' },
    });
  });

  test.each([
    ['twice', { addToChange: 'ECO-1', newChange: change }, 'change-named-twice'],
    ['by a GUID', { addToChange: '0123456789ABCDEFGHIJ' }, 'guid-in-manifest'],
    ['in a mode that has none', { newChange: change }, 'option-dropped', 'DELETE'],
  ])('is reported if it is named %s', (_, options, code, mode = 'EDIT') => {
    expect(importDefinition.check?.({ ...spec(options), mode })).toMatchObject([{ code }]);
  });
});

test('a mode is the same in any letter case', () => {
  expect(['DELETE', 'delete', 'Delete', 'EDIT'].map((mode) => hasMode({ mode }, 'DELETE', 'CREATE'))).toEqual([
    ...[true, true, true, false],
  ]);
});
