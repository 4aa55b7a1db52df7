import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { exportDefinition } from '#core/kinds/export-definition.js';
import { importDefinition } from '#core/kinds/import-definition.js';
import { numberReservation } from '#core/kinds/number-reservation.js';
import { referencedAttribute } from '#core/model/attribute-reference.js';
import { isGuid, looksLikeGuid } from '#core/model/kind.js';
import { ITEM_SEARCH_FIELDS } from '#core/model/known-fields.js';
import { identities } from './support.js';

/** Wire-facts 3, "GUID form": 2,246 of 2,311 samples have 20 upper-case letters and digits; the form is inferred, not promised. */
const FORMS = [
  'L3N6P2NE14FCVEXGZIIQ',
  'XFWQ0GZGZDJ015J12',
  'L3N6P2NE14FCVEXGZIIQ7',
  'l3n6p2ne14fcvexgziiq',
  '0f8fad5b-d9cb-469f-a165-70867728950e',
  '7',
  'a.b~c_d-e',
];

describe('the path of an object may contain', () => {
  test.each(FORMS)('%s', (guid) => expect(isGuid(guid)).toBe(true));

  test.each([
    '',
    '.',
    '..',
    'a..b',
    '../a',
    'a/b',
    'a?b',
    'a#b',
    'a b',
    'a%2fb',
    'a\\b',
    'a\u0000',
    'ä',
    'a\n',
    'A'.repeat(101),
    'a.',
  ])('but not %j', (text) => expect(isGuid(text)).toBe(false));
});

describe('a text in the place of an attribute', () => {
  const listed = (text: string): string | undefined => (FORMS.includes(text) || text === 'number' ? 'RoHS' : undefined);

  test.each(ITEM_SEARCH_FIELDS)('is a field for the documented %s, also where a list has it as a GUID', (field) => {
    expect(referencedAttribute(field, () => 'RoHS')).toBeUndefined();
  });

  test.each(FORMS)('is an attribute for the listed GUID %s, in any form', (guid) => {
    expect(referencedAttribute(guid, listed)).toBe('RoHS');
  });

  test('is a field if it has another form, and a deleted attribute for a GUID outside the lists', () => {
    expect(referencedAttribute('someFieldOfTheFuture', listed)).toBeUndefined();
    expect(referencedAttribute('AAAAAAAAAAAAAAAAAAA9', listed)).toBe('(deleted attribute)');
    // One GUID in 670 has no digit.
    expect(referencedAttribute('ABCDEFGHIJKLMNOPQRST', listed)).toBe('(deleted attribute)');
    expect([looksLikeGuid('ABCDEFGHIJKLMNOPQRST'), looksLikeGuid('lifecyclePhase')]).toEqual([true, false]);
  });
});

describe('an answer of another type than its kind', () => {
  test.each([
    ['an export whose search is not a list', () => exportDefinition.fromWire({ criteria: 'all' }, identities)],
    ['an export whose search has a number', () => exportDefinition.fromWire({ criteria: [[7]] }, identities)],
    ['a definition whose options are a text', () => importDefinition.fromWire({ options: 'none' }, identities)],
    ['a definition with an empty entry', () => importDefinition.fromWire({ options: { mapping: [null] } }, identities)],
    [
      'a policy with a group that is a text',
      () => builtIn.knownKind('Policy').fromWire({ userGroups: ['a'] }, identities),
    ],
    [
      'a trigger with attributes that are a text',
      () => builtIn.knownKind('Trigger').fromWire({ attributes: 'a' }, identities),
    ],
    ['numbers that are a text', () => numberReservation.fromWire({ itemNumbers: 'a' }, identities)],
  ])('%s cannot be read', (_, read) => expect(read).toThrow(TypeError));

  test('an unknown part of a further reservation makes the whole unknown', () => {
    const live = [
      { name: 'N', identity: '1', spec: { itemNumbers: ['1'] } },
      { name: 'N #2', identity: '2', spec: {}, odd: { why: 'has no guid', unknown: ['guid' as const] } },
    ];
    expect(numberReservation.gather?.(live, () => false)).toMatchObject([{ name: 'N', odd: { why: 'has no guid' } }]);
  });
});
