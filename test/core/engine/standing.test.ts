import { describe, expect, test } from 'vitest';
import type { Bound } from '#core/engine/bind.js';
import { grow } from '#core/engine/create.js';
import type { Decision } from '#core/engine/decision.js';
import { findLive } from '#core/engine/find-live.js';
import { adoptObject, judgeOwnership } from '#core/engine/ownership.js';
import { userGroup } from '#core/kinds/user-group.js';
import { addressOf } from '#core/model/address.js';
import { type Manifest, originsAt } from '#core/model/document.js';

const origin = { file: 'g.yaml', line: 1, column: 1, layer: 'base' };
const origins = originsAt(origin);
const made = { how: 'created', protect: false } as const;
const object = (name: string, identity: string, spec: object = {}) => ({ name, identity, spec: { ...spec } });

describe('the owner of an object is', () => {
  test.each([
    ['nobody, where nothing is known', undefined, { is: 'nobody', replacesOurs: false }],
    ['ours by its identity', { ...made, stack: 's', applied: {}, identity: 'a' }, { is: 'own' }],
    ['another stack’s', { ...made, stack: 't', applied: {}, identity: 'a' }, { is: 'other', stack: 't' }],
    [
      'nobody’s instead of ours',
      { ...made, stack: 's', applied: {}, identity: 'b' },
      { is: 'nobody', replacesOurs: true },
    ],
    [
      'nobody’s instead of another’s',
      { ...made, stack: 't', applied: {}, identity: 'b' },
      { is: 'nobody', replacesOurs: false },
    ],
    ['ours, created without an answer', { ...made, stack: 's', applied: { description: 'd' } }, { is: 'own' }],
    [
      'not with the requested values',
      { ...made, stack: 's', applied: { description: 'x' } },
      { is: 'nobody', replacesOurs: false },
    ],
  ])('%s', (_, fact, expected) => {
    expect(judgeOwnership(fact, object('A', 'a', { description: 'd' }), 's', userGroup)).toMatchObject(expected);
  });
});

describe('a rename', () => {
  const address = addressOf('UserGroup', 'New');
  const former = addressOf('UserGroup', 'Old');
  const manifest: Manifest = {
    address,
    kind: 'UserGroup',
    metadata: { name: 'New', renamedFrom: 'Old' },
    spec: {},
    origins,
  };
  const seen = (...objects: readonly object[]) =>
    ({ objects: new Map([['UserGroup', objects]]), lookups: new Map(), unlisted: new Set() }) as never;
  const find = (facts: ReadonlyMap<string, object>, ...objects: readonly object[]) =>
    findLive([manifest], seen(...objects), facts as never, new Set([address]))[0];

  test('of a creation that was never answered concerns any object with its name', () => {
    expect(find(new Map([[former, { ...made, stack: 's', applied: {} }]]), object('Old', 'a'))).toMatchObject({
      ...{ knownAs: former, live: { match: 'renamed' } },
    });
  });

  test('that is done is over, also where the former name is in use again', () => {
    const facts = new Map([[address, { ...made, stack: 's', applied: {}, identity: 'a' }]]);
    expect(find(facts, object('New', 'a'), object('Old', 'b'))).toMatchObject({ live: { match: 'name' } });
    expect(find(new Map(), object('New', 'a'), object('Old', 'b'))).toMatchObject({ live: { match: 'both' } });
    expect(find(new Map(), object('New', 'a'), object('Old', 'b'), object('Old', 'c'))).toMatchObject({
      live: { match: 'name' },
    });
  });
});

test('a recreated object belongs to the owner of the first', () => {
  const manifest = {
    address: addressOf('UserGroup', 'A'),
    kind: 'UserGroup',
    metadata: { name: 'A' },
    spec: {},
    origins,
  };
  const bound = { manifest, desired: {}, live: { match: 'none' } } as unknown as Bound;
  const growth = { is: 'more', name: 'A 2', spec: {}, fields: [] } as const;
  expect(grow(bound, growth, userGroup.schema, 's')?.fact).toMatchObject({ how: 'created' });
  const adopted = { ...bound, fact: { ...made, how: 'adopted', stack: 's', applied: {} } } as unknown as Bound;
  expect(grow(adopted, growth, userGroup.schema, 's')?.fact).toMatchObject({ how: 'adopted' });
});

describe('an object that this stack did not create', () => {
  const manifest = {
    address: addressOf('UserGroup', 'A'),
    kind: 'UserGroup',
    metadata: { name: 'A' },
    spec: {},
    origins,
  };
  const bound = { manifest, desired: {}, live: { match: 'name' } } as unknown as Bound;
  const live = { match: 'name', object: object('A', 'a'), raw: object('A', 'a'), among: [] } as never;
  const decided = (action: Decision['action']): Decision =>
    ({ action, reason: 'differs', message: 'It differs.', fields: [], writes: [] }) as unknown as Decision;
  const take = (adopt: 'ask' | 'given' | 'matching' | 'never', decision?: Decision, replacesOurs = false) =>
    adoptObject(bound, live, {
      ...{ kind: userGroup, standing: { is: 'nobody', replacesOurs }, decided: decision },
      deciding: { stack: 's', adopt, replace: new Set() },
    })?.action;

  test.each([
    ['ask', undefined, 'adopt'],
    ['given', decided('update'), 'update'],
    ['ask', decided('replace'), 'blocked'],
    ['matching', undefined, 'adopt'],
    ['matching', decided('update'), 'blocked'],
    ['never', decided('update'), 'blocked'],
    ['never', undefined, undefined],
    ['never', decided('manual'), 'manual'],
    ['given', decided('blocked'), 'blocked'],
  ] as const)('%s', (adopt, decision, action) => {
    expect(take(adopt, decision)).toBe(action);
    expect(take(adopt, decision, true)).toBe(action);
  });
});
