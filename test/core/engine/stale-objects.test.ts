import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { changedBesideReferences, changedPaths } from '#core/engine/diff.js';
import { digestOfPlan, fingerprint } from '#core/engine/normal-form.js';
import { neededReferences, seenReferences } from '#core/engine/references.js';
import { type Stale, staleObjects } from '#core/engine/stale-objects.js';
import { type Address, addressOf, splitAddress } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import { deadReference } from '#core/model/kind.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Observed } from '#core/model/observation.js';
import type { Plan, Step, Write } from '#core/model/plan.js';

const origin = { file: 'm.yaml', line: 1, column: 1, layer: 'base' };
const schemaOf = (kind: string): object => builtIn.kindNamed(kind)?.schema ?? {};

function step(address: string, writes: readonly Write[], over: Partial<Step> = {}): Step {
  return {
    address: address as Address,
    action: 'update',
    reason: 'differs',
    message: '',
    fields: [],
    writes,
    dependsOn: [],
    fingerprint: 'absent',
    origin,
    ...over,
  };
}

/** A step of an object that was there, with what was seen of it. */
const seen = (address: string, observed: JsonObject, writes: readonly Write[], over: Partial<Step> = {}): Step =>
  step(address, writes, {
    observed,
    identity: 'one',
    fingerprint: fingerprint(schemaOf(splitAddress(address as Address).kind), observed),
    ...over,
  });

const plan = (...steps: Step[]): Plan => ({
  format: 'dexsync-plan/1',
  stack: 'mine',
  environment: 'e',
  workspace: { id: '1', name: 'prod', identity: 'h/1' },
  manifests: 'd',
  nonce: 'n',
  createdAt: '2026-01-01T00:00:00.000Z',
  summary: {} as Plan['summary'],
  notes: [],
  guards: [],
  steps,
  requests: { used: 0, apply: { min: 0, max: 0 }, remaining: null },
});

const object = (name: string, spec: JsonObject = {}, identity = 'one'): Observed => ({ name, spec, identity });

interface Now {
  readonly objects?: Readonly<Record<string, readonly Observed[]>>;
  readonly lookups?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly facts?: Readonly<Record<string, Partial<ObjectFact>>>;
}

function staleNow(made: Plan, { objects = {}, lookups = {}, facts = {} }: Now): Stale[] {
  const whole = Object.entries(facts).map(([address, fact]): [Address, ObjectFact] => [
    address as Address,
    { stack: 'mine', how: 'created', applied: {}, protect: false, ...fact },
  ]);
  const observation = {
    objects: new Map(Object.entries(objects)),
    lookups: new Map(Object.entries(lookups)),
    unlisted: new Set<string>(),
  };
  return staleObjects(made, { observation, facts: new Map(whole), kindNamed: builtIn.kindNamed });
}

const told = (made: Plan, now: Now): string[] =>
  staleNow(made, now).map(({ address, is, message }) => `${is}: ${address} ${message}`);

const Q = 'UserGroup/Quality';
const update: Write = { verb: 'update', name: 'Quality', fields: { description: 'b' }, readFirst: 'no' };
const remove: Write = { verb: 'delete', name: 'Quality' };
const record: Write = { verb: 'record' };
const was = { description: 'a' };

describe('an object of a plan', () => {
  const cases: [promise: string, steps: readonly Step[], now: Now, expected: string[]][] = [
    [
      'without a change is not stale',
      [seen(Q, was, [update])],
      { objects: { UserGroup: [object('Quality', was)] } },
      [],
    ],
    [
      'that another one shares its name with is known by its identity',
      [seen(Q, was, [update])],
      { objects: { UserGroup: [object('Quality', { description: 'x' }, 'two'), object('Quality', was)] } },
      [],
    ],
    [
      'that changed is named with its fields',
      [seen(Q, { ...was, members: ['ann'] }, [update])],
      { objects: { UserGroup: [object('Quality', { enabled: false, members: ['ann', 'bob'] })] } },
      [`changed: ${Q} changed in environment "e" after this plan was created (enabled, members[bob], description)`],
    ],
    [
      'that is gone',
      [seen(Q, was, [update])],
      { objects: {} },
      [`gone: ${Q} was deleted from environment "e" after this plan was created`],
    ],
    [
      'that was renamed',
      [seen(Q, was, [update])],
      { objects: { UserGroup: [object('Q', was)] } },
      [`renamed: ${Q} was renamed to "Q" in environment "e" after this plan was created`],
    ],
    [
      'that was recreated',
      [seen(Q, was, [update])],
      { objects: { UserGroup: [object('Quality', was, 'two')] } },
      [`changed: ${Q} was deleted and recreated in environment "e" after this plan was created`],
    ],
    ['without a write does not count', [seen(Q, was, [])], {}, []],
    ['of a job is not looked at here', [step('Import/I', [record])], {}, []],
  ];
  test.each(cases)('%s', (_, steps, now, expected) => {
    expect(told(plan(...steps), now)).toEqual(expected);
  });
});

describe('a name that a plan gives', () => {
  const create: Write = { verb: 'create', spec: {} };
  const taken = (name: string): string =>
    `created: UserGroup/${name} was created in environment "e" after this plan was created`;
  const cases: [promise: string, steps: readonly Step[], now: Now, expected: string[]][] = [
    ['is still free', [step(Q, [create])], { objects: { UserGroup: [object('Other')] } }, []],
    [
      'was taken by a creation',
      [step(Q, [create])],
      { objects: { UserGroup: [object('Quality')] } },
      [taken('Quality')],
    ],
    [
      'to a further object was taken',
      [seen(Q, was, [{ ...create, name: 'Quality #2' }])],
      { objects: { UserGroup: [object('Quality', was), object('Quality #2', {}, 'two')] } },
      [taken('Quality #2')],
    ],
    [
      'in a rename was taken',
      [seen(Q, was, [update], { liveName: 'Old' })],
      { objects: { UserGroup: [object('Old', was), object('Quality', {}, 'two')] } },
      [taken('Quality')],
    ],
    [
      'in a replacement is that of the object which is renamed away',
      [seen(Q, was, [{ verb: 'retire', to: 'x', fields: {} }, create])],
      { objects: { UserGroup: [object('Quality', was)] }, facts: { [Q]: { identity: 'one' } } },
      [],
    ],
    [
      'back to an object that keeps it does not count as a rename',
      [seen(Q, was, [{ ...update, name: 'Old' }], { liveName: 'Old' })],
      { objects: { UserGroup: [object('Old', was)] } },
      [],
    ],
  ];
  test.each(cases)('%s', (_, steps, now, expected) => {
    expect(told(plan(...steps), now)).toEqual(expected);
  });
});

describe('the present state of the ledger', () => {
  const there = { UserGroup: [object('Quality', was)] };
  const cases: [promise: string, steps: readonly Step[], now: Now, expected: string[]][] = [
    [
      'another stack adopted the object',
      [seen(Q, was, [update])],
      { objects: there, facts: { [Q]: { stack: 'other', identity: 'one' } } },
      [`owned: ${Q} is now owned by stack "other" after this plan was created`],
    ],
    [
      'an object that is renamed is known by its former name',
      [seen(Q, was, [update], { liveName: 'Old' })],
      { objects: { UserGroup: [object('Old', was)] }, facts: { 'UserGroup/Old': { stack: 'other', identity: 'one' } } },
      ['owned: UserGroup/Old is now owned by stack "other" after this plan was created'],
    ],
    [
      'a copy is nobody’s',
      [seen(Q, {}, [{ verb: 'delete', name: 'Quality' }], { action: 'delete', reason: 'twin' })],
      { objects: { UserGroup: [object('Quality')] }, facts: { [Q]: { identity: 'two', protect: true } } },
      [],
    ],
    [
      'and must not be in the ledger by now',
      [seen(Q, {}, [{ verb: 'delete', name: 'Quality' }], { action: 'delete', reason: 'twin' })],
      { objects: { UserGroup: [object('Quality')] }, facts: { [Q]: { identity: 'one' } } },
      [`owned: ${Q} is the object of the ledger now after this plan was created`],
    ],
    [
      'an object that is still owned may be deleted',
      [seen(Q, was, [remove])],
      { objects: there, facts: { [Q]: { identity: 'one' } } },
      [],
    ],
    [
      'an object that was given up is not deleted',
      [seen(Q, was, [remove])],
      { objects: there },
      [`owned: ${Q} is no longer owned by stack "mine" after this plan was created`],
    ],
    [
      'a protected object is not deleted',
      [seen(Q, was, [remove])],
      { objects: there, facts: { [Q]: { identity: 'one', protect: true } } },
      [`owned: ${Q} was protected after this plan was created`],
    ],
    [
      'an object that another stack created meanwhile is not struck from the ledger',
      [step(Q, [record])],
      { facts: { [Q]: { stack: 'other' } } },
      [`owned: ${Q} is now owned by stack "other" after this plan was created`],
    ],
    ['a missing object is struck from the ledger', [step(Q, [record])], { facts: { [Q]: {} } }, []],
    [
      'an address of another stack whose object is gone may be used',
      [step(Q, [{ verb: 'create', spec: {} }])],
      { facts: { [Q]: { stack: 'other' } } },
      [],
    ],
  ];
  test.each(cases)('%s', (_, steps, now, expected) => {
    expect(told(plan(...steps), now)).toEqual(expected);
  });
});

describe('the references of a plan', () => {
  const queue = (trigger: string): Step =>
    step('OutboundIntegration/Queue', [
      { verb: 'create', spec: {} },
      { verb: 'addChild', field: 'triggers', name: trigger },
    ]);
  const add: Write = { verb: 'addChild', field: 'members', name: 'ann' };
  const group = seen(Q, was, [add]);
  const there = { UserGroup: [object('Quality', was)] };
  const needsT = 'reference: OutboundIntegration/Queue refers to Trigger/T,';
  const cases: [promise: string, steps: readonly Step[], now: Now, expected: string[]][] = [
    ['is there', [queue('T')], { objects: { Trigger: [object('T')] } }, []],
    ['is gone', [queue('T')], {}, [`${needsT} which is no longer in environment "e"`]],
    [
      'is there twice',
      [queue('T')],
      { objects: { Trigger: [object('T'), object('T', {}, 'two')] } },
      [`${needsT} but 2 objects in environment "e" now have this name`],
    ],
    [
      'is there twice, one of which the ledger knows',
      [queue('T')],
      { objects: { Trigger: [object('T'), object('T', {}, 'two')] }, facts: { 'Trigger/T': { identity: 'two' } } },
      [],
    ],
    ['is created by the plan', [step('Trigger/T', [{ verb: 'create', spec: {} }]), queue('T')], {}, []],
    ['was dead already', [queue(deadReference('Trigger'))], {}, []],
    ['is a user who is there', [group], { objects: there, lookups: { User: [['ann'], ['bob']] } }, []],
    [
      'is a user who is gone',
      [group],
      { objects: there },
      [`reference: ${Q} refers to User/ann, which is no longer in environment "e"`],
    ],
    [
      'is not read where the object itself is stale',
      [group],
      { lookups: {} },
      [`gone: ${Q} was deleted from environment "e" after this plan was created`],
    ],
  ];
  test.each(cases)('%s', (_, steps, now, expected) => {
    expect(told(plan(...steps), now)).toEqual(expected);
  });
});

test('only references that are sent need to exist; those that were seen are read again too', () => {
  const policy = { userGroups: ['A'] };
  const of = (...writes: Write[]): string[] =>
    neededReferences(seen('Policy/P', policy, writes), builtIn.kindNamed).map(({ kind, name }) => `${kind}/${name}`);
  expect(of({ verb: 'create', spec: policy })).toEqual(['UserGroup/A']);
  expect(of({ verb: 'update', name: 'P', fields: { userGroups: ['B'] }, readFirst: 'no' })).toEqual(['UserGroup/B']);
  expect(of({ verb: 'retire', to: 'x', fields: policy }, remove, record)).toEqual([]);
  const list = (kind: string, field: string, entry: object): string[] =>
    neededReferences(
      seen(`${kind}/A`, {}, [
        { verb: 'removeChild', field, name: 'y' },
        { verb: 'addChild', field, name: 'z', ...entry },
      ]),
      builtIn.kindNamed,
    ).map(({ kind: to, name }) => `${to}/${name}`);
  expect(list('UserGroup', 'members', {})).toEqual(['User/z']);
  expect(list('Supplier', 'addresses', { entry: { label: 'z' } })).toEqual([]);
  expect(neededReferences(step('Import/I', [record]), builtIn.kindNamed)).toEqual([]);
  expect(seenReferences(seen('Policy/P', policy, []), builtIn.kindNamed).map(({ name }) => name)).toEqual(['A']);
  expect(seenReferences(step('Policy/P', []), builtIn.kindNamed)).toEqual([]);
  expect(seenReferences(seen('Import/I', {}, []), builtIn.kindNamed)).toEqual([]);
});

test('a difference only in a value that the service fills in is named too', () => {
  const schema = schemaOf('UserGroup');
  expect(changedPaths(schema, { description: '' }, {})).toEqual(['description']);
  expect(changedPaths(schema, { enabled: true }, { enabled: false })).toEqual(['enabled']);
  expect(changedPaths(schema, was, was)).toEqual([]);
});

test('the digest of a plan does not depend on its layout', () => {
  const made = plan(seen(Q, { description: 'ä\u2028\ud800', enabled: true }, [update]));
  expect(digestOfPlan(JSON.parse(JSON.stringify(made, undefined, 3)))).toBe(digestOfPlan(made));
  expect(digestOfPlan({ ...made, nonce: 'm' })).not.toBe(digestOfPlan(made));
  expect(addressOf('UserGroup', 'Quality')).toBe(Q);
});

describe('values that changed since they were seen', () => {
  const schema = schemaOf('OutboundIntegration');
  const seen = { enabled: true, administrators: ['ann@x', 'bo@x'] };

  test('are named by field; fields missing from the later state were not read', () => {
    expect(changedBesideReferences(schema, seen, { enabled: false, administrators: ['ann@x'] })).toEqual(['enabled']);
    expect(changedBesideReferences(schema, seen, {})).toEqual([]);
  });

  test('do not include names of other objects: steps of the same plan rename them', () => {
    expect(changedBesideReferences(schema, seen, { enabled: true, administrators: ['ann@y', 'bo@x'] })).toEqual([]);
  });
});
