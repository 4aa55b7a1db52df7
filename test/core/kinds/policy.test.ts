import { expect, test } from 'vitest';
import { policy } from '#core/kinds/policy.js';
import { GONE, GROUP, identities } from './support.js';

/** Wire-facts 0, "policies". */
test('a policy names its groups; on the wire they are GUIDs', () => {
  const spec = {
    description: 'd',
    enabled: true,
    userGroups: ['Quality'],
    rules: [{ resource: 'ITEM', actions: ['READ'] }],
  };
  const wire = { ...spec, userGroups: [{ guid: GROUP }] };
  expect(policy.toWire(spec, identities)).toEqual(wire);
  expect(policy.fromWire({ ...wire, userGroups: [{ guid: GROUP, name: 'Quality' }] }, identities)).toEqual(spec);
});

test('fields that are not named are not sent; a deleted group is shown as deleted', () => {
  expect(policy.toWire({}, identities)).toEqual({});
  expect(policy.fromWire({ description: null }, identities)).toEqual({});
  expect(policy.fromWire({ userGroups: [{ guid: GONE }] }, identities)).toEqual({
    userGroups: ['(deleted UserGroup)'],
  });
});
