import { expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { bind } from '#core/engine/bind.js';
import { countObjects } from '#core/engine/guards/caps.js';
import type { GuardOptions } from '#core/engine/guards/guard.js';
import { link } from '#core/engine/link.js';
import { makePlan, type PlanInput } from '#core/engine/plan.js';
import { assemble } from '#core/manifest/assemble.js';
import { parseYaml } from '#core/manifest/parse.js';
import { validateManifests } from '#core/manifest/validate.js';
import { type Address, addressOf } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Capability, Observed } from '#core/model/observation.js';
import type { Plan, Step } from '#core/model/plan.js';
import { reference } from '#service/profiles/reference.js';

const schemaOf = (kind: string): object => builtIn.manifestTypeNamed(kind)?.schema ?? {};

const names = Array.from({ length: 12 }, (_, index) => `D${index}`);
const GUARDING: GuardOptions = {
  settings: {
    deletes: { percent: 30, from: 10 },
    replacements: { percent: 30, from: 10 },
    missingRows: { percent: 30, from: 10 },
    importRows: 1000,
  },
  production: false,
  rules: [],
  bounded: (work: () => unknown) => work() as never,
  allow: [],
  described: 12,
};

const fact = (stack: string, identity: string): ObjectFact => ({
  stack,
  how: 'created',
  applied: { resource: 'ITEM_SPECS', mode: 'EDIT' },
  protect: false,
  identity,
});
const ownedBy = (stack: string, all: readonly string[]): Map<Address, ObjectFact> =>
  new Map(all.map((name) => [addressOf('ImportDefinition', name), fact(stack, name)]));

/** Twelve import definitions, of which the live ones of these names have another mode. */
function planned(differing: readonly string[], over: Partial<PlanInput>): Plan {
  const text = names
    .map(
      (name) =>
        `{ apiVersion: dexsync/v1, kind: ImportDefinition, metadata: { name: ${name} }, spec: { resource: ITEM_SPECS, mode: EDIT } }`,
    )
    .join('\n---\n');
  const { manifests } = assemble(validateManifests(parseYaml(text, 'm.yaml').documents, builtIn).manifests);
  const live = names.map((name): Observed => {
    const mode = differing.includes(name) ? 'CREATE' : 'EDIT';
    return { name, identity: name, number: 1, spec: { resource: 'ITEM_SPECS', mode } };
  });
  const observation = {
    objects: new Map([['ImportDefinition', live]]),
    lookups: new Map(),
    unlisted: new Set<string>(),
  };
  return makePlan({
    deciding: { stack: 's', adopt: 'ask', replace: new Set() },
    observation,
    facts: ownedBy('s', names),
    prune: { is: 'no', described: new Set(manifests.map(({ address }) => address)), mayDelete: () => true },
    environment: 'e',
    workspace: { id: '1', name: 'dev', identity: 'test/1' },
    manifests,
    edges: link(manifests, schemaOf).edges,
    bound: bind(manifests, observation, schemaOf, 'dev', over.facts ?? ownedBy('s', names)).bound,
    jobs: [],
    kindNamed: (name) => builtIn.kindNamed(name) as Kind,
    capabilityOf: (kind) => reference.collections[kind.collection]?.can as Capability,
    requests: { used: 1, remaining: null },
    nonce: 'n',
    createdAt: '2026-01-01T00:00:00.000Z',
    ...over,
  });
}

test('a plan lists the findings of its guards, counts the blocked steps, and prices the rest', () => {
  const plan = planned(names.slice(0, 5), { guarding: GUARDING });
  expect(plan.guards).toEqual([
    {
      guard: 'replacements',
      severity: 'deny',
      message:
        '5 of 12 ImportDefinition objects would be replaced (42%, the limit is 30%). This needs `--allow replacements`.',
      override: '--allow replacements',
      addresses: names.slice(0, 5).map((name) => `ImportDefinition/${name}`),
    },
  ]);
  expect(plan.summary).toMatchObject({ replace: 0, blocked: 5, unchanged: 7 });
  expect(plan.requests.apply).toEqual({ min: 0, max: 0 });
  expect(plan.steps[0]?.fields).not.toEqual([]);
});

test('the same deletes are a smaller share of a larger stack', () => {
  const facts = ownedBy('s', [...names, ...Array.from({ length: 8 }, (_, index) => `Undescribed ${index}`)]);
  const plan = planned(names.slice(0, 5), { guarding: GUARDING, facts });
  expect(plan.guards).toEqual([]);
  expect(plan.summary).toMatchObject({ replace: 5, blocked: 0 });
});

test('a plan without guards has no findings', () => {
  expect(planned(names, {}).summary).toMatchObject({ replace: 12, blocked: 0 });
});

test('the count of existing objects includes owned and described live ones, but not deleted ones or those of another stack', () => {
  const bound = [
    { live: { match: 'none' }, manifest: { kind: 'UserGroup' } },
    { live: { match: 'name' }, manifest: { kind: 'UserGroup' } },
    { live: { match: 'name' }, manifest: { kind: 'UserGroup' }, fact: fact('s', '1') },
    { live: { match: 'none' }, manifest: { kind: 'Policy' }, fact: fact('s', '2') },
    { live: { match: 'name' }, manifest: { kind: 'Policy' }, fact: fact('other', '3') },
  ] as unknown as PlanInput['bound'];
  const facts = new Map([
    [addressOf('UserGroup', 'owned and described'), fact('s', '1')],
    [addressOf('UserGroup', 'owned and left over'), fact('s', '4')],
    [addressOf('Policy', 'owned and gone'), fact('s', '2')],
    [addressOf('Policy', 'of another stack'), fact('other', '3')],
    [addressOf('Trigger', 'left over and gone'), fact('s', '5')],
  ]);
  const steps = [
    { action: 'forget', address: 'Trigger/left over and gone' },
    { action: 'create', address: 'UserGroup/New' },
  ] as unknown as Step[];
  expect([...countObjects(steps, { stack: 's', bound, facts })]).toEqual([
    ['UserGroup', 3],
    ['Policy', 1],
    ['Trigger', 0],
  ]);
});

test('a delete of an object whose reference someone renamed needs no consent', () => {
  const owned = (identity: string, applied: JsonObject): ObjectFact => ({ ...fact('s', identity), applied });
  const facts = new Map([
    [addressOf('UserGroup', 'Old'), owned('g', {})],
    [addressOf('Policy', 'P'), owned('p', { userGroups: ['Old'] })],
  ]);
  const guardsOf = (group: string, member: string): Plan['guards'] => {
    const objects = new Map<string, Observed[]>([
      ['ImportDefinition', []],
      ['UserGroup', [{ name: group, identity: 'g', number: 1, spec: {} }]],
      ['Policy', [{ name: 'P', identity: 'p', number: 2, spec: { userGroups: [member] } }]],
    ]);
    const observation = { objects, lookups: new Map(), unlisted: new Set<string>() };
    const described = new Set([addressOf('UserGroup', 'Old')]);
    const prune: PlanInput['prune'] = { is: 'yes', described, mayDelete: () => true };
    const { steps, guards } = planned([], { guarding: GUARDING, facts, observation, prune, manifests: [], bound: [] });
    expect(steps.map(({ address }) => address)).toEqual(['Policy/P']);
    return guards;
  };
  expect(guardsOf('By hand', 'By hand')).toEqual([]);
  expect(guardsOf('By hand', 'Another')).toMatchObject([{ guard: 'changed-deletes', addresses: ['Policy/P'] }]);
});
