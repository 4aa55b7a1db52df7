import { describe, expect, test } from 'vitest';
import { importDefinition } from '#core/kinds/import-definition.js';
import { userGroup } from '#core/kinds/user-group.js';
import type { JsonObject } from '#core/model/json.js';
import { Identities } from '#service/identities.js';
import { reference } from '#service/profiles/reference.js';

const ROHS = 'AAAAAAAAAAAAAAAAAAA1';
const GONE = 'BBBBBBBBBBBBBBBBBBB2';

const identities = new Identities(reference);
identities.enter('Attribute', ['RoHS Status'], ROHS, 'ITEMS');

describe('ImportDefinition', () => {
  const body = (mapping: readonly JsonObject[]): JsonObject => ({
    guid: GONE,
    number: 3,
    name: 'Specs',
    description: null,
    resource: 'ITEM_SPECS',
    mode: 'EDIT',
    options: { stripWhiteSpace: 'STRIP', mapping },
  });
  const number = { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part', inResponse: true };

  test('a custom attribute is sent as its GUID and read as its name (wire-facts 0)', () => {
    const spec = {
      resource: 'ITEM_SPECS',
      mode: 'EDIT',
      options: {
        stripWhiteSpace: 'STRIP',
        mapping: [number, { resource: 'ITEM_SPECS', attribute: 'RoHS Status', sourceName: 'RoHS' }],
      },
    };
    const wire = importDefinition.toWire(spec, identities);
    expect(wire).toEqual({
      resource: 'ITEM_SPECS',
      mode: 'EDIT',
      options: {
        stripWhiteSpace: 'STRIP',
        mapping: [number, { resource: 'ITEM_SPECS', apiName: ROHS, sourceName: 'RoHS' }],
      },
    });
    expect(importDefinition.fromWire({ ...body([]), ...wire }, identities)).toEqual(spec);
  });

  test('a GUID of a deleted object becomes a dead reference', () => {
    const entry = { resource: 'ITEM_SPECS', apiName: GONE, sourceName: 'RoHS' };
    expect(importDefinition.fromWire(body([entry]), identities)).toMatchObject({
      options: { mapping: [{ resource: 'ITEM_SPECS', attribute: '(deleted attribute)', sourceName: 'RoHS' }] },
    });
  });

  test('an attribute of another resource does not match that name', () => {
    expect(
      importDefinition.fromWire(body([{ resource: 'ITEM_BOM', apiName: ROHS, sourceName: 'RoHS' }]), identities),
    ).toMatchObject({
      options: { mapping: [{ attribute: '(deleted attribute)' }] },
    });
  });

  test('options are always sent, and without mapping the service uses its own (interface 2.1)', () => {
    expect(importDefinition.toWire({ resource: 'ITEM_SPECS', mode: 'EDIT' }, identities)).toEqual({
      resource: 'ITEM_SPECS',
      mode: 'EDIT',
      options: {},
    });
    expect(
      importDefinition.fromWire({ resource: 'ITEM_SPECS', mode: 'EDIT', options: {}, description: 'd' }, identities),
    ).toEqual({
      description: 'd',
      resource: 'ITEM_SPECS',
      mode: 'EDIT',
      options: {},
    });
    expect(importDefinition.fromWire({ resource: 'item_specs', mode: 'edit' }, identities)).toMatchObject({
      resource: 'ITEM_SPECS',
      mode: 'EDIT',
    });
    expect(importDefinition.fromWire({ resource: 'ITEM_SPECS' }, identities)).toMatchObject({ mode: undefined });
    expect(importDefinition.fromWire({ resource: 'ITEM_SPECS', mode: 'EDIT' }, identities)).toMatchObject({
      options: {},
    });
  });

  test('a GUID as target is refused, and null means an absent target', () => {
    const mapping = (entry: JsonObject): JsonObject => ({
      resource: 'ITEM_SPECS',
      mode: 'EDIT',
      options: { mapping: [entry] },
    });
    const entry = { resource: 'ITEM_SPECS', sourceName: 'RoHS' };
    expect(importDefinition.check?.(mapping({ ...entry, apiName: GONE }))).toEqual([
      expect.objectContaining({ code: 'guid-in-manifest', pointer: '/options/mapping/0/apiName' }),
    ]);
    expect(importDefinition.check?.(mapping({ ...entry, apiName: null, attribute: 'RoHS Status' }))).toEqual([]);
    expect(importDefinition.check?.(mapping({ ...entry, apiName: 'number' }))).toEqual([]);
    expect(importDefinition.check?.({ resource: 'ITEM_SPECS', mode: 'EDIT', options: null })).toEqual([]);
  });

  test('an unknown mode may have any option', () => {
    expect(importDefinition.check?.({ resource: 'ITEM_SPECS', mode: 'LATER', options: { removeValue: 'x' } })).toEqual(
      [],
    );
    expect(importDefinition.check?.({ resource: 'ITEM_SPECS', mode: 'DELETE' })).toEqual([]);
  });
});

test('UserGroup: its own fields and no others, members apart', () => {
  const spec = { description: 'd', members: ['a'] };
  expect(userGroup.toWire(spec, identities)).toEqual({ description: 'd' });
  expect(
    userGroup.fromWire({ guid: ROHS, name: 'Q', description: 'd', enabled: true, creator: {} }, identities),
  ).toEqual({ description: 'd', enabled: true });
});
