import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { compareSides } from '#core/engine/compare.js';
import type { Facts } from '#core/engine/find-live.js';
import { listTextReferences } from '#core/engine/references.js';
import { staleObjects } from '#core/engine/stale-objects.js';
import type { Address } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import { NAMELESS, type Observation, type Observed, type Odd } from '#core/model/observation.js';
import { type Described, manifestsOf, type Options, planned, STACK } from './planning-world.js';

const odd = (name: string, identity: string, ...unknown: Odd['unknown']): Observed => ({
  ...{ name, identity, spec: {} },
  odd: { why: 'has no guid', unknown },
});

const whole = (name: string, identity: string, spec: JsonObject = {}): Observed => ({ name, identity, spec });

const group = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): Described => ({
  kind: 'UserGroup',
  metadata: { name, ...metadata },
  spec,
});

const seen = (objects: Record<string, readonly Observed[]>, more: Partial<Observation> = {}): Observation => ({
  objects: new Map(Object.entries(objects)),
  lookups: new Map(),
  unlisted: new Set(),
  ...more,
});

const owned = (facts: Record<string, string | undefined>): Facts =>
  new Map(
    Object.entries(facts).map(([address, identity]): [Address, ObjectFact] => [
      address as Address,
      {
        ...{ stack: STACK, how: 'created', applied: {}, protect: false },
        ...(identity === undefined ? {} : { identity }),
      },
    ]),
  );

const can = { list: true, create: true, update: ['name', 'description', 'userGroups'], updateBody: 'full' } as const;

function stepsFor(described: readonly Described[], observation: Observation, facts: Facts, options: Options = {}) {
  const { manifests } = manifestsOf(described);
  const capabilityOf = () => ({ ...can, delete: true, children: ['members'] });
  const { plan, findings } = planned({ manifests, observation, facts, capabilityOf, ...options });
  return [
    ...findings.map(({ code }) => code),
    ...plan.steps.map(({ action, address, reason }) => `${action} ${address} ${reason}`),
  ];
}

const BLOCKED = 'blocked UserGroup/A answer-odd';

describe('an unreadable object is neither missing nor changed', () => {
  test.each<[string, Record<string, readonly Observed[]>, Record<string, string | undefined>, string[]]>([
    ['its name is taken', { UserGroup: [odd('A', 'x', 'guid')] }, {}, [BLOCKED]],
    ['also where it has a GUID', { UserGroup: [odd('A', 'a')] }, { 'UserGroup/A': 'a' }, [BLOCKED]],
    ['one without a name may be it', { UserGroup: [odd(NAMELESS, 'x', 'name')] }, {}, [BLOCKED]],
    [
      'one without a name is another one that the ledger knows',
      { UserGroup: [odd(NAMELESS, 'b', 'name')] },
      { 'UserGroup/B': 'b' },
      ['create UserGroup/A absent'],
    ],
    [
      'one without a name is the one that the ledger knows',
      { UserGroup: [odd(NAMELESS, 'a', 'name')] },
      { 'UserGroup/A': 'a' },
      [BLOCKED],
    ],
    [
      'one of another name may be it, renamed',
      { UserGroup: [odd('B', 'x', 'guid')] },
      { 'UserGroup/A': 'a' },
      [BLOCKED],
    ],
    ['one of another name is another one', { UserGroup: [odd('B', 'x', 'guid')] }, {}, ['create UserGroup/A absent']],
    [
      'one of another name is one that the ledger knows by it',
      { UserGroup: [odd('B', 'x', 'guid')] },
      { 'UserGroup/A': 'a', 'UserGroup/B': undefined },
      ['create UserGroup/A gone'],
    ],
    [
      'the ledger knows another one by its name',
      { UserGroup: [odd('B', 'x', 'guid'), whole('C', 'b')] },
      { 'UserGroup/A': 'a', 'UserGroup/B': 'b' },
      [BLOCKED],
    ],
  ])('%s', (_, objects, facts, expected) => {
    expect(stepsFor([group('A')], seen(objects), owned(facts))).toEqual(expected);
  });

  test.each<[string, readonly Observed[], string | undefined]>([
    ['has no GUID', [odd('A', 'x', 'guid')], BLOCKED],
    ['has no name', [odd(NAMELESS, 'a', 'name')], BLOCKED],
    ['may be one of another name', [odd('B', 'x', 'guid')], BLOCKED],
    ['may be one of no name', [odd(NAMELESS, 'x', 'guid', 'name')], BLOCKED],
    ['is gone', [odd(NAMELESS, 'x', 'name')], 'forget UserGroup/A gone'],
  ])('a prune meets an object that %s', (_, objects, expected) => {
    expect(stepsFor([], seen({ UserGroup: objects }), owned({ 'UserGroup/A': 'a' }), { prune: 'yes' })).toEqual([
      expected,
    ]);
  });
});

describe('an object that refers to an unreadable one', () => {
  const policy = (...userGroups: string[]): Described => ({
    kind: 'Policy',
    metadata: { name: 'P' },
    spec: { userGroups },
  });
  const member = (name: string): Described => group('A', { members: [name] });

  test('stays as it is, where the reference would be sent', () => {
    const objects = { UserGroup: [odd('Q', 'x', 'guid'), whole('R', 'r')] };
    const blocked = 'blocked Policy/P answer-odd';
    expect(stepsFor([policy('Q')], seen(objects), owned({}))).toEqual([blocked]);
    expect(stepsFor([policy('R')], seen(objects), owned({}))).toEqual(['create Policy/P absent']);
    const live = { ...objects, Policy: [whole('P', 'p', { userGroups: ['Q'] })] };
    expect(stepsFor([policy('Q')], seen(live), owned({ 'Policy/P': 'p' }))).toEqual([]);
    expect(stepsFor([policy('Q')], seen(live), owned({ 'Policy/P': undefined }))).toEqual([
      'adopt Policy/P unfinished',
    ]);
    const nameless = { UserGroup: [odd(NAMELESS, 'x', 'name')] };
    expect(stepsFor([policy('Q')], seen(nameless), owned({}))).toEqual([blocked]);
    expect(stepsFor([policy('Q')], seen({ UserGroup: [odd('S', 'x', 'guid')] }), owned({}))).toEqual([
      'reference-unknown',
      expect.anything(),
    ]);
  });

  test('stays too where the unreadable one is an entry of a lookup', () => {
    const lookups = new Map([['User', [['ann@example.com', 'Ann']]]]);
    const oddNames = new Map([['User', [{ names: ['ben@example.com'], why: 'has no guid' }]]]);
    const observation = seen({}, { lookups, oddNames });
    expect(stepsFor([member('ben@example.com')], observation, owned({}))).toEqual([BLOCKED]);
    expect(stepsFor([member('Ann')], observation, owned({}))).toEqual(['create UserGroup/A absent']);
  });

  test('stays too where a person would have to do it', () => {
    const { manifests } = manifestsOf([policy('Q')]);
    const observation = seen({ UserGroup: [odd('Q', 'x', 'guid')] });
    const capabilityOf = () => ({ ...can, create: false, delete: true });
    const { plan } = planned({ manifests, observation, facts: owned({}), capabilityOf });
    expect(plan.steps.map(({ action, wanted }) => [action, wanted])).toEqual([['blocked', 'manual']]);
  });
});

describe('two workspaces', () => {
  const differences = (from: readonly Observed[], to: readonly Observed[]) => {
    const side = (environment: string, objects: readonly Observed[]) => ({
      ...seen({ UserGroup: objects }),
      environment,
      hidden: () => [],
    });
    const sides = { from: side('dev', from), to: side('prod', to) };
    const compared = compareSides(sides, [builtIn.knownKind('UserGroup')], () => true);
    return [
      ...compared.differences.map(({ what, address }) => `${what} ${address}`),
      ...compared.findings.map(({ code }) => code),
    ];
  };

  test('do not differ in unreadable objects', () => {
    expect(differences([odd('A', 'x', 'guid')], [whole('A', 'a')])).toEqual(['unclear UserGroup/A', 'answer-odd']);
    expect(differences([odd('A', 'x', 'guid')], [])).toEqual(['unclear UserGroup/A', 'answer-odd']);
    expect(differences([odd(NAMELESS, 'x', 'name')], [whole('A', 'a')])).toEqual(['unclear UserGroup/A', 'answer-odd']);
    expect(differences([whole('A', 'a')], [odd(NAMELESS, 'x', 'name')])).toEqual(['unclear UserGroup/A', 'answer-odd']);
  });
});

describe('a saved plan', () => {
  test('is stale where its objects can no longer be read, or may exist', () => {
    const { manifests } = manifestsOf([group('A', { description: 'b' })]);
    const facts = owned({ 'UserGroup/A': 'a' });
    const capabilityOf = () => ({ ...can, delete: true });
    const planFor = (observation: Observation, known: Facts) =>
      planned({ manifests, observation, facts: known, capabilityOf }).plan;
    const update = planFor(seen({ UserGroup: [whole('A', 'a', { description: 'a' })] }), facts);
    const create = planFor(seen({ UserGroup: [] }), owned({}));
    const staleIn = (plan: typeof update, known: Facts, ...objects: Observed[]) =>
      staleObjects(plan, { observation: seen({ UserGroup: objects }), facts: known, kindNamed: builtIn.kindNamed }).map(
        ({ is }) => is,
      );
    expect(staleIn(update, facts, odd('A', 'a'))).toEqual(['changed']);
    expect(staleIn(update, facts, odd('A', 'x', 'guid'))).toEqual(['changed']);
    expect(staleIn(create, owned({}), odd('A', 'x', 'guid'))).toEqual(['created']);
    expect(staleIn(create, owned({}), odd(NAMELESS, 'x', 'name'))).toEqual(['created']);
    expect(staleIn(create, owned({}), odd('B', 'x', 'guid'))).toEqual([]);
  });
});

test('texts in the place of attribute names are found, with the list that decides them', () => {
  const definition = builtIn.knownKind('ImportDefinition');
  const mapping = [
    { resource: 'ITEM_BOM', apiName: 'A1', sourceName: 'a' },
    { attribute: 'RoHS', sourceName: 'b' },
  ];
  expect(listTextReferences(definition.schema, { resource: 'ITEM_SPECS', options: { mapping } })).toEqual([
    { pointer: '/options/mapping/0/apiName', kind: 'Attribute', partition: 'BOM', name: 'A1' },
  ]);
  expect(listTextReferences(definition.schema, { resource: 'ITEM_SPECS' })).toEqual([]);
  expect(listTextReferences(definition.schema, { options: { mapping: {} } })).toEqual([]);
});

describe('an object in the ledger that no list shows', () => {
  const facts = owned({ 'UserGroup/A': 'a' });
  const unproved = new Map([['a', 'the service cannot read it by GUID']]);
  const nothing: Options = { prune: 'yes' };

  test('is neither recreated nor forgotten while nobody knows that it is gone', () => {
    const observation = seen({ UserGroup: [] }, { unproved });
    expect(stepsFor([group('A')], observation, facts)).toEqual([BLOCKED]);
    expect(stepsFor([], observation, facts, nothing)).toEqual([BLOCKED]);
  });

  test('is not replaced by another object of its name', () => {
    const observation = seen({ UserGroup: [whole('A', 'b')] }, { unproved });
    expect(stepsFor([group('A')], observation, facts)).toEqual([BLOCKED]);
  });

  test('is recreated, or forgotten, once it is known to be gone', () => {
    const observation = seen({ UserGroup: [] }, { unproved: new Map() });
    expect(stepsFor([group('A')], observation, facts)).toEqual(['create UserGroup/A gone']);
    expect(stepsFor([], observation, facts, nothing)).toEqual(['forget UserGroup/A gone']);
  });

  test('may be the object that a replacement has to put back', () => {
    const former = { stack: STACK, how: 'created', applied: {}, protect: false, identity: 'a' } as const;
    const { identity: _, ...unanswered } = former;
    const open: Facts = new Map([['UserGroup/A' as Address, { ...unanswered, former }]]);
    expect(stepsFor([group('A')], seen({ UserGroup: [] }, { unproved }), open)).toEqual([BLOCKED]);
  });
});
