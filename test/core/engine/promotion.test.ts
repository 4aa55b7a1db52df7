import { expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { bind } from '#core/engine/bind.js';
import type { Deciding } from '#core/engine/decision.js';
import { link } from '#core/engine/link.js';
import { makePlan } from '#core/engine/plan.js';
import { isGoneFromRelease, keptNames, type Promoting, promoteBound, withKeptNames } from '#core/engine/promotion.js';
import type { Side } from '#core/engine/three-way-merge.js';
import { type Address, addressOf } from '#core/model/address.js';
import { manifestAt } from '#core/model/document.js';
import type { JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Plan } from '#core/model/plan.js';

const schemaOf = (kind: string): object => builtIn.knownKind(kind).schema;
const SUPPLIER = addressOf('Supplier', 'A');
const OTHER = addressOf('Supplier', 'Beside');

/** A world of one supplier that the release brings, and of one that it does not. */
interface World {
  readonly asked: JsonObject;
  /** Undefined: deleted. */
  readonly live?: JsonObject | undefined;
  readonly fact?: Partial<ObjectFact> | undefined;
  readonly take?: Readonly<Record<string, Side>>;
  readonly promoted?: boolean;
  readonly adopt?: Deciding['adopt'];
  /** A name that people gave it on the target. */
  readonly named?: string;
  /** The name that it had in the last release, where this one gives it another. */
  readonly before?: string;
  /** Whether the stack owns a further supplier, which the release does not have. */
  readonly isLeft?: boolean;
}

const promotedAs = (spec: JsonObject, source = 'dev'): Pick<ObjectFact, 'promoted'> => ({
  promoted: { source, release: `${source}/r1`, lineage: 'one', spec },
});

function plan({ asked, live, fact, take = {}, isLeft = false, named = 'A', before, ...world }: World): Plan {
  const { promoted = true, adopt = 'never' } = world;
  const origin = { file: 'environment dev', line: 1, column: 1, layer: 'environment' };
  const supplied = manifestAt(origin, SUPPLIER, asked);
  const { metadata } = supplied;
  const renamedFrom = before === undefined ? {} : { renamedFrom: before };
  const manifests = [{ ...supplied, metadata: { ...metadata, ...renamedFrom } }, manifestAt(origin, OTHER, {})];
  const supplier = live === undefined ? [] : [{ name: named, spec: live, identity: 'a' }];
  const left = isLeft ? [{ name: 'Left', spec: {}, identity: 'l' }] : [];
  const observation = {
    objects: new Map([['Supplier', [...supplier, { name: 'Beside', spec: {}, identity: 'b' }, ...left]]]),
    lookups: new Map(),
    unlisted: new Set<string>(),
  };
  const own = { stack: 's', how: 'created', applied: {}, protect: false } as const;
  const facts = new Map<Address, ObjectFact>([
    ...(fact === undefined
      ? []
      : ([[addressOf('Supplier', before ?? 'A'), { ...own, identity: 'a', ...fact }]] as const)),
    [OTHER, { ...own, identity: 'b' }],
    ...left.map(({ name, identity }) => [addressOf('Supplier', name), { ...own, identity }] as const),
  ]);
  const { edges, described } = link(manifests, schemaOf);
  const promoting: Promoting = {
    ...{ source: 'dev', release: 'dev/r2', schemaOf, lineages: new Set(['one']) },
    lineageOf: (address) => (address === SUPPLIER ? 'one' : undefined),
    choose: (address, path) => take[path === undefined ? address : `${address}#${path}`],
  };
  const bindAll = (all: typeof manifests) => bind(all, observation, schemaOf, 'prod', facts, described);
  const names = keptNames(bindAll(manifests).bound, promoting);
  const { bound, renamed } = bindAll(manifests.map((one) => withKeptNames(one, schemaOf(one.kind), names)));
  return makePlan({
    deciding: { stack: 's', adopt, replace: new Set() },
    ...{ environment: 'prod', workspace: { id: '1', name: 'Prod', identity: 'test/1' } },
    ...{ manifests, edges, observation, facts, jobs: [] },
    bound: bound.map((one) => promoteBound(one, promoting, renamed, names)),
    ...(promoted
      ? { promoted: { environment: 'dev', workspace: 'Dev', release: 'dev/r2', as: 'applied', closure: [] } }
      : {}),
    prune: { is: 'no', described, mayDelete: () => isLeft },
    kindNamed: (name) => builtIn.kindNamed(name) as Kind,
    capabilityOf: () => ({
      list: true,
      create: true,
      delete: true,
      updateBody: 'full',
      update: ['description', 'name'],
    }),
    requests: { used: 0, remaining: null },
    ...{ nonce: 'n', createdAt: '2026-01-01T00:00:00.000Z' },
  });
}

const steps = ({ steps: all }: Plan) => all.map(({ action, reason }) => `${action} ${reason}`);

test('what the release changed is planned, and the ledger gets what it asked', () => {
  const made = plan({
    asked: { description: 'new' },
    live: { description: 'old' },
    fact: promotedAs({ description: 'old' }),
  });
  expect(steps(made)).toEqual(['update differs']);
  expect(made.steps[0]?.fact).toMatchObject({
    applied: { description: 'new' },
    promoted: { source: 'dev', release: 'dev/r2', lineage: 'one', spec: { description: 'new' } },
  });
  expect([made.records, made.promoted?.kept]).toEqual([undefined, undefined]);
});

test('what only the target changed stays, and what the release asked is recorded without a step', () => {
  const made = plan({
    asked: { description: 'old' },
    live: { description: 'hotfix' },
    fact: promotedAs({ description: 'older' }),
  });
  // Here both changed it.
  expect(steps(made)).toEqual(['blocked conflict']);
  const kept = plan({
    asked: { description: 'old', website: 'w' },
    live: { description: 'hotfix', website: 'w' },
    fact: promotedAs({ description: 'old' }),
  });
  expect(steps(kept)).toEqual([]);
  expect(kept.promoted?.kept).toEqual([
    { address: SUPPLIER, fields: [{ path: 'description', before: 'old', after: 'hotfix' }] },
  ]);
  expect(kept.records).toEqual([
    {
      address: SUPPLIER,
      fact: expect.objectContaining({
        promoted: { source: 'dev', release: 'dev/r2', lineage: 'one', spec: { description: 'old', website: 'w' } },
      }),
    },
  ]);
  const again = plan({
    asked: { description: 'old' },
    live: { description: 'hotfix' },
    fact: promotedAs({ description: 'old' }),
  });
  expect([steps(again), again.records]).toEqual([[], undefined]);
});

test('a conflict names both values and the options that decide it', () => {
  const world = { asked: { description: 'new' }, live: {}, fact: promotedAs({ description: 'old' }) };
  expect(plan(world).steps[0]?.message).toBe(
    'Since the last promotion both dev/r2 and this environment changed it: description is "new" in the release and empty here. ' +
      "Decide with `--take release 'Supplier/A#description'` or `--take target 'Supplier/A#description'`.",
  );
  expect(steps(plan({ ...world, take: { 'Supplier/A#description': 'release' } }))).toEqual(['update differs']);
  expect(steps(plan({ ...world, take: { 'Supplier/A': 'target' } }))).toEqual([]);
  const both = plan({
    asked: { description: 'new', website: 'n' },
    live: { description: 'hot', website: 'h' },
    fact: promotedAs({ description: 'old', website: 'o' }),
  });
  expect(both.steps[0]?.message).toContain('`--take release Supplier/A`');
});

test('an object that was deleted on the target stays deleted until the release changes it', () => {
  const fact = promotedAs({ description: 'old' });
  const same = plan({ asked: { description: 'old' }, fact });
  expect([steps(same), same.promoted?.kept]).toEqual([[], [{ address: SUPPLIER, fields: [], deleted: true }]]);
  const changed = { asked: { description: 'new' }, fact };
  expect(plan(changed).steps[0]?.message).toContain('the release changed it, and it was deleted here');
  expect(steps(plan({ ...changed, take: { 'Supplier/A': 'target' } }))).toEqual([]);
  expect(steps(plan({ ...changed, take: { 'Supplier/A': 'release' } }))).toEqual(['create gone']);
});

test('what no release brought is overwritten by consent alone, as in an adoption', () => {
  expect(steps(plan({ asked: { description: 'new' } }))).toEqual(['create absent']);
  const own = { asked: { description: 'new' }, live: { description: 'old' }, fact: {} };
  const [blocked] = plan(own).steps;
  expect(blocked).toMatchObject({ action: 'blocked', reason: 'conflict', wanted: 'update' });
  expect(blocked?.message).toContain('dev/r2 is the first release that brings it here, and it is different here.');
  expect(blocked?.message).toContain('`--take target Supplier/A` keeps it as it is.');
  for (const [adopt, consent] of [
    ['given', 'given'],
    ['ask', 'asked'],
  ] as const)
    expect(plan({ ...own, adopt }).steps[0], adopt).toMatchObject({ action: 'update', consent });
  expect(plan({ ...own, adopt: 'ask' }).notes).toMatchObject([
    { code: 'consent-needed', message: expect.stringContaining('1 object that no release brought here before') },
  ]);
  expect(plan({ ...own, take: { 'Supplier/A': 'release' } }).steps[0]?.action).toBe('update');
  const target = plan({ ...own, take: { 'Supplier/A': 'target' } });
  expect([steps(target), target.promoted?.kept]).toMatchObject([[], [{ address: SUPPLIER }]]);
  // A release created it, and its answer or its members are missing.
  const begun = { ...own, fact: promotedAs({}) };
  expect(steps(plan(begun))).toEqual(['update differs']);
  const unanswered: World = { ...begun, live: undefined, fact: { ...promotedAs({}), identity: undefined } as object };
  expect(plan(unanswered).steps[0]?.action).toBe('create');
  const equal = plan({ asked: { description: 'new' }, live: { description: 'new' }, fact: {} });
  expect([steps(equal), equal.records?.map(({ address }) => address)]).toEqual([[], [SUPPLIER]]);
  const foreign = plan({ asked: { description: 'new' }, live: { description: 'new' } });
  expect(foreign.records).toBeUndefined();
});

test('an object that another source brought is a conflict', () => {
  const world = { asked: { description: 'new' }, live: { description: 'old' }, fact: promotedAs({}, 'lab') };
  expect(plan(world).steps[0]?.message).toContain('lab/r1 brought it here before');
  expect(steps(plan({ ...world, take: { 'Supplier/A': 'release' } }))).toEqual(['update differs']);
});

test('a plan that promotes nothing has nothing to keep', () => {
  const made = plan({
    asked: { description: 'old' },
    live: { description: 'hotfix' },
    fact: promotedAs({ description: 'old' }),
    promoted: false,
  });
  expect(made.promoted).toBeUndefined();
});

test('what the release no longer has is named, and counts as gone if the same source brought it', () => {
  const { notes } = plan({ asked: {}, live: {}, fact: {}, isLeft: true });
  expect(notes.map(({ message }) => message)).toEqual([
    '1 object of this stack is no longer in dev/r2: Supplier/Left. `--prune` plans its removal; `dexsync forget` keeps it.',
  ]);
  const promoting = { source: 'dev', lineages: new Set(['two']) } as unknown as Promoting;
  const own = { stack: 's', how: 'created', applied: {}, protect: false } as const;
  const isGone = (...args: Parameters<typeof promotedAs>) =>
    isGoneFromRelease(promoting, { ...own, ...promotedAs(...args) });
  expect([
    isGone({}),
    isGone({}, 'lab'),
    isGoneFromRelease(promoting, own),
    isGoneFromRelease(promoting, undefined),
  ]).toEqual([true, false, false, false]);
  expect(isGoneFromRelease({ ...promoting, lineages: new Set(['one']) }, { ...own, ...promotedAs({}) })).toBe(false);
});

const NAMED = { asked: { description: 'new' }, live: { description: 'old' }, named: 'By hand' };

test('a name given on the target stays, and the rest of the object is promoted', () => {
  const kept = plan({ ...NAMED, fact: promotedAs({ description: 'old' }) });
  expect(steps(kept)).toEqual(['update differs']);
  expect(kept.steps[0]).toMatchObject({
    ...{ address: SUPPLIER, liveName: 'By hand' },
    writes: [{ verb: 'update', name: 'By hand' }],
  });
  expect(kept.promoted?.kept).toEqual([
    { address: SUPPLIER, fields: [{ path: 'name', before: 'A', after: 'By hand' }] },
  ]);
  const taken = plan({ ...NAMED, fact: promotedAs({ description: 'old' }), take: { 'Supplier/A#name': 'release' } });
  expect(steps(taken)).toEqual(['rename renamed-outside']);
});

test('a name given on the target and another one in the release are a conflict until a person decides', () => {
  const both = { ...NAMED, before: 'Former', fact: promotedAs({ description: 'old' }) };
  const conflict = plan(both);
  expect(steps(conflict)).toEqual(['blocked conflict']);
  expect(conflict.steps[0]?.message).toContain('its name is "A" in the release and "By hand" here');
  expect(plan({ ...both, take: { 'Supplier/A#name': 'target' } }).steps[0]).toMatchObject({
    ...{ address: SUPPLIER, action: 'update', liveName: 'By hand' },
    writes: [{ verb: 'update', name: 'By hand' }],
  });
  expect(plan({ ...both, take: { 'Supplier/A': 'release' } }).steps[0]).toMatchObject({
    action: 'rename',
    writes: [{ verb: 'update', name: 'A' }],
  });
});

test('without an earlier promotion, the name is that of the release', () => {
  expect(steps(plan({ ...NAMED, fact: {}, adopt: 'given' }))).toEqual(['rename renamed-outside']);
});
