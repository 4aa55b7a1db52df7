import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Address, addressOf, splitAddress } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import { isObject, type Json } from '#core/model/json.js';
import type { Plan, Step } from '#core/model/plan.js';
import { scaled } from '../../harness/sample.js';
import { applied, type World } from './apply-model.js';
import { type Case, cases, worldOf } from './generators.js';
import { KEPT } from './kept-cases.js';
import { manifestsIn, open, planOf, settled } from './planned-world.js';
import { STACK } from './planning-world.js';
import type { Stored } from './service-model.js';

const RUNS = scaled(2000, 100);

const holds = (promise: string, property: (one: Case) => void): void =>
  test(promise, () =>
    fc.assert(fc.property(cases, property), {
      numRuns: RUNS + KEPT.length,
      examples: KEPT.map((one): [Case] => [one]),
    }),
  );

const told = (plan: Plan): string[] =>
  open(plan).map(({ action, reason, address, message }) => `${action} ${reason} ${address}: ${message}`);

holds('after an apply the next plan does nothing, and neither does any further one', (one) => {
  const manifests = manifestsIn(one.described);
  const { world, plan, options } = settled(worldOf(one.scene), manifests, one);
  expect(told(plan)).toEqual([]);
  expect(planOf(applied(world, plan), manifests, options)).toEqual(plan);
});

holds('the order of the manifests changes nothing', (one) => {
  const world = worldOf(one.scene);
  const turned = manifestsIn([...one.described].reverse());
  expect(planOf(world, turned, one)).toEqual(planOf(world, manifestsIn(one.described), one));
});

holds('there and back again: what the manifests name is as it was', (one) => {
  const [here, there] = [manifestsIn(one.described), manifestsIn(one.next)];
  const options = { ...one, replace: [] };
  const first = settled(worldOf(one.scene), here, options);
  const between = settled(first.world, there, options);
  const last = settled(between.world, here, options);
  const left = new Set([...first.plan.steps, ...last.plan.steps].map(({ address }) => address));
  const compared = here.filter(({ address }) => !left.has(address));
  expect(named(last.world, compared)).toEqual(named(first.world, compared));
});

/** What the manifests name, as the service has it. */
const named = ({ service, facts }: World, manifests: readonly Manifest[]): [Address, Json][] =>
  manifests.map(({ kind, address, metadata, spec }) => {
    const objects = service.named(kind, metadata.name);
    const object = (objects.find(({ id }) => id === facts.get(address)?.identity) ?? objects[0]) as Stored;
    return [address, [object.name, within(spec, service.told(object))]];
  });

const within = (spec: Json, value: Json | undefined): Json =>
  isObject(spec) && isObject(value)
    ? Object.fromEntries(Object.keys(spec).map((field) => [field, within(spec[field] as Json, value[field])]))
    : plain(value);

/** Lists here are sets; the service takes an empty value and none for the same. */
function plain(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.length === 0 ? '' : value.map((entry) => JSON.stringify(entry)).sort();
  if (!isObject(value)) return value ?? '';
  const members = Object.entries(value).map(([field, entry]) => [field, plain(entry)] as const);
  return Object.fromEntries(members.filter(([, entry]) => entry !== ''));
}

holds(
  'no write goes to an object that is neither owned nor adopted by agreement, and none to one of another stack',
  (one) => {
    const world = worldOf(one.scene);
    writesOf(one, world, (step, verb, { id }) => {
      const facts = [...world.facts.values()].filter(({ identity }) => identity === id);
      expect(
        facts.filter(({ stack }) => stack !== STACK),
        `${verb} of ${step.address}`,
      ).toEqual([]);
      const { kind, name } = splitAddress(step.address);
      const intended = world.facts.get(addressOf(kind, step.liveName ?? name));
      const isIntended = intended?.stack === STACK && intended.identity === undefined;
      if (facts.length > 0 || (isIntended && step.fact?.how !== 'adopted')) return;
      expect(step.fact?.how).toBe('adopted');
      expect(['ask', 'given']).toContain(one.adopt);
      expect(['delete', 'retire']).not.toContain(verb);
    });
  },
);

/** Hears of each write of the plan to an object that was there before. */
function writesOf(one: Case, world: World, hear: (step: Step, verb: string, object: Stored) => void): void {
  applied(world, planOf(world, manifestsIn(one.described), one), undefined, (step, { verb }, id) => {
    const object = world.service.get(id);
    if (object !== undefined) hear(step, verb, object);
  });
}

holds('no second object gets a name, and every write is possible when its turn comes', (one) => {
  const world = worldOf(one.scene);
  // The model takes no write that would make a second object of a name or that names what is not there.
  applied(world, planOf(world, manifestsIn(one.described), one));
});

holds('without its ledger a stack removes nothing, and makes nothing that is there', (one) => {
  const world = { ...worldOf(one.scene), facts: new Map() };
  for (const step of planOf(world, manifestsIn(one.described), one).steps) {
    expect(['delete', 'retire', 'replace', 'forget']).not.toContain(step.action);
    const { kind, name } = splitAddress(step.address);
    if (step.reason === 'absent') expect(world.service.named(kind, name)).toEqual([]);
    if (step.observed !== undefined && step.writes.length > 0) expect(step.fact?.how).toBe('adopted');
  }
});

holds('the next apply completes one that was killed anywhere, without duplicates', (one) => {
  const manifests = manifestsIn(one.described);
  const world = wellKnown(worldOf(one.scene));
  const plan = planOf(world, manifests, one);
  const anew = plan.steps.filter(({ action }) => action === 'replace').map(({ address }) => address);
  const options = { ...one, replace: one.replace.filter((address) => anew.includes(address)) };
  const whole = settled(world, manifests, options);
  const killed = applied(world, plan, (step) => one.cuts[plan.steps.indexOf(step) % one.cuts.length] ?? {});
  const again = settled(killed, manifests, options);
  expect(told(again.plan)).toEqual([]);
  // A replacement on request is requested again.
  if (options.replace.length === 0) expect(outcome(again)).toEqual(outcome(whole));
});

/**
 * Without what only two mishaps at once bring about: a creation that was cut off, or two objects that swapped their names,
 * and then a kill before the ledger has learned of it. That object is asked about once more.
 */
const wellKnown = ({ service, facts }: World): World => ({
  service,
  facts: new Map(
    [...facts].filter(([address, { identity }]) => {
      const object = service.get(identity ?? '');
      const present = object === undefined ? address : addressOf(object.kind, object.name);
      return identity !== undefined && (present === address || !facts.has(present));
    }),
  ),
});

/** The names in the workspace and what is left to do. */
const outcome = ({ world, plan }: { readonly world: World; readonly plan: Plan }) => ({
  names: world.service
    .all()
    .map(({ kind, name }) => addressOf(kind, name))
    .filter((address) => !address.includes('~retired'))
    .sort(),
  left: plan.steps.map(({ action, reason, address }) => `${action} ${reason} ${address}`),
});

holds('what the ledger protects is neither deleted nor replaced', (one) => {
  const world = worldOf(one.scene);
  writesOf(one, world, (step, verb, { id }) => {
    const isProtected = [...world.facts.values()].some(({ identity, protect }) => identity === id && protect);
    if (verb === 'delete' || verb === 'retire') expect(isProtected, step.address).toBe(false);
  });
});

holds(
  'every step comes after those that it needs; what needs a blocked one is blocked, and nothing else for that',
  (one) => {
    const done = new Map<Address, boolean>();
    for (const { address, action, reason, dependsOn } of planOf(worldOf(one.scene), manifestsIn(one.described), one)
      .steps) {
      expect(dependsOn.filter((needed) => !done.has(needed))).toEqual([]);
      const isDone = action !== 'blocked' && action !== 'manual';
      const canBe = dependsOn.every((needed) => done.get(needed));
      if (!canBe) expect(isDone).toBe(false);
      if (reason === 'dependency-blocked') expect(canBe).toBe(false);
      done.set(address, isDone);
    }
  },
);

holds('the price of a plan is the number of its requests', (one) => {
  const world = worldOf(one.scene);
  const plan = planOf(world, manifestsIn(one.described), one);
  const { requests } = applied(world, plan).service;
  expect(plan.requests.apply).toEqual({ min: requests, max: requests });
});

holds('fields that no manifest names stay as they are, also in renamed and recreated objects', (one) => {
  const manifests = manifestsIn(one.described);
  const world = worldOf(one.scene);
  const plan = planOf(world, manifests, one);
  const { service, facts } = applied(world, plan);
  for (const { manifest, before } of changed(plan, manifests, world)) {
    const now = service.get(facts.get(manifest.address)?.identity ?? '') as Stored;
    const unnamed = Object.keys(before.spec).filter((field) => !(field in manifest.spec));
    const values = ({ spec }: Stored) => unnamed.map((field) => [field, plain(spec[field])]);
    expect(values(now), manifest.address).toEqual(values(before));
  }
});

/** The objects that a plan changes or recreates; reservations only grow. */
const changed = ({ steps }: Plan, manifests: readonly Manifest[], { service }: World) =>
  manifests.flatMap((manifest) => {
    const step = steps.find(({ address, writes }) => address === manifest.address && writes.length > 0);
    const before = service.get(step?.identity ?? '');
    return before === undefined || manifest.kind === 'NumberReservation' ? [] : [{ manifest, before }];
  });
