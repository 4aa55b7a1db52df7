import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import type { Facts } from '#core/engine/find-live.js';
import { copiesText, isCopy, isProvenCopy } from '#core/engine/resolve-duplicates.js';
import type { JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Capability, Observed } from '#core/model/observation.js';
import type { Plan } from '#core/model/plan.js';
import { reference } from '#service/profiles/reference.js';
import { type Described, manifestsOf, type Options, planned } from './planning-world.js';

const by = (createdBy?: string, createdAt?: string) => ({
  ...(createdBy === undefined ? {} : { createdBy }),
  ...(createdAt === undefined ? {} : { createdAt }),
});
const AT = '2026-01-01T00:00:00Z';
const object = (identity: string, over: Partial<Observed> = {}): Observed => ({
  name: 'A',
  spec: { enabled: true },
  identity,
  audit: by('Dex', AT),
  ...over,
});
const queue = builtIn.kindNamed('OutboundIntegration') as Kind;

describe('a copy equals the created object as a whole, by the same user at the same time', () => {
  test.each<[what: string, other: Partial<Observed>, copy: boolean, proven: boolean]>([
    ['so', {}, true, true],
    ['a minute later', { audit: by('Dex', '2026-01-01T00:01:00Z') }, true, true],
    ['without children of its own', { spec: { enabled: true, triggers: [] } }, true, true],
    ['the same object', { identity: 'own' }, false, false],
    ['of another name', { name: 'B' }, false, false],
    ['of somebody else', { audit: by('Ann', AT) }, false, false],
    ['of another hour', { audit: by('Dex', '2026-01-01T01:00:00Z') }, false, false],
    ['with another value', { spec: { enabled: false } }, false, false],
    ['in use', { spec: { enabled: true, triggers: ['T'] } }, false, false],
  ])('%s', (_, other, copy, proven) => {
    const [made, one] = [object('own'), object('other', other)];
    expect([isCopy(made, one, queue), isProvenCopy(made, one, queue)]).toEqual([copy, proven]);
  });

  test.each([by(), by('Dex')])('is not proven where the service does not say who or when: %o', (audit) => {
    const [made, one] = [object('own', { audit }), object('other', { audit })];
    expect([isCopy(made, one, queue), isProvenCopy(made, one, queue)]).toEqual([true, false]);
  });

  test('is not proven where it says so of only one of them', () => {
    const [known, unknown] = [by('Dex', AT), by('Dex')];
    const pairs = [
      [object('own', { audit: unknown }), object('other', { audit: known })],
      [object('own', { audit: known }), object('other', { audit: unknown })],
    ] as const;
    for (const [made, one] of pairs)
      expect([isCopy(made, one, queue), isProvenCopy(made, one, queue)]).toEqual([true, false]);
  });

  test('is not proven where it says nothing at all', () => {
    const { audit: _, ...made } = object('own');
    const one = { ...made, identity: 'other' };
    expect([isCopy(made, one, queue), isProvenCopy(made, one, queue)]).toEqual([true, false]);
  });
});

test('the text about several copies says as much as is known of them', () => {
  const { audit: _, ...unknown } = object('own');
  expect(copiesText(unknown, [unknown, { ...unknown, number: 8 }])).toBe(
    'The service created "A" 3 times for one request. The ledger has one; the others (#8) are unused copies.',
  );
});

interface World extends Options {
  readonly kind: string;
  readonly spec?: JsonObject;
  readonly objects?: readonly Observed[];
  /** A queue that refers to it. */
  readonly beside?: Described;
  readonly facts?: Readonly<Record<string, Partial<ObjectFact>>>;
  readonly can?: Partial<Capability>;
}

function planOf({ kind, spec = {}, objects = [], beside, facts = {}, can = {}, ...options }: World): Plan {
  const described: Described = { kind, metadata: { name: 'A' }, spec };
  const whole = Object.entries(facts).map(([address, fact]) => [
    address,
    { stack: 's', how: 'created', applied: {}, protect: false, identity: 'own', ...fact },
  ]);
  const { plan } = planned({
    ...options,
    manifests: manifestsOf([described, ...(beside === undefined ? [] : [beside])]).manifests,
    observation: {
      objects: new Map([
        ['OutboundIntegration', []],
        [kind, objects],
      ]),
      lookups: new Map(),
      unlisted: new Set(),
    },
    facts: new Map(whole as [string, ObjectFact][]) as unknown as Facts,
    capabilityOf: ({ collection }: Kind) => ({ ...(reference.collections[collection]?.can as Capability), ...can }),
  });
  return plan;
}

const SPEC = { resource: 'ITEM_SPECS', mode: 'EDIT' };
const definition = (identity: string, number: number, over: Partial<Observed> = {}): Observed =>
  object(identity, { spec: SPEC, number, ...over });
const DEFINITIONS = {
  kind: 'ImportDefinition',
  spec: SPEC,
  objects: [definition('own', 7), definition('other', 8)],
  facts: { 'ImportDefinition/A': {} },
};

describe('a copy left behind by a creation', () => {
  test('is deleted by agreement where the service deletes its kind, and the other one stays', () => {
    const objects = [object('own'), object('other')];
    const { steps, notes } = planOf({
      ...{ kind: 'OutboundIntegration', objects, facts: { 'OutboundIntegration/A': {} } },
      copies: 'asked',
    });
    expect(steps).toMatchObject([
      {
        action: 'delete',
        reason: 'twin',
        identity: 'other',
        consent: 'asked',
        writes: [{ verb: 'delete', name: 'A' }],
      },
    ]);
    expect(steps[0]?.fact).toBeUndefined();
    expect(notes).toMatchObject([{ code: 'consent-needed', addresses: ['OutboundIntegration/A'] }]);
  });

  test('is renamed away where the service does not delete its kind, no matter what else differs', () => {
    const { steps, notes } = planOf({ ...DEFINITIONS, spec: { ...SPEC, description: 'New' }, copies: 'given' });
    expect(steps).toMatchObject([
      { action: 'retire', consent: 'given', writes: [{ verb: 'retire', to: 'A ~retired #8', fields: {} }] },
    ]);
    expect(notes).toEqual([]);
    expect(steps[0]?.message).toBe(
      'The service created "A" twice for one request. The ledger has one (#7, created by Dex on 2026-01-01); ' +
        'the other (#8, created by Dex on 2026-01-01) is an unused copy. This renames the copy to "A ~retired #8".',
    );
  });

  test('is not the target of references to its name', () => {
    const spec = { resource: 'ITEM', action: 'EDIT' };
    const { steps } = planOf({
      ...{ kind: 'Trigger', spec, objects: [object('own', { spec }), object('other', { spec })] },
      beside: { kind: 'OutboundIntegration', metadata: { name: 'Q' }, spec: { triggers: ['A'] } },
      facts: { 'Trigger/A': {} },
      copies: 'given',
    });
    expect(steps.map(({ address, action }) => [address, action])).toEqual([
      ['Trigger/A', 'delete'],
      ['OutboundIntegration/Q', 'create'],
    ]);
  });

  test('waits where nobody can be asked, and so do other differences', () => {
    const { steps } = planOf({ ...DEFINITIONS, spec: { ...SPEC, description: 'New' } });
    expect(steps).toMatchObject([{ action: 'blocked', wanted: 'retire', reason: 'twin', writes: [] }]);
    expect(steps[0]?.message).toContain('`--remove-copies` renames the copy to "A ~retired #8"');
  });

  test('is left to a person where the service does neither', () => {
    const { steps } = planOf({ ...DEFINITIONS, can: { update: [] }, copies: 'given' });
    expect(steps).toMatchObject([{ action: 'manual', reason: 'twin', writes: [] }]);
    expect(steps[0]?.message).toContain('or accept both with `dexsync forget ImportDefinition/A`');
  });

  test('is removed one by one where there are several', () => {
    const objects = [...DEFINITIONS.objects, definition('third', 9)];
    expect(planOf({ ...DEFINITIONS, objects, copies: 'given' }).steps).toMatchObject([{ identity: 'other' }]);
  });

  test('does not count as one where the ledger has it under another address', () => {
    const facts = { ...DEFINITIONS.facts, 'ImportDefinition/B': { identity: 'other' } };
    expect(planOf({ ...DEFINITIONS, facts, copies: 'given' }).steps).toMatchObject([
      { action: 'blocked', reason: 'twin' },
    ]);
  });

  test('does not come back once it is renamed away', () => {
    const objects = [definition('own', 7), definition('other', 8, { name: 'A ~retired #8' })];
    expect(planOf({ ...DEFINITIONS, objects, copies: 'given' }).steps).toEqual([]);
  });
});
