import fc from 'fast-check';
import { builtIn } from '#core/catalog.js';
import { listReferences } from '#core/engine/references.js';
import { type Address, addressOf } from '#core/model/address.js';
import { isObject, type JsonObject } from '#core/model/json.js';
import { deadReference, type Kind } from '#core/model/kind.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import { profileNamed } from '#service/profiles/profiles.js';
import type { Cut, World } from './apply-model.js';
import type { Described } from './planning-world.js';
import { KINDS, POINTERS, ServiceModel, type Stored } from './service-model.js';

/** A workspace with its ledger as data, so that a case that failed can be kept as an example. */
export interface Scene {
  readonly profile: 'reference' | 'arena';
  readonly live: readonly Placed[];
  readonly facts: readonly PlacedFact[];
}

export interface Placed {
  readonly kind: string;
  readonly name: string;
  readonly spec: JsonObject;
}

export interface PlacedFact extends Pick<Placed, 'kind' | 'name'> {
  readonly stack: string;
  readonly how: ObjectFact['how'];
  readonly protect: boolean;
  /** The live object of its name, another one by its number, one that no longer exists, or nobody knows which. */
  readonly about: 'named' | number | 'gone' | 'intended';
  /** The fields that were applied: of the object as it is, or others. */
  readonly applied: readonly string[] | JsonObject;
}

const NAMES = ['A', 'B', 'C'];
const fewOf = <T>(...entries: readonly T[]): fc.Arbitrary<T[]> => fc.subarray([...entries]);
const fields = (
  model: Record<string, fc.Arbitrary<unknown>>,
  required: readonly string[] = [],
): fc.Arbitrary<JsonObject> => fc.record(model, { requiredKeys: [...required] }) as fc.Arbitrary<JsonObject>;
const cleared = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 6 });

const text = cleared(fc.constantFrom('', 'a', 'b'));
const flag = cleared(fc.boolean());
const users = cleared(fewOf('ann@x', 'Bo', 'cy@x'));
const target = { resource: 'ITEM_SPECS', inResponse: true };
const options = fields({
  matchDuplicates: cleared(fc.constantFrom('ERROR', 'APPLY_TO_ALL')),
  stripWhiteSpace: fc.constantFrom('STRIP', 'RETAIN'),
  mapping: cleared(
    fewOf(
      { ...target, apiName: 'number', sourceName: 'Number' },
      { ...target, attribute: 'RoHS', sourceName: 'RoHS' },
      { resource: 'ITEM_SPECS', attribute: 'Weight', sourceName: 'weight' },
    ),
  ),
});

/** A valid spec of each kind. */
const SPECS: Readonly<Record<string, fc.Arbitrary<JsonObject>>> = {
  UserGroup: fields({
    description: text,
    enabled: flag,
    assignability: cleared(fewOf('CHANGES', 'QUALITY')),
    members: users,
  }),
  Trigger: fields(
    {
      description: text,
      resource: fc.constant('ITEM'),
      action: fc.constantFrom('CREATE', 'EDIT'),
      category: cleared(fc.constantFrom('Resistor', 'Item\\Screw')),
      attributes: cleared(fewOf({ apiName: 'number' }, { attribute: 'RoHS' })),
      conditions: cleared(fewOf({ apiName: 'number', operator: 'CONTAINS', value: 'x' })),
    },
    ['resource', 'action'],
  ),
  OutboundIntegration: fields({ enabled: flag, triggers: cleared(fewOf(...NAMES)), administrators: users }),
  Policy: fields({
    description: text,
    enabled: flag,
    userGroups: cleared(fewOf(...NAMES)),
    rules: cleared(fewOf({ resource: 'ITEM', actions: ['READ', 'EDIT'] }, { resource: 'CHANGE', actions: ['READ'] })),
  }),
  ImportDefinition: fields(
    {
      description: text,
      resource: fc.constant('ITEM_SPECS'),
      mode: fc.constantFrom('EDIT', 'OVERWRITE'),
      options: cleared(options),
    },
    ['resource', 'mode'],
  ),
  ExtractDefinition: fields({ enabled: flag, type: cleared(fc.constantFrom('FULL', 'FULL_AND_DELTA')) }),
  NumberReservation: fc.oneof(
    fields({ category: fc.constant('Resistor'), quantity: fc.integer({ min: 1, max: 3 }) }, ['category', 'quantity']),
    fields({ category: fc.constantFrom('Resistor', 'Item\\Screw'), itemNumbers: fewOf('1', '2', '3') }, [
      'category',
      'itemNumbers',
    ]),
  ),
};

const specOf = (kind: string): fc.Arbitrary<JsonObject> => SPECS[kind] as fc.Arbitrary<JsonObject>;

/** The kinds of one case: with all of them at once few objects would meet. */
const someKinds = fc.oneof(
  fc.constantFrom(...KINDS).map((kind) => [kind]),
  fc.constant(['UserGroup', 'Policy']),
  fc.constant(['Trigger', 'OutboundIntegration']),
  fc.subarray(KINDS, { minLength: 2, maxLength: 4 }),
);

const named = (kinds: readonly string[]): fc.Arbitrary<{ kind: string; name: string }> =>
  fc.constantFrom(...kinds).chain((kind) => fc.record({ kind: fc.constant(kind), name: fc.constantFrom(...NAMES) }));

/** Live definitions may refer to objects that were deleted since. */
const liveSpecOf = (kind: string): fc.Arbitrary<JsonObject> =>
  fc.tuple(specOf(kind), fc.nat({ max: 5 })).map(([spec, chance]) => {
    if (chance > 0 || kind !== 'ImportDefinition') return spec;
    const gone = { ...target, attribute: deadReference('attribute'), sourceName: 'Gone' };
    return { ...spec, options: { mapping: [gone] } };
  });

const live = (kinds: readonly string[]): fc.Arbitrary<Placed> =>
  named(kinds).chain(({ kind, name }) =>
    fc.record({
      kind: fc.constant(kind),
      name: fc.oneof(
        { weight: 9, arbitrary: fc.constant(name) },
        { weight: 1, arbitrary: fc.constant(`${name} ~retired #0`) },
      ),
      spec: liveSpecOf(kind),
    }),
  );

const fact = (kinds: readonly string[]): fc.Arbitrary<PlacedFact> =>
  named(kinds).chain(({ kind, name }) =>
    fc.record({
      kind: fc.constant(kind),
      name: fc.constant(name),
      stack: fc.constantFrom('s', 's', 's', 'other'),
      how: fc.constantFrom('created' as const, 'adopted' as const),
      protect: fc.constantFrom(false, false, false, true),
      about: fc.oneof(
        { weight: 4, arbitrary: fc.constant('named' as const) },
        { weight: 2, arbitrary: fc.nat({ max: 3 }) },
        fc.constantFrom('gone' as const, 'intended' as const),
      ),
      applied: fc.oneof(fc.subarray(Object.keys((builtIn.kindNamed(kind) as Kind).schema.properties)), specOf(kind)),
    }),
  );

const described = (kinds: readonly string[]): fc.Arbitrary<Described> =>
  named(kinds).chain(({ kind, name }) =>
    fc.record({
      kind: fc.constant(kind),
      metadata: fields(
        {
          name: fc.constant(name),
          protect: fc.constantFrom(false, false, true),
          renamedFrom: fc.constantFrom(...NAMES),
        },
        ['name'],
      ),
      spec: specOf(kind),
    }),
  );

/** For each step how far it gets. */
const cuts: fc.Arbitrary<Cut[]> = fc.array(
  fc.record({
    made: fc.constantFrom(0, 0, 1, 1, 2, 3, 9, 9, 9),
    ends: fc.constantFrom('nothing' as const, 'claimed' as const, 'sent' as const, 'refused' as const),
  }),
  { minLength: 1, maxLength: 5 },
);

export interface Case {
  readonly scene: Scene;
  readonly described: readonly Described[];
  /** Another state that the same stack may ask for. */
  readonly next: readonly Described[];
  readonly adopt: 'ask' | 'matching' | 'never' | 'given';
  readonly prune: 'yes' | 'no';
  readonly replace: readonly Address[];
  /** How far each step gets before the process is killed, in turn. */
  readonly cuts: readonly Cut[];
}

const byAddress = { selector: ({ kind, name }: Placed | PlacedFact) => addressOf(kind, name) };
const byName = { selector: ({ kind, metadata }: Described) => addressOf(kind, String(metadata.name)) };

export const cases: fc.Arbitrary<Case> = someKinds.chain((kinds) =>
  fc
    .record({
      scene: fc.record({
        profile: fc.constantFrom('reference' as const, 'reference' as const, 'arena' as const),
        live: fc.array(live(kinds), { minLength: 1, maxLength: 6 }).map(withoutTwins),
        facts: fc.uniqueArray(fact(kinds), { ...byAddress, maxLength: 5 }),
      }),
      described: fc.uniqueArray(described(kinds), { ...byName, maxLength: 4 }),
      next: fc.uniqueArray(described(kinds), { ...byName, maxLength: 4 }),
      adopt: fc.constantFrom('ask' as const, 'matching' as const, 'never' as const, 'given' as const),
      prune: fc.constantFrom('yes' as const, 'no' as const),
      replace: fc.array(
        named(kinds).map(({ kind, name }) => addressOf(kind, name)),
        { maxLength: 1 },
      ),
      cuts,
    })
    .map((one) => ({ ...one, described: sound(one.described, one.scene), next: sound(one.next, one.scene) })),
);

/** The names of objects that others refer to are unique (wire-facts, section 0); other objects may share a name. */
function withoutTwins(live: readonly Placed[]): Placed[] {
  const unique = Object.values(POINTERS).flatMap((fields) => Object.values(fields));
  return live.filter(
    ({ kind, name }, index) =>
      !unique.includes(kind) || live.findIndex((other) => other.kind === kind && other.name === name) === index,
  );
}

/** Without what a command would refuse before it plans: names that mean nothing or two things, former names that others have. */
function sound(described: readonly Described[], { live }: Scene): Described[] {
  const taken = new Set(described.map(({ kind, metadata }) => addressOf(kind, String(metadata.name))));
  const renamed = described.map(({ kind, metadata: { renamedFrom, ...metadata }, spec }) => {
    const former = addressOf(kind, String(renamedFrom));
    if (renamedFrom === undefined || taken.has(former)) return { kind, metadata, spec };
    taken.add(former);
    return { kind, metadata: { ...metadata, renamedFrom }, spec };
  });
  const given = new Set(renamed.map(({ kind, metadata }) => addressOf(kind, String(metadata.name))));
  const former = new Set(renamed.map(({ kind, metadata: { renamedFrom } }) => addressOf(kind, String(renamedFrom))));
  const means = (kind: string, name: string): boolean => {
    const address = addressOf(kind, name);
    const there = live.filter((one) => addressOf(one.kind, one.name) === address).length;
    return given.has(address) || (!former.has(address) && there === 1);
  };
  return renamed.map((one) => ({ ...one, spec: pointing(one.kind, one.spec, means) }));
}

function pointing(kind: string, spec: JsonObject, means: (kind: string, name: string) => boolean): JsonObject {
  const lost = listReferences((builtIn.kindNamed(kind) as Kind).schema, spec).filter(
    (reference) => KINDS.includes(reference.kind) && !means(reference.kind, reference.name),
  );
  const kept = Object.entries(spec).map(([field, value]) =>
    Array.isArray(value) && field in (POINTERS[kind] ?? {})
      ? [field, value.filter((name) => !lost.some((reference) => reference.name === name))]
      : [field, value],
  );
  return Object.fromEntries(kept);
}

/** The scene as a service and a ledger. References of live objects lead to the first live object of that name, or nowhere. */
export function worldOf({ profile, live, facts }: Scene): World {
  const service = new ServiceModel(profileNamed(profile));
  const last = live.filter(({ kind }) => POINTERS[kind] !== undefined);
  const first = live.filter(({ kind }) => POINTERS[kind] === undefined);
  const placed = [...first, ...last].map(({ kind, name, spec }) =>
    service.seed(kind, name, canonical(kind, spec, service)),
  );
  const known = facts.flatMap((fact) =>
    factOf(
      fact,
      placed.filter(({ kind }) => kind === fact.kind),
      service,
    ),
  );
  return { service, facts: new Map(known.filter(([, { identity }], index) => isFirst(identity, index, known))) };
}

/** The ledger knows an object by one address. */
const isFirst = (identity: string | undefined, index: number, known: readonly [Address, ObjectFact][]): boolean =>
  identity === undefined || known.findIndex(([, fact]) => fact.identity === identity) === index;

function factOf(
  { kind, name, about, applied, ...rest }: PlacedFact,
  live: readonly Stored[],
  service: ServiceModel,
): [Address, ObjectFact][] {
  const likely = typeof about === 'number' ? live[about % live.length] : live.find((one) => one.name === name);
  const now = likely === undefined ? {} : service.told(likely);
  const spec = isObject(applied)
    ? applied
    : Object.fromEntries(Object.entries(now).filter(([field]) => applied.includes(field)));
  const fact = { ...rest, applied: spec };
  if (about === 'intended') return [[addressOf(kind, name), { ...fact, how: 'created' }]];
  const identity = about === 'gone' ? undefined : likely?.id;
  return [[addressOf(kind, name), { ...fact, identity: identity ?? `gone ${kind}/${name}` }]];
}

const FIRST: Readonly<Record<string, string>> = { Bo: 'bo@x', Resistor: 'Item\\Resistor' };

/** As the service holds it: first names, ids, and for deleted objects what the service then shows. */
function canonical(kind: string, spec: JsonObject, service: ServiceModel): JsonObject {
  const one = (value: unknown): unknown => (typeof value === 'string' ? (FIRST[value] ?? value) : value);
  return Object.fromEntries(
    Object.entries(spec).map(([field, value]) => {
      const to = POINTERS[kind]?.[field];
      if (to === undefined) return [field, Array.isArray(value) ? value.map(one) : one(value)];
      const ids = ((value ?? []) as string[]).flatMap((name) => {
        const [object] = service.named(to, name);
        if (object !== undefined) return [object.id];
        return kind === 'Policy' ? [`gone ${name}`] : [];
      });
      return [field, ids];
    }),
  ) as JsonObject;
}
