import { expect, test } from 'vitest';
import { digestChanges, digestOfChanges } from '#core/engine/changes-digest.js';
import type { Address } from '#core/model/address.js';
import type { GuardFinding } from '#core/model/guards.js';
import type { ImportRequest, Step, Write } from '#core/model/plan.js';

const A = 'UserGroup/A' as Address;
const origin = { file: 'm.yaml', line: 1, column: 1, layer: 'base' };

const step = (over: Partial<Step> = {}): Step => ({
  address: A,
  action: 'update',
  reason: 'differs',
  message: 'description differs from the manifest.',
  fields: [{ path: 'description', before: 'a', after: 'b' }],
  writes: [{ verb: 'update', name: 'A', fields: { description: 'b', assignability: ['X'] }, readFirst: 'no' }],
  dependsOn: [],
  fingerprint: 'one',
  observed: { description: 'a', assignability: ['X'] },
  identity: 'guid-1',
  origin,
  ...over,
});

const finding = (over: Partial<GuardFinding> = {}): GuardFinding => ({
  guard: 'deletes',
  severity: 'warn',
  message: '1 of 3',
  addresses: [A],
  ...over,
});

const digestOf = (over: Partial<Step> = {}, ...guards: GuardFinding[]): string =>
  digestOfChanges({ steps: [step(over)], guards });

const request = {
  path: 'a.csv',
  spec: { definition: 'D' },
  definition: { spec: { resource: 'ITEMS', mode: 'EDIT' }, content: {}, fingerprint: 'f' },
} satisfies ImportRequest;
const rows: Write = { verb: 'import', key: 'k', rows: 3, request };
const create: Write = { verb: 'create', spec: { description: 'b' } };
const retire: Write = { verb: 'retire', to: 'A ~retired #1', fields: { description: 'a' } };
const back = { identity: 'guid-1', name: 'A', fields: { description: 'a' } };

test.each<[what: string, one: Partial<Step>, other: Partial<Step>]>([
  [
    'identity, place, words and what else was seen',
    {},
    {
      identity: 'guid-2',
      origin: { ...origin, line: 9 },
      message: 'x',
      observed: {},
      fingerprint: 'two',
      dependsOn: ['UserGroup/B' as Address],
    },
  ],
  [
    'why a value differs',
    {},
    { fields: [{ path: 'description', before: 'a', after: 'b', cause: 'drift', applied: 'c' }] },
  ],
  [
    'fields that a full update sends as they are',
    {},
    { writes: [{ verb: 'update', name: 'A', fields: { description: 'b', assignability: ['Y'] }, readFirst: 'yes' }] },
  ],
  [
    'values of an object that goes away',
    { writes: [retire, { ...create, back }] },
    {
      writes: [
        { ...retire, fields: {} },
        { ...create, back: { ...back, identity: 'guid-2', fields: {} } },
      ],
    },
  ],
  [
    'runs, the path of a file and the definition before',
    { writes: [rows] },
    {
      writes: [
        {
          ...rows,
          resume: { run: 'r', phase: 'posted' },
          request: { ...request, path: 'b.csv', definition: { ...request.definition, fingerprint: 'g' } },
        },
      ],
    },
  ],
])('%s does not count as a change', (_, one, other) => {
  expect(digestOf(other)).toBe(digestOf(one));
});

test.each<[what: string, one: Partial<Step>, other: Partial<Step>]>([
  ['an address', {}, { address: 'UserGroup/B' as Address }],
  ['an action', {}, { action: 'replace' }],
  ['a blocked step', { action: 'blocked', wanted: 'delete' }, { action: 'blocked', wanted: 'update' }],
  ['an old value', {}, { fields: [{ path: 'description', before: 'x', after: 'b' }] }],
  ['a new value', {}, { fields: [{ path: 'description', before: 'a', after: 'x' }] }],
  ['a value that goes away', {}, { fields: [{ path: 'description', before: 'a' }] }],
  [
    'the values that an update sends',
    {},
    { writes: [{ verb: 'update', name: 'A', fields: { description: 'x' }, readFirst: 'no' }] },
  ],
  ['another write', { writes: [create] }, { writes: [{ verb: 'addChild', field: 'members', name: 'ann' }] }],
  ['the retired name', { writes: [retire] }, { writes: [{ ...retire, to: 'A ~retired #2' }] }],
  ['consent', { consent: 'given' }, { consent: 'asked' }],
  ['the rows that are sent', { writes: [rows] }, { writes: [{ ...rows, key: 'l' }] }],
  [
    'their changes',
    { preview: { with: 'workspace', requests: 1, digest: 'a' } },
    { preview: { with: 'workspace', requests: 1, digest: 'b' } },
  ],
])('%s counts as a change', (_, one, other) => {
  expect(digestOf(other)).not.toBe(digestOf(one));
});

test('the digest covers which guards spoke and about what, in any order; not their numbers, and not the price', () => {
  const rule = finding({ guard: 'rule', rule: 'no deletes' });
  expect(digestOf({}, finding(), rule)).toBe(
    digestOf({}, rule, finding({ message: '2 of 7', override: '--allow deletes' })),
  );
  expect(digestOf({}, finding())).not.toBe(digestOf());
  expect(digestOf({}, finding())).not.toBe(digestOf({}, finding({ severity: 'deny' })));
  expect(digestOf({}, finding({ guard: 'max-requests' }))).toBe(digestOf());
});

test('the order of steps does not count as a change, and each step has a digest of its own', () => {
  const [one, other] = [step(), step({ address: 'UserGroup/B' as Address, action: 'delete' })];
  const both = { steps: [one, other], guards: [] };
  expect(digestOfChanges(both)).toBe(digestOfChanges({ ...both, steps: [other, one] }));
  expect(digestChanges(both).get(A)).toBe(digestChanges({ steps: [one], guards: [] }).get(A));
});
