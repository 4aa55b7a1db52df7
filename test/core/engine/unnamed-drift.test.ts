import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { diffSpec, isRelated, topField } from '#core/engine/diff.js';
import { baseOf, completeSpec, pulledFact, withBase } from '#core/engine/field-base.js';
import { learnedFacts } from '#core/engine/learned-facts.js';
import { unnamedDrift } from '#core/engine/unnamed-drift.js';
import type { Address } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import type { Json, JsonObject } from '#core/model/json.js';
import { deadReference } from '#core/model/kind.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Capability } from '#core/model/observation.js';
import { scaled } from '../../harness/sample.js';
import type { World } from './apply-model.js';
import { cases, worldOf } from './generators.js';
import { manifestsIn, plannedOf, settled } from './planned-world.js';
import { type Options, type Planning, planned, STACK } from './planning-world.js';

const definition = builtIn.knownKind('ImportDefinition');
const group = builtIn.knownKind('UserGroup');
const reservation = builtIn.knownKind('NumberReservation');
const CAN = {} as Capability;

const factWith = (applied: JsonObject, observed?: JsonObject): ObjectFact => ({
  ...{ stack: STACK, how: 'created', protect: false, identity: 'i', applied },
  ...(observed === undefined ? {} : { observed }),
});

/** What `observed` has, of what a manifest names and what lives. */
const recorded = (named: JsonObject, seen: JsonObject, before?: ObjectFact) =>
  withBase(definition, CAN, factWith(named), { seen, before }).observed;

const number = { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Number' };
const rohs = { resource: 'ITEM_SPECS', attribute: 'RoHS', sourceName: 'RoHS' };
const COMMON = { sourceName: null, inResponse: true, notes: null };

describe('the base of a field', () => {
  test('is the observed value, also an empty one, where the manifest does not name it', () => {
    const named = { resource: 'ITEM_SPECS', mode: 'EDIT', options: { removeValue: 'x' } };
    const seen = { resource: 'ITEM_SPECS', mode: 'EDIT', options: { removeValue: 'x', timeZone: 'CET' } };
    expect(recorded(named, seen)).toMatchObject({ description: null, options: { timeZone: 'CET', fileEdition: null } });
    expect(recorded(named, seen)).not.toHaveProperty(['options', 'removeValue']);
    expect(recorded({ ...named, options: null }, seen)).toEqual({ description: null });
    expect(recorded({ description: 'd', ...named, options: {} }, { ...seen, options: null })).toMatchObject({
      options: { removeValue: null },
    });
  });

  test('is short for entries of a list, and gives them back as they were', () => {
    const mapping = [
      { ...number, inResponse: true },
      { ...rohs, inResponse: false, notes: 'n' },
    ];
    const kept = (named: JsonObject) =>
      partAt(recorded({ mode: 'EDIT', options: named }, { options: { mapping } }) ?? {}, ['options', 'mapping']);
    expect(kept({ mapping: [number, { ...rohs, inResponse: false }] })).toEqual([
      COMMON,
      { resource: 'ITEM_SPECS', attribute: 'RoHS', notes: 'n' },
    ]);
    // What a manifest does not name at all is there whole; of an entry that does not live nothing is known.
    expect(kept({})).toEqual([COMMON, number, { ...rohs, inResponse: false, notes: 'n' }]);
    expect(kept({ mapping: [{ ...rohs, apiName: 'other' }] })).toEqual([COMMON]);
    const fact = factWith({ options: { mapping: [number] } }, { options: { mapping: [COMMON] } });
    expect(baseOf(definition.schema, fact)).toEqual({ options: { mapping: [{ ...COMMON, ...number }] } });
    const whole = factWith({}, { options: { mapping: kept({}) as Json } });
    expect(baseOf(definition.schema, whole)).toEqual({
      options: {
        mapping: [
          { ...COMMON, ...number },
          { ...rohs, inResponse: false, notes: 'n' },
        ],
      },
    });
  });

  test('stays where one was recorded, and is the observed value elsewhere', () => {
    const before = factWith({ description: 'a' }, { mode: 'EDIT' });
    const seen = { description: 'b', mode: 'CREATE', resource: 'ITEM_BOM' };
    expect(recorded({}, seen, before)).toMatchObject({ description: 'a', mode: 'EDIT', resource: 'ITEM_BOM' });
    expect(withBase(definition, CAN, factWith({}), {}).observed).toBeUndefined();
    expect(recorded({}, {}, factWith({ options: { mapping: [] } }))).toMatchObject({ options: { mapping: [COMMON] } });
  });

  test('is unknown for hidden fields, fields that were not read, and dead references', () => {
    const seen = { description: 'd', options: { mapping: [{ ...rohs, attribute: deadReference('Attribute') }] } };
    expect(recorded({}, seen)).not.toHaveProperty(['options', 'mapping']);
    const { observed } = withBase(group, { ...CAN, hidden: ['description'] }, factWith({}), {
      seen: { enabled: true },
    });
    expect(observed).toEqual({ enabled: true, assignability: null });
    expect(withBase(group, CAN, factWith({}), { seen: { members: ['ann'] } }).observed).toHaveProperty('members');
  });

  test('has nothing beside lists whose entries are all key', () => {
    const trigger = builtIn.knownKind('Trigger');
    const seen = { resource: 'ITEM', action: 'EDIT', attributes: [{ apiName: 'name' }, { apiName: 'number' }] };
    const named = { resource: 'ITEM', action: 'EDIT' };
    const observed = (applied: JsonObject) => withBase(trigger, CAN, factWith(applied), { seen }).observed;
    expect(observed(named)).toMatchObject({ attributes: seen.attributes });
    expect(observed({ ...named, attributes: [{ apiName: 'name' }] })).not.toHaveProperty('attributes');
    // Any value in a list of an answer is kept.
    const odd = { ...named, attributes: ['odd'] };
    expect(withBase(trigger, CAN, factWith(named), { seen: odd }).observed).toMatchObject({ attributes: ['odd'] });
    expect(withBase(trigger, CAN, factWith({ attributes: [{ apiName: 'x' }] }), { seen: odd }).observed).toEqual({
      ...{ description: null, category: null, conditions: null, resource: 'ITEM', action: 'EDIT' },
    });
  });

  test('is missing where an object is created only once', () => {
    expect(withBase(reservation, CAN, factWith({}), { seen: { quantity: 3 } })).toEqual(factWith({}));
  });

  test('is the live value once a pull wrote it to a manifest', () => {
    const before = factWith(
      { description: 'a', mode: 'EDIT', options: { mapping: [number] } },
      { resource: 'ITEM_BOM' },
    );
    const live = { description: 'b', resource: 'ITEM_SPECS', options: { mapping: [{ ...number, notes: 'n' }, rohs] } };
    const named = { description: 'a', mode: 'EDIT', options: { mapping: [number] } };
    const can = { ...CAN, hidden: ['mode'] };
    const pulled = pulledFact(definition, can, before, { named, live, takesDrift: false });
    expect(pulled.applied).toEqual({ mode: 'EDIT', description: 'b', options: { mapping: [number, rohs] } });
    expect(pulled.observed).toMatchObject({ resource: 'ITEM_BOM' });
    expect(pulledFact(definition, can, before, { named, live, takesDrift: true }).observed).toMatchObject({
      ...{
        resource: 'ITEM_SPECS',
        options: { mapping: [COMMON, { resource: 'ITEM_SPECS', apiName: 'number', notes: 'n' }] },
      },
    });
    expect(pulledFact(definition, CAN, before, { named, live: {}, takesDrift: false }).applied).toMatchObject({
      ...{ description: null, options: null },
    });
    const unanswered = { ...before, former: before };
    expect(pulledFact(definition, can, unanswered, { named, live, takesDrift: false })).toEqual(pulled);
  });

  test('a fully managed object gets back its recorded values, except hidden fields and lists that cost a request each', () => {
    const fact = factWith({ description: 'a' }, { enabled: true, members: ['ann'], assignability: ['CHANGES'] });
    const can = { ...CAN, hidden: ['assignability'] };
    expect(completeSpec(group, can, { description: 'b' }, fact)).toEqual({ description: 'b', enabled: true });
    expect(completeSpec(group, can, { members: [] }, fact)).toEqual({ description: 'a', enabled: true, members: [] });
  });
});

describe('drift outside the manifests', () => {
  const world = (facts: Record<string, ObjectFact>, live: JsonObject, name = 'G'): Planning => ({
    manifests: [],
    observation: {
      objects: new Map([['UserGroup', [{ name, identity: 'i', spec: live }]]]),
      ...{ lookups: new Map(), unlisted: new Set<string>() },
    },
    facts: new Map(Object.entries(facts) as [Address, ObjectFact][]),
    capabilityOf: () => ({ list: true, create: true, update: [], updateBody: 'full', delete: true }),
  });
  const found = (planning: Planning) => {
    const { input } = planned(planning);
    return unnamedDrift({ ...input, stack: STACK, described: input.prune.described });
  };
  const described = (metadata: JsonObject, spec: JsonObject) =>
    manifestsIn([{ kind: 'UserGroup', metadata: { name: 'G', ...metadata }, spec }]);
  const observed = { description: 'a', enabled: true, assignability: null };
  const live = { description: 'b', enabled: false, assignability: [] };

  test('is reported for fields that a manifest neither names nor ignores', () => {
    const at = world({ 'UserGroup/G': factWith({}, observed) }, live);
    const manifests = described({ ignore: ['enabled'] }, {});
    expect(found({ ...at, manifests })).toEqual([
      expect.objectContaining({
        fields: [{ path: 'description', before: 'b', after: 'a' }],
        ...{ recorded: 'whole', unread: ['members'] },
      }),
    ]);
    expect(found({ ...at, manifests: described({}, { description: 'x' }) })[0]?.fields).toEqual([
      { path: 'enabled', before: false, after: true },
    ]);
  });

  test('is reported for objects without a manifest, but not for objects that were not looked up', () => {
    const lost = { ...live, description: deadReference('User') };
    expect(found(world({ 'UserGroup/G': factWith({ description: 'a' }, { enabled: true }) }, lost))).toEqual([
      expect.objectContaining({ fields: [{ path: 'enabled', before: false, after: true }], recorded: 'in part' }),
    ]);
    expect(found(world({ 'UserGroup/G': factWith({}) }, live, 'Elsewhere'))[0]?.fields).toEqual([
      { path: 'name', before: 'Elsewhere', after: 'G' },
    ]);
    expect(found(world({ 'UserGroup/G': { ...factWith({}), identity: 'gone' } }, live))).toEqual([
      expect.objectContaining({ gone: true, fields: [] }),
    ]);
    expect(found(world({ 'UserGroup/G': { ...factWith({}, observed), stack: 'other' } }, live))).toEqual([]);
    const odd = { name: 'G', identity: 'i', spec: live, odd: { why: 'is odd', unknown: [] } };
    const unread = world({ 'UserGroup/G': factWith({}, observed) }, live);
    const objects = new Map([['UserGroup', [odd]]]);
    expect(found({ ...unread, observation: { ...unread.observation, objects } as Planning['observation'] })).toEqual(
      [],
    );
    const hidden = world({ 'UserGroup/G': { ...factWith({}), identity: 'gone' } }, live);
    const unproved = new Map([['gone', 'reading it was refused']]);
    expect(found({ ...hidden, observation: { ...hidden.observation, unproved } as Planning['observation'] })).toEqual(
      [],
    );
  });

  test('is reported for a renamed object whose name another one took; the base follows the observation', () => {
    const at = (odd: object, fact: ObjectFact): Planning => {
      const { observation, ...rest } = world({ 'UserGroup/G': fact }, live);
      const objects = [
        { name: 'G', identity: 'j', spec: {} },
        { name: 'Aside', identity: 'i', spec: live, ...odd },
      ];
      return {
        ...{ ...rest, manifests: described({}, { description: 'x' }), adopt: 'never' },
        observation: { ...observation, objects: new Map([['UserGroup', objects]]) },
      };
    };
    const fact = factWith({ description: 'a' }, { enabled: true });
    expect(found(at({}, fact))).toEqual([
      expect.objectContaining({
        ...{ address: 'UserGroup/G', recorded: 'in part' },
        fields: [
          { path: 'description', before: 'b', after: 'a' },
          { path: 'enabled', before: false, after: true },
        ],
      }),
    ]);
    expect(found(at({ odd: { why: 'is odd', unknown: [] } }, fact))).toEqual([]);
    expect(found(at({}, { ...fact, stack: 'other' }))).toEqual([]);
    const { input } = planned(at({}, fact));
    const [[, learned] = []] = learnedFacts({ ...input, others: new Set<Address>() });
    expect(learned).toEqual({ ...fact, observed: { enabled: true, assignability: [] } });
  });

  test('is not reported for references to an object that people or a plan rename', () => {
    const policy = (userGroups: string[]): ObjectFact => ({ ...factWith({ userGroups }), identity: 'p' });
    const drift = (name: string, refers: string, manifests: readonly Manifest[]) => {
      const at = world({ 'UserGroup/Old': factWith({}), 'Policy/P': policy(['Old']) }, {}, name);
      const objects = new Map([
        ...at.observation.objects,
        ['Policy', [{ name: 'P', identity: 'p', spec: { userGroups: [refers] } }]] as const,
      ]);
      const all = found({ ...at, observation: { ...at.observation, objects }, manifests });
      return all
        .filter(({ address }) => address === 'Policy/P')
        .flatMap(({ fields }) => fields.map(({ path }) => path));
    };
    const renaming = { kind: 'UserGroup', metadata: { name: 'New', renamedFrom: 'Old' }, spec: {} };
    const described = { kind: 'Policy', metadata: { name: 'P' }, spec: {} };
    for (const manifests of [[], [renaming], [described], [renaming, described]].map(manifestsIn)) {
      for (const name of ['Old', 'By hand', 'New']) expect(drift(name, name, manifests)).toEqual([]);
      expect(drift('Old', 'Other', manifests)).toHaveLength(2);
    }
  });

  test('is planned back where the manifest or the stack manages everything', () => {
    const at = { ...world({ 'UserGroup/G': factWith({}, observed) }, live), manifests: described({}, {}) };
    const can = { ...at.capabilityOf(group), update: ['name', 'description', 'enabled', 'assignability'] };
    const pathsOf = (planning: Partial<Planning>) =>
      planned({ ...at, capabilityOf: () => can, ...planning }).plan.steps.flatMap(({ fields }) =>
        fields.map(({ path, cause }) => `${path} ${cause}`),
      );
    expect(pathsOf({})).toEqual([]);
    expect(pathsOf({ manage: 'full' })).toEqual(['description drift', 'enabled drift']);
    expect(pathsOf({ manifests: described({ manage: 'full' }, {}) })).toEqual(['description drift', 'enabled drift']);
    // What nobody owns yet has no base.
    expect(pathsOf({ manage: 'full', facts: new Map() })).toEqual([]);
  });

  test('a base that an apply records beside its steps is recorded once', () => {
    const manifests = described({}, { description: 'b' });
    const learnedOf = (fact: ObjectFact) => {
      const { input } = planned({ ...world({ 'UserGroup/G': fact }, live), manifests });
      return learnedFacts({ ...input, others: new Set<Address>() });
    };
    const [[address, fact] = []] = learnedOf(factWith({ description: 'b' }));
    expect([address, fact?.observed]).toEqual(['UserGroup/G', { enabled: false, assignability: [] }]);
    expect(learnedOf(fact as ObjectFact)).toEqual([]);
  });

  test('a missing record is not drift, and neither is an object of another stack', () => {
    const manifests = described({}, { description: 'b' });
    expect(found({ ...world({ 'UserGroup/G': factWith({ description: 'b' }) }, live), manifests })).toEqual([
      expect.objectContaining({ fields: [], recorded: 'in part' }),
    ]);
    const other = { ...factWith({}, observed), stack: 'other' };
    expect(found({ ...world({ 'UserGroup/G': other }, live), manifests })).toEqual([]);
    expect(found({ ...world({}, live, 'H'), manifests })).toEqual([]);
  });
});

/** Paths of a live object that somebody may change manually, and the values to set. */
const BY_HAND: Readonly<Record<string, readonly (readonly [path: string, values: readonly Json[]])[]>> = {
  UserGroup: [
    ['description', ['by hand', '']],
    ['enabled', [true, false]],
    ['assignability', [['QUALITY'], []]],
    ['members', [['ann@x'], []]],
  ],
  Trigger: [
    ['description', ['by hand', '']],
    ['attributes', [[{ apiName: 'number' }], []]],
  ],
  OutboundIntegration: [['enabled', [true, false]]],
  Policy: [
    ['description', ['by hand', '']],
    ['enabled', [true, false]],
    ['rules', [[{ resource: 'FILE', actions: ['READ'] }], []]],
  ],
  ImportDefinition: [
    ['description', ['by hand']],
    ['options.matchDuplicates', ['ERROR', 'APPLY_TO_ALL']],
    ['options.removeValue', ['by hand']],
  ],
  ExtractDefinition: [
    ['enabled', [true, false]],
    ['type', ['FULL', 'INCREMENTAL']],
  ],
};

/** All that a command would call drift, as `address path`. */
function driftOf(world: World, manifests: readonly Manifest[], options: Options): string[] {
  const { plan, input } = plannedOf(world, manifests, { ...options, prune: 'no' });
  const named = plan.steps.flatMap(({ address, fields }) =>
    fields.filter(({ cause }) => cause === 'drift' || cause === 'both').map(({ path }) => `${address} ${path}`),
  );
  const beside = unnamedDrift({ ...input, stack: STACK, described: input.prune.described });
  const unnamed = beside.flatMap(({ address, fields }) => fields.map(({ path }) => `${address} ${path}`));
  return [...new Set([...named, ...unnamed])].sort();
}

/** As if a journal had been written: the ledger knows of all that was seen. */
function learned(world: World, manifests: readonly Manifest[], options: Options): World {
  const { plan, input } = plannedOf(world, manifests, options);
  const others = new Set<Address>(plan.steps.map(({ address }) => address));
  return { ...world, facts: new Map([...world.facts, ...learnedFacts({ ...input, others })]) };
}

interface Edit {
  readonly address: Address;
  readonly id: string;
  readonly path: string;
  readonly value: Json;
}

const partAt = (spec: JsonObject, [first, ...rest]: readonly string[]): Json | undefined => {
  const value = spec[first as string];
  return rest.length === 0 ? value : partAt((value ?? {}) as JsonObject, rest);
};

const withValue = (spec: JsonObject, [first, ...rest]: readonly string[], value: Json): Json =>
  rest.length === 0 ? value : { ...(spec[first as string] as JsonObject), [rest[0] as string]: value };

/** What can be seen of each object of the stack that is as it is asked to be, and that a person may change. */
function editsOf({ service, facts }: World, manifests: readonly Manifest[], left: ReadonlySet<string>): Edit[] {
  return manifests.flatMap(({ address, kind, metadata, spec }): Edit[] => {
    const fact = facts.get(address);
    const object = service.get(fact?.identity ?? '');
    if (fact?.stack !== STACK || object === undefined || left.has(address)) return [];
    const { hidden = [], children = [] } = service.can(kind);
    return (BY_HAND[kind] ?? []).flatMap(([path, values]): Edit[] => {
      const isSeen = !hidden.includes(topField(path)) && (!children.includes(path) || path in spec);
      const isIgnored = metadata.ignore?.some((field) => isRelated(field, path)) === true;
      const now = partAt(object.spec, path.split('.')) ?? null;
      const { schema } = builtIn.knownKind(kind);
      const as = (value: Json): JsonObject => ({ [topField(path)]: withValue(object.spec, path.split('.'), value) });
      const value = values.find((one) => diffSpec(schema, as(one), as(now)).length > 0);
      return value === undefined || !isSeen || isIgnored ? [] : [{ address, id: object.id, path, value }];
    });
  });
}

test('after an apply exactly the manual changes of fields are drift, until they are set back', () => {
  let tried = 0;
  fc.assert(
    fc.property(cases, fc.nat(), (one, which) => {
      const options = { adopt: one.adopt, prune: one.prune, replace: [] };
      const manifests = manifestsIn(one.described);
      const first = settled(worldOf(one.scene), manifests, options);
      const world = learned(first.world, manifests, options);
      const before = driftOf(world, manifests, options);
      const edits = editsOf(world, manifests, new Set(first.plan.steps.map(({ address }) => address)));
      const edit = edits[which % Math.max(1, edits.length)];
      if (edit === undefined || before.some((line) => line.startsWith(`${edit.address} `))) return;
      tried += 1;
      const { address, id, path, value } = edit;
      const service = world.service.copy();
      const { spec } = service.get(id) as { spec: JsonObject };
      service.byHand(id, topField(path), withValue(spec, path.split('.'), value));
      const edited = { ...world, service };
      const found = driftOf(edited, manifests, options).filter((line) => !before.includes(line));
      expect(found.length, `${address} ${path}`).toBeGreaterThan(0);
      for (const line of found) expect(isRelated(line.slice(address.length + 1), path), line).toBe(true);
      const again = learned(edited, manifests, options);
      expect(driftOf(again, manifests, options)).toEqual(driftOf(edited, manifests, options));
      const back = edited.service.copy();
      back.byHand(id, topField(path), spec[topField(path)] ?? null);
      expect(driftOf({ ...again, service: back }, manifests, options)).toEqual(before);
    }),
    { numRuns: scaled(2000, 50) },
  );
  expect(tried).toBeGreaterThan(5);
});
