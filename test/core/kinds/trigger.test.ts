import { expect, test } from 'vitest';
import { trigger } from '#core/kinds/trigger.js';
import { COLOUR, DEVIATION, GONE, identities, inArena, RESISTOR, ROHS } from './support.js';

const spec = {
  description: 'd',
  resource: 'ITEM',
  action: 'EDIT',
  category: 'Item\\Resistor',
  attributes: [{ apiName: 'description' }, { attribute: 'RoHS Status' }],
  conditions: [{ attribute: 'RoHS Status', operator: 'IS_EQUAL_TO', value: 'Exempt' }],
};

/** Wire-facts 6.1; attributes as mappings name them (section 0), conditions as searches do (section 3). */
test('a trigger names attributes as mappings do, and those of conditions by GUID', () => {
  const wire = {
    description: 'd',
    resource: 'ITEM',
    action: 'EDIT',
    category: { guid: RESISTOR },
    attributes: [{ apiName: 'description' }, { apiName: ROHS }],
    conditions: [{ attribute: ROHS, operator: 'IS_EQUAL_TO', value: 'Exempt' }],
  };
  expect(trigger.toWire(spec, identities)).toEqual(wire);
  expect(trigger.fromWire(wire, identities)).toEqual(spec);
  const byName = { ...wire, attributes: [{ apiName: 'description' }, { apiName: 'RoHS Status' }] };
  expect(trigger.toWire(spec, inArena)).toEqual(byName);
  expect(trigger.fromWire(byName, inArena)).toEqual(spec);
});

test('attributes and categories belong to the world that the trigger watches', () => {
  const change = {
    resource: 'CHANGE',
    action: 'EDIT',
    category: 'Change\\Deviation',
    attributes: [{ attribute: 'Colour' }],
    conditions: [{ category: 'Change\\Deviation', operator: 'IS_EQUAL_TO' }],
  };
  const wire = trigger.toWire(change, identities);
  expect(wire).toMatchObject({
    category: { guid: DEVIATION },
    attributes: [{ apiName: COLOUR }],
    conditions: [{ attribute: 'category.guid', value: DEVIATION }],
  });
  expect(trigger.fromWire(wire, identities)).toEqual(change);
});

test('fields that the service omits are absent; deleted references are shown as deleted', () => {
  const bare = { resource: 'ITEM', action: 'CREATE', description: null, category: null };
  expect(trigger.fromWire(bare, identities)).toEqual({ resource: 'ITEM', action: 'CREATE' });
  expect(trigger.toWire({ resource: 'ITEM', action: 'CREATE' }, identities)).toEqual({
    resource: 'ITEM',
    action: 'CREATE',
  });
  const dead = { ...bare, category: { guid: GONE }, attributes: [{ apiName: GONE }] };
  expect(trigger.fromWire(dead, identities)).toMatchObject({
    category: '(deleted Category)',
    attributes: [{ attribute: '(deleted attribute)' }],
  });
});

test('GUIDs in a manifest are findings', () => {
  const bad = { ...spec, attributes: [{ apiName: GONE }], conditions: [{ apiName: 'name', operator: 'CONTAINS' }] };
  expect(trigger.check?.(bad)?.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
    'guid-in-manifest /attributes/0/apiName',
    'value-missing /conditions/0',
  ]);
  expect(trigger.check?.({ resource: 'ITEM', action: 'EDIT' })).toEqual([]);
});
