import { expect, test } from 'vitest';
import { supplier } from '#core/kinds/supplier.js';
import { trainingPlan } from '#core/kinds/training-plan.js';

const names = {
  nameOf: (_: string, guid: string) => (guid === 'U1' ? 'ann@example.com' : undefined),
  attributeFromWire: () => undefined,
};
const guids = { guidOf: () => 'U1', attributeToWire: (name: string) => name };

test('a supplier shows what has a value', () => {
  const body = { guid: 'S', name: 'Acme', supplierId: null, website: 'https://a.example.com', addresses: null };
  expect(supplier.fromWire(body, names)).toEqual({ website: 'https://a.example.com' });
});

test('a training plan names its manager, by GUID in requests', () => {
  expect(trainingPlan.fromWire({ daysToComplete: 30, manager: { guid: 'U1' } }, names)).toEqual({
    ...{ daysToComplete: 30, manager: 'ann@example.com' },
  });
  expect(trainingPlan.fromWire({ description: null, manager: { guid: 'U2' } }, names)).toEqual({
    manager: '(deleted User)',
  });
  expect(trainingPlan.fromWire({ manager: null }, names)).toEqual({});
  expect(trainingPlan.toWire({ daysToComplete: 30, manager: 'ann@example.com' }, guids)).toEqual({
    ...{ daysToComplete: 30, manager: { guid: 'U1' } },
  });
  expect(trainingPlan.toWire({ description: 'All' }, guids)).toEqual({ description: 'All' });
});
