import { expect, test } from 'vitest';
import { acknowledgedFingerprint } from '#core/engine/acknowledged-steps.js';
import { assemblePlan as planOfSteps } from '#core/engine/plan.js';
import { policy } from '#core/kinds/policy.js';
import type { Acknowledgement } from '#core/model/acknowledgement.js';
import { addressOf } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { Capability } from '#core/model/observation.js';
import { arena } from '#service/profiles/arena.js';
import { type Described, manifestsOf, type Options, planned, STACK } from './planning-world.js';

const BUYERS = addressOf('Policy', 'Buyers');
const SPEC = { enabled: true, rules: [{ resource: 'ITEM', actions: ['READ', 'EDIT'] }] };
const described = (spec: JsonObject, name = 'Buyers'): Described => ({ kind: 'Policy', metadata: { name }, spec });

const given = (spec: JsonObject = SPEC, stack = STACK): Acknowledgement => ({
  ...{ stack, at: '2026-11-22T10:00:00.000Z', by: 'ann@example.com (ann)', reason: 'CHG-7' },
  fingerprint: acknowledgedFingerprint({ spec }, policy, 'absent'),
});

interface World extends Options {
  readonly manifests: readonly Described[];
  readonly acknowledged?: Acknowledgement;
  readonly listed?: 'yes';
}

const planOf = ({ manifests, acknowledged, listed, ...options }: World) =>
  planned({
    ...options,
    manifests: manifestsOf(manifests).manifests,
    observation: { objects: new Map(), lookups: new Map(), unlisted: new Set(listed === 'yes' ? [] : ['Policy']) },
    facts: new Map(),
    ...(acknowledged === undefined ? {} : { acknowledged: new Map([[BUYERS, acknowledged]]) }),
    capabilityOf: ({ collection }: Kind) => {
      const can = arena.collections[collection]?.can as Capability;
      return listed === 'yes' ? { ...can, list: true } : can;
    },
  }).plan;

const actions = (world: World): string[] => planOf(world).steps.map(({ action, reason }) => `${action} ${reason}`);

test('an acknowledged manual change needs no step: the plan says who, when and why, and counts it apart', () => {
  const plan = planOf({ manifests: [described(SPEC)], acknowledged: given() });
  expect(plan.steps).toEqual([]);
  expect(plan.summary).toMatchObject({ manual: 0, unchanged: 0, acknowledged: 1 });
  expect(plan.notes).toEqual([
    {
      code: 'acknowledged',
      message: 'Policy/Buyers is done manually, as acknowledged by ann@example.com (ann) on 2026-11-22: CHG-7',
      addresses: [BUYERS],
      acknowledgement: given(),
    },
  ]);
});

test('a plan without acknowledgements has no count, as before they existed', () => {
  const plan = planOf({ manifests: [described(SPEC)] });
  expect(plan.steps.map(({ action, reason }) => `${action} ${reason}`)).toEqual(['manual not-verifiable']);
  expect(plan.summary).not.toHaveProperty('acknowledged');
  expect(plan.steps[0]?.message).toBe(
    'The service does not list Policy objects, so dexsync cannot know whether it exists. Create it manually, or compare it if it exists, then run `dexsync acknowledge Policy/Buyers --reason TEXT`.',
  );
});

test('an acknowledgement holds while the manifest asks for the same, in any order, and for that object alone', () => {
  const acknowledged = given();
  const reordered = { rules: [{ actions: ['EDIT', 'READ'], resource: 'ITEM' }], enabled: true };
  expect(actions({ manifests: [described(reordered)], acknowledged })).toEqual([]);
  expect(actions({ manifests: [described({ ...SPEC, enabled: false })], acknowledged })).toEqual([
    'manual not-verifiable',
  ]);
  expect(actions({ manifests: [described({ ...SPEC, description: null })], acknowledged })).toEqual([
    'manual not-verifiable',
  ]);
  expect(actions({ manifests: [described(SPEC), described(SPEC, 'Sellers')], acknowledged })).toEqual([
    'manual not-verifiable',
  ]);
});

test('an acknowledgement does not count where another stack gave it, or a replacement is requested', () => {
  const manifests = [described(SPEC)];
  expect(actions({ manifests, acknowledged: given(SPEC, 'other') })).toEqual(['manual not-verifiable']);
  expect(actions({ manifests, acknowledged: given(), replace: [BUYERS] })).toEqual(['manual not-verifiable']);
});

test('only the observed state counts once the service lists the kind', () => {
  const manifests = [described(SPEC)];
  expect(actions({ manifests, acknowledged: given(), listed: 'yes' })).toEqual(['manual not-supported']);
});

test('an acknowledgement of an object without a manifest is not mentioned', () => {
  expect(planOf({ manifests: [], acknowledged: given() })).toMatchObject({ steps: [], notes: [] });
  expect(actions({ manifests: [described(SPEC, 'Sellers')], acknowledged: given() })).toEqual([
    'manual not-verifiable',
  ]);
});

test('the plan of an acknowledged object counts it, and no other plan has the count', () => {
  const [step] = planOf({ manifests: [described(SPEC)] }).steps;
  if (step === undefined) throw new Error('There is no manual step.');
  const world = { ...{ stack: STACK, environment: 'prod', nonce: 'n', createdAt: '2026-11-22T10:00:00Z' }, jobs: [] };
  const facts = { ...world, workspace: { id: '1', name: 'One', identity: 'one' }, manifests: [] };
  const input = { ...facts, requests: { used: 0, remaining: null }, still: { unchanged: 0, acknowledged: 0 } };
  const counted = planOfSteps(
    [step, step].map((one) => ({ ...one, action: 'acknowledge' as const })),
    input,
  );
  expect(counted.summary.acknowledge).toBe(2);
  expect(planOfSteps([step], input).summary).not.toHaveProperty('acknowledge');
});
