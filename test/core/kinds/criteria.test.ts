import { describe, expect, test } from 'vitest';
import { exportDefinition } from '#core/kinds/export-definition.js';
import type { JsonObject } from '#core/model/json.js';
import { GONE, identities, inArena, PHASE, RESISTOR, ROHS } from './support.js';

const EQUAL = 'IS_EQUAL_TO';

/** Wire-facts 3, "criteria"; interface 4.6, export definition rules. */
describe('the criteria of an export', () => {
  const criteria = [
    [
      { apiName: 'number', operator: 'STARTS_WITH', value: 'DX-' },
      { attribute: 'RoHS Status', operator: 'IS_IN', value: ['Compliant'] },
    ],
    [
      { category: 'Item\\Resistor', operator: EQUAL },
      { lifecyclePhase: 'In Production', operator: EQUAL },
    ],
    [{ category: '-uncategorized-', operator: EQUAL }],
  ];
  const wire = [
    [
      { attribute: 'number', operator: 'STARTS_WITH', value: 'DX-' },
      'AND',
      { attribute: ROHS, operator: 'IS_IN', value: ['Compliant'] },
    ],
    'OR',
    [
      { attribute: 'category.guid', operator: EQUAL, value: RESISTOR },
      'AND',
      { attribute: 'lifecyclePhase.guid', operator: EQUAL, value: PHASE },
    ],
    'OR',
    [{ attribute: 'category.name', operator: EQUAL, value: '-uncategorized-' }],
  ];

  test.each([
    ['reference', identities],
    ['arena', inArena],
  ])('go out with GUIDs and come back with names, in %s too', (_, context) => {
    const spec = { description: 'd', world: 'ITEMS', options: { format: 'csv' as const }, criteria };
    expect(exportDefinition.toWire(spec, context)).toEqual({ ...spec, criteria: wire });
    expect(exportDefinition.fromWire({ ...spec, criteria: wire } as JsonObject, context)).toEqual(spec);
  });

  test('without values are null on the wire, and left out of a manifest', () => {
    expect(exportDefinition.toWire({}, identities)).toEqual({ world: 'ITEMS', criteria: null });
    expect(exportDefinition.fromWire({ description: null, criteria: null }, identities)).toEqual({});
    expect(exportDefinition.fromWire({}, identities)).toEqual({});
  });

  test('show a pointer to a deleted object, and then equal no manifest', () => {
    const one = (attribute: string, value: string): unknown =>
      exportDefinition.fromWire({ criteria: [[{ attribute, operator: EQUAL, value }]] }, identities);
    const group = (entry: object): unknown => ({ criteria: [[{ ...entry, operator: EQUAL }]] });
    expect(one('category.guid', GONE)).toEqual(group({ category: '(deleted Category)' }));
    expect(one('lifecyclePhase.guid', GONE)).toEqual(group({ lifecyclePhase: '(deleted LifecyclePhase)' }));
    expect(one(GONE, 'x')).toEqual(group({ attribute: '(deleted attribute)', value: 'x' }));
  });

  test('cannot be checked where the definition asks at each run', () => {
    expect(exportDefinition.check?.({})).toEqual([]);
  });

  test('show a search as it is where groups cannot express it', () => {
    const either = [[{ attribute: 'number', operator: EQUAL, value: 'a' }, 'OR', { attribute: 'name' }]];
    const groups = ['number'];
    const joined = [[{ attribute: 'number', operator: EQUAL, value: 'a' }], 'AND', [{ attribute: 'name' }]];
    for (const criteria of [either, groups, joined]) {
      expect(exportDefinition.fromWire({ criteria } as JsonObject, identities)).toEqual({ criteria });
    }
    // As it is, this one would look like groups that compare custom attributes.
    const unjoined = [[{ attribute: 'number', operator: EQUAL, value: 'a' }], [{ attribute: 'name' }]];
    const read = exportDefinition.fromWire({ criteria: unjoined } as JsonObject, identities);
    expect(read).toEqual({ criteria: [unjoined] });
  });

  test('keep a comparison without operator or value apart from one with them', () => {
    expect(exportDefinition.fromWire({ criteria: [[{ attribute: 'number' }]] } as JsonObject, identities)).toEqual({
      criteria: [[{ apiName: 'number', operator: undefined, value: '' }]],
    });
    expect(exportDefinition.toWire({ criteria: [[{ operator: EQUAL }]] }, identities)).toMatchObject({
      criteria: [[{ attribute: '', operator: EQUAL, value: '' }]],
    });
  });

  test.each([
    [{ apiName: 'number', operator: EQUAL }, 'value-missing', '/criteria/0/0'],
    [{ attribute: 'RoHS Status', operator: EQUAL }, 'value-missing', '/criteria/0/0'],
    [{ apiName: 'number', operator: EQUAL, value: null }, 'value-missing', '/criteria/0/0'],
    [{ apiName: 'number', operator: 'IS_IN', value: 'a' }, 'value-invalid', '/criteria/0/0/value'],
    [{ apiName: 'number', operator: 'IS_NOT_IN', value: [] }, 'value-invalid', '/criteria/0/0/value'],
    [{ apiName: 'creationDateTime', operator: 'IS_BETWEEN', value: ['a'] }, 'value-invalid', '/criteria/0/0/value'],
    [{ category: 'Resistor', operator: 'CONTAINS' }, 'operator-invalid', '/criteria/0/0/operator'],
    [{ lifecyclePhase: 'Design', operator: 'IS_IN', apiName: null }, 'operator-invalid', '/criteria/0/0/operator'],
    [{ category: 'Resistor', operator: EQUAL, value: 'x' }, 'value-unused', '/criteria/0/0/value'],
    [{ apiName: 'category.guid', operator: EQUAL, value: GONE }, 'guid-in-manifest', '/criteria/0/0/value'],
    [{ apiName: 'category.name', operator: EQUAL, value: '-uncategorized-' }, 'category-by-name', '/criteria/0/0'],
    [{ apiName: GONE, operator: EQUAL, value: 'x' }, 'guid-in-manifest', '/criteria/0/0/apiName'],
  ])('%o gives a finding', (entry, code, pointer) => {
    expect(exportDefinition.check?.({ criteria: [[entry]] } as JsonObject)).toMatchObject([{ code, pointer }]);
  });

  test.each([
    { apiName: 'number', operator: EQUAL, value: GONE },
    { apiName: 'number', operator: EQUAL, value: 3 },
    { apiName: 'number', operator: 'IS_IN', value: ['a'] },
    { apiName: 'number', operator: 'IS_BETWEEN', value: [1, 2] },
    { category: 'Resistor', operator: EQUAL },
    { category: 'Resistor', operator: 'IS_NOT_EQUAL_TO', value: null },
  ])('%o gives no finding', (entry) => {
    expect(exportDefinition.check?.({ criteria: [[entry]] } as JsonObject)).toEqual([]);
  });
});
