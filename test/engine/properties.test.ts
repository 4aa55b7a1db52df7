import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Address, addressOf, splitAddress } from '../../src/model/address.js';
import type { Manifest } from '../../src/model/document.js';
import { isObject, type Json } from '../../src/model/json.js';
import type { Plan, Step } from '../../src/model/plan.js';
import { applied, type World } from './apply-model.js';
import { type Case, cases, cuts, worldOf } from './generators.js';
import { type Described, manifestsOf, type Options, planned, STACK } from './planning-world.js';
import { POINTERS, ServiceModel, type Stored } from './service-model.js';

const SEED = Number(process.env.DEXSYNC_SEED ?? Date.now() % 100_000);
const RUNS = Number(process.env.RUNS ?? 250);
console.info(`DEXSYNC_SEED=${SEED}`);

/** The world is observed as the commands do it: children of what a manifest names, and all of what is to be removed. */
function planOf(world: World, manifests: readonly Manifest[], options: Options): Plan {
  const described = new Set(manifests.map(({ address }) => address));
  const removed = [...world.facts].filter(([address, { stack }]) => stack === STACK && !described.has(address));
  const pruned = options.prune === 'yes' ? removed.map(([address]) => address) : [];
  const removing = new Set(
    [...pruned, ...(options.replace ?? [])].flatMap((address) => [
      address,
      world.facts.get(address as Address)?.identity ?? address,
    ]),
  );
  const observation = world.service.observe(({ id, kind, name }) => {
    if (removing.has(id) || removing.has(addressOf(kind, name))) return Object.keys(CHILDREN);
    const meant = manifests.filter(
      (one) =>
        one.kind === kind &&
        ([one.metadata.name, one.metadata.renamedFrom].includes(name) || world.facts.get(one.address)?.identity === id),
    );
    return meant.flatMap(({ spec }) => Object.keys(spec));
  }, described);
  const { plan, findings } = planned({
    ...options,
    manifests,
    observation,
    facts: world.facts,
    capabilityOf: (kind) => world.service.can(kind.name),
  });
  fc.pre(findings.length === 0);
  return plan;
}
const CHILDREN = { members: 1, triggers: 1, administrators: 1 };

const made = (described: readonly Described[]): readonly Manifest[] => {
  const { manifests, findings } = manifestsOf(described);
  expect(findings).toEqual([]);
  return manifests;
};

const open = ({ steps }: Plan): readonly Step[] =>
  steps.filter(({ action }) => action !== 'blocked' && action !== 'manual');
const told = (plan: Plan): string[] =>
  open(plan).map(({ action, reason, address, message }) => `${action} ${reason} ${address}: ${message}`);

const check = (name: string, property: (one: Case) => void) =>
  test(name, () => {
    fc.assert(fc.property(cases, property), { seed: SEED, numRuns: RUNS });
  });

/** What was replaced since it was asked for needs not be asked for again. */
const withoutDone = <O extends Options>(options: O, { steps }: Plan): O => {
  const done = new Set<string>(
    steps.filter(({ action }) => action === 'replace' || action === 'create').map(({ address }) => address),
  );
  return { ...options, replace: (options.replace ?? []).filter((address) => !done.has(address)) };
};

/** Ends protection first, replaces then: two applies by design. */
function settle(
  world: World,
  manifests: readonly Manifest[],
  options: Options,
): { world: World; plan: Plan; later: Options } {
  const first = planOf(world, manifests, options);
  const after = applied(world, first);
  const later = withoutDone(options, first);
  const second = planOf(after, manifests, later);
  const due = new Set(first.steps.filter(({ reason }) => reason === 'protection').map(({ address }) => address));
  if (!open(second).some(({ address }) => due.has(address))) return { world: after, plan: second, later };
  const end = applied(after, second);
  const last = withoutDone(later, second);
  return { world: end, plan: planOf(end, manifests, last), later: last };
}

check(
  '(a) after an apply the next plan is empty but for blocked and manual steps, and so is every further one',
  (one) => {
    const manifests = made(one.described);
    const { world, plan, later } = settle(worldOf(one.scene), manifests, one);
    expect(told(plan)).toEqual([]);
    expect(planOf(applied(world, plan), manifests, later)).toEqual(plan);
  },
);

check('(b) the order of manifests changes nothing', (one) => {
  const world = worldOf(one.scene);
  const plan = planOf(world, made(one.described), one);
  const turned = [...one.described].reverse();
  const other = planOf(world, made(turned), one);
  expect(other).toEqual(plan);
});

/** What the manifests name, as the service holds it. */
function asked(world: World, manifests: readonly Manifest[], left: ReadonlySet<Address>): Json {
  return manifests
    .filter(({ address }) => !left.has(address))
    .map(({ kind, address, metadata, spec }) => {
      const known = world.service.get(world.facts.get(address)?.identity ?? '');
      const object = known === undefined ? world.service.named(kind, metadata.name) : [known];
      return [
        address,
        object.map((o) => Object.keys(spec).map((field) => [field, normal(world.service.told(o)[field])])),
      ];
    }) as Json;
}
/** Of the value what the manifest names. */
const within = (spec: Json, value: Json | undefined): Json =>
  isObject(spec) && isObject(value)
    ? Object.fromEntries(Object.keys(spec).map((field) => [field, within(spec[field] as Json, value[field])]))
    : normal(value);
const normal = (v: Json | undefined): Json =>
  Array.isArray(v) && v.length > 0 ? v.map((x) => JSON.stringify(x)).sort() : Array.isArray(v) ? '' : (v ?? '');

check('(c) there and back again is there', (one) => {
  const a = made(one.described);
  const b = made(one.next);
  const { replace: _, ...options } = one;
  const first = settle(worldOf(one.scene), a, options);
  const between = settle(first.world, b, options);
  const last = settle(between.world, a, options);
  const left = new Set([...first.plan.steps, ...last.plan.steps].map(({ address }) => address));
  expect(asked(last.world, a, left)).toEqual(asked(first.world, a, left));
});

const ownerOf = (world: World, id: string) =>
  [...world.facts.values()].filter(({ identity }) => identity === id).map(({ stack }) => stack);

check('(d) writes go to what is ours or was agreed to', (one) => {
  const world = worldOf(one.scene);
  const plan = planOf(world, made(one.described), one);
  applied(world, plan, undefined, (step, write, id) => {
    const before = world.service.get(id);
    if (before === undefined) return;
    const owners = ownerOf(world, id);
    const { kind, name } = splitAddress(step.address);
    const fact = world.facts.get(addressOf(kind, step.liveName ?? name));
    expect(
      owners.filter((stack) => stack !== STACK),
      `${step.address} ${write.verb}`,
    ).toEqual([]);
    const claimed = fact?.stack === STACK && fact.identity === undefined;
    const own = owners.includes(STACK) || claimed;
    if (write.verb === 'delete' || write.verb === 'retire') expect(own, `${step.address} ${write.verb}`).toBe(true);
    if (!own || (step.fact?.how === 'adopted' && fact?.how !== 'adopted')) {
      if (own) return;
      expect(['ask', 'given']).toContain(one.adopt);
      expect(step.fact?.how).toBe('adopted');
    }
  });
});

check('(e) no second object of a name', (one) => {
  const world = worldOf(one.scene);
  applied(world, planOf(world, made(one.described), one));
});

check('(f) without a ledger', (one) => {
  const world = { ...worldOf(one.scene), facts: new Map() };
  const plan = planOf(world, made(one.described), one);
  for (const step of plan.steps) {
    expect(['delete', 'retire', 'replace', 'forget']).not.toContain(step.action);
    const { kind, name } = splitAddress(step.address);
    if (step.reason === 'absent') expect(world.service.named(kind, name)).toEqual([]);
    if (step.observed !== undefined && step.writes.length > 0) expect(step.fact?.how).toBe('adopted');
  }
});

const summary = (world: World, plan: Plan) => ({
  names: world.service
    .all()
    .map(({ kind, name }) => addressOf(kind, name))
    .filter((n) => !/~retired/.test(n))
    .sort(),
  steps: plan.steps.map(({ action, reason, address }) => `${action} ${reason} ${address}`),
});

test('(g) killed', () => {
  fc.assert(
    fc.property(cases, cuts, (one, cut) => {
      const manifests = made(one.described);
      const world = worldOf(one.scene);
      const plan = planOf(world, manifests, one);
      const replaced = plan.steps.filter(({ action }) => action === 'replace').map(({ address }) => address);
      const options = { ...one, replace: one.replace.filter((address) => replaced.includes(address)) };
      const whole = settle(world, manifests, options);
      let index = 0;
      const killed = applied(world, plan, () => cut[index++ % cut.length]!);
      const again = settle(killed, manifests, options);
      expect(told(again.plan)).toEqual([]);
      if (plan.steps.some(({ reason }) => reason === 'asked')) return;
      expect(summary(again.world, again.plan)).toEqual(summary(whole.world, whole.plan));
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

check('(h) protect', (one) => {
  const world = worldOf(one.scene);
  const plan = planOf(world, made(one.described), one);
  applied(world, plan, undefined, (step, write, id) => {
    if (write.verb !== 'delete' && write.verb !== 'retire') return;
    const facts = [...world.facts.values()].filter(({ identity }) => identity === id);
    expect(
      facts.filter(({ protect }) => protect),
      step.address,
    ).toEqual([]);
  });
});

check('(i) dependents', (one) => {
  const plan = planOf(worldOf(one.scene), made(one.described), one);
  const seen = new Map<string, Step>();
  for (const step of plan.steps) {
    for (const needed of step.dependsOn) expect(seen.has(needed)).toBe(true);
    const stopped = step.dependsOn.some((needed) => ['blocked', 'manual'].includes(seen.get(needed)?.action ?? ''));
    if (stopped) expect(['blocked', 'manual']).toContain(step.action);
    if (step.reason === 'dependency-blocked') expect(stopped).toBe(true);
    seen.set(step.address, step);
  }
});

check('(j) price', (one) => {
  const world = worldOf(one.scene);
  const plan = planOf(world, made(one.described), one);
  const { service } = applied(world, plan);
  expect(plan.requests.apply).toEqual({ min: service.requests, max: service.requests });
});

check('(k) what no manifest names stays', (one) => {
  const manifests = made(one.described);
  const world = worldOf(one.scene);
  const plan = planOf(world, manifests, one);
  const { service: after, facts } = applied(world, plan);
  for (const step of plan.steps) {
    if (step.writes.length === 0 || step.identity === undefined || ['delete', 'retire'].includes(step.action)) continue;
    const { kind, name } = splitAddress(step.address);
    if (kind === 'NumberReservation') continue;
    const spec = manifests.find(({ address }) => address === step.address)?.spec ?? {};
    const before = world.service.get(step.identity) as Stored;
    const now = (after.get(facts.get(step.address)?.identity ?? '') ?? after.named(kind, name)[0]) as Stored;
    for (const field of Object.keys(before.spec)) {
      if (!(field in spec))
        expect([field, normal(now.spec[field])], step.address).toEqual([field, normal(before.spec[field])]);
    }
  }
});
