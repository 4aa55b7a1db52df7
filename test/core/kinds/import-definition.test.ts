import { describe, expect, test } from 'vitest';
import { optionsInMode, parseImportDefinition } from '#core/kinds/import-definition.js';

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
