import { expect, test } from 'vitest';
import { kindNamed, manifestTypeNamed } from '../../src/catalog.js';
import { bind } from '../../src/engine/bind.js';
import { existing } from '../../src/engine/existing.js';
import type { Guarding } from '../../src/engine/guards/guard.js';
import { link } from '../../src/engine/link.js';
import { makePlan, type PlanInput } from '../../src/engine/plan.js';
import { assemble } from '../../src/manifest/assemble.js';
import { parseYaml } from '../../src/manifest/parse.js';
import { validateManifests } from '../../src/manifest/validate.js';
import type { Kind } from '../../src/model/kind.js';
import type { Capability, Observed } from '../../src/model/observation.js';
import type { Plan, Step } from '../../src/model/plan.js';
import { reference } from '../../src/service/profiles/reference.js';

const schemaOf = (kind: string): object => manifestTypeNamed(kind)?.schema ?? {};

const names = Array.from({ length: 12 }, (_, index) => `D${index}`);
const GUARDING: Guarding = {
  settings: { deletes: { percent: 30, from: 10 }, replacements: { percent: 30, from: 10 }, importRows: 1000 },
  production: false,
  rules: [],
  allow: [],
  described: 12,
};

/** Twelve import definitions, of which the live ones of these names have another mode. */
function planned(differing: readonly string[], over: Partial<PlanInput>): Plan {
  const text = names
    .map(
      (name) =>
        `{ apiVersion: dexsync/v1, kind: ImportDefinition, metadata: { name: ${name} }, spec: { resource: ITEM_SPECS, mode: EDIT } }`,
    )
    .join('\n---\n');
  const { manifests } = assemble(validateManifests(parseYaml(text, 'm.yaml').documents).manifests);
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
    stack: 's',
    environment: 'e',
    workspace: { id: '1', name: 'dev', identity: 'test/1' },
    manifests,
    edges: link(manifests, schemaOf).edges,
    bound: bind(manifests, observation, schemaOf, 'dev').bound,
    jobs: [],
    kindNamed: (name) => kindNamed(name) as Kind,
    capabilityOf: (kind) => reference.collections[kind.collection]?.can as Capability,
    requests: { used: 1, remaining: null },
    nonce: 'n',
    createdAt: '2026-01-01T00:00:00.000Z',
    ...over,
  });
}

test('a plan lists what its guards found, counts what they blocked, and prices the rest', () => {
  const plan = planned(names.slice(0, 5), { guarding: GUARDING });
  expect(plan.guards).toEqual([
    {
      guard: 'replacements',
      severity: 'deny',
      message:
        '5 of 12 ImportDefinition objects would be replaced (42 %, the limit is 30 %); not without --allow replacements.',
      override: '--allow replacements',
      addresses: names.slice(0, 5).map((name) => `ImportDefinition/${name}`),
    },
  ]);
  expect(plan.summary).toMatchObject({ replace: 0, blocked: 5, unchanged: 7 });
  expect(plan.requests.apply).toEqual({ min: 0, max: 0 });
  expect(plan.steps[0]?.fields).not.toEqual([]);
});

test('of a larger stack it is a smaller share', () => {
  const plan = planned(names.slice(0, 5), { guarding: GUARDING, owned: new Map([['ImportDefinition', 20]]) });
  expect(plan.guards).toEqual([]);
  expect(plan.summary).toMatchObject({ replace: 5, blocked: 0 });
});

test('without guarding nothing is guarded', () => {
  expect(planned(names, {}).summary).toMatchObject({ replace: 12, blocked: 0 });
});

test('what exists: described and live, or deleted by the plan, or known to the ledger', () => {
  const none = { live: { match: 'none' }, manifest: { kind: 'UserGroup' } };
  const one = { live: { match: 'name' }, manifest: { kind: 'UserGroup' } };
  const bound = [none, one, one] as unknown as PlanInput['bound'];
  const steps = [
    { action: 'delete', address: 'UserGroup/A' },
    { action: 'create', address: 'UserGroup/B' },
    { action: 'delete', address: 'Policy/A' },
  ] as unknown as Step[];
  const owned = new Map([
    ['UserGroup', 1],
    ['Policy', 4],
    ['Trigger', 2],
  ]);
  expect([...existing(steps, { bound })]).toEqual([
    ['UserGroup', 3],
    ['Policy', 1],
  ]);
  expect([...existing(steps, { bound, owned })]).toEqual([
    ['UserGroup', 3],
    ['Policy', 4],
    ['Trigger', 2],
  ]);
});
