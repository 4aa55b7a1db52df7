import { expect, test } from 'vitest';
import { supplier } from '#core/kinds/supplier.js';
import { trainingPlan } from '#core/kinds/training-plan.js';
import type { OwnEntries } from '#core/model/kind.js';

const names = {
  nameOf: (_: string, guid: string) => (guid === 'U1' ? 'ann@example.com' : undefined),
  attributeFromWire: () => undefined,
};
const guids = { guidOf: () => 'U1', attributeToWire: (name: string) => name };

test('a supplier shows what has a value', () => {
  const body = { guid: 'S', name: 'Acme', supplierId: null, website: 'https://a.example.com', addresses: null };
  expect(supplier.fromWire(body, names)).toEqual({ website: 'https://a.example.com' });
});

const { addresses, phoneNumbers } = supplier.children as Readonly<Record<string, OwnEntries>>;

test('an address is read under either key of its country, and sent whole', () => {
  const lines = { guid: 'A', label: 'HQ', address1: '1', address2: null };
  expect(addresses?.fromWire({ address: { ...lines, 'Country/Region': 'UK' }, primary: true }, names)).toEqual({
    ...{ label: 'HQ', address1: '1', country: 'UK', primary: true },
  });
  expect(addresses?.fromWire({ address: { ...lines, country: 'UK' } }, names)).toMatchObject({
    ...{ country: 'UK', primary: false },
  });
  expect(addresses?.fromWire({ address: lines }, names)).toEqual({ label: 'HQ', address1: '1', primary: false });
  expect(() => addresses?.fromWire({ primary: true }, names)).toThrow(TypeError);
  const empty = { address1: null, address2: null, city: null, state: null, province: null, postalCode: null };
  expect(addresses?.toWire({ label: 'HQ', primary: true }, guids)).toEqual({
    ...{ address: { label: 'HQ', ...empty, 'Country/Region': null }, primary: true },
  });
  expect(addresses?.toWire({ label: 'HQ', country: 'UK' }, guids)).toMatchObject({
    ...{ address: { 'Country/Region': 'UK' }, primary: false },
  });
});

test('a phone number shows what has a value, and is sent whole', () => {
  expect(phoneNumbers?.fromWire({ guid: 'P', number: '1', label: null }, names)).toEqual({ number: '1' });
  expect(phoneNumbers?.toWire({ number: '1', comment: 'x' }, guids)).toEqual({
    ...{ number: '1', extension: null, label: null, comment: 'x' },
  });
});

const [HQ, DOCK] = [{ label: 'HQ', primary: true }, { label: 'Dock' }];

test.each([
  [{}, []],
  [{ addresses: [DOCK] }, []],
  [{ addresses: [HQ, { ...DOCK, primary: false }] }, []],
  [{ addresses: [DOCK, HQ] }, ['/addresses/0']],
  [{ addresses: [HQ, { ...HQ, label: 'Lab' }] }, ['/addresses/1']],
])('a list with a primary address says of each whether it is that: %j', (spec, places) => {
  expect(supplier.check?.(spec)?.map(({ pointer }) => pointer)).toEqual(places);
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
