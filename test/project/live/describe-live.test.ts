import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { type Address, addressOf } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import { deadReference, type Kind } from '#core/model/kind.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import { lookupKey, type Observation, type Observed } from '#core/model/observation.js';
import { describeLive, type LiveManifest } from '#project/live/describe-live.js';
import { leanSpec } from '#project/live/lean-spec.js';
import { cases, worldOf } from '../../core/engine/generators.js';
import { manifestsOf, planned, STACK } from '../../core/engine/planning-world.js';
import { KINDS } from '../../core/engine/service-model.js';
import { scaled } from '../../harness/sample.js';

const kindNamed = (name: string): Kind => builtIn.kindNamed(name) as Kind;

/** What references could mean in an observation. */
const counting =
  ({ objects, lookups }: Observation) =>
  ({ kind, partition, name }: { kind: string; partition: string; name: string }): number | undefined =>
    objects.get(kind)?.filter((object) => object.name === name).length ??
    lookups.get(lookupKey(kind, partition))?.filter((names) => names.includes(name)).length;

const described = (observation: Observation, facts: ReadonlyMap<string, ObjectFact>): LiveManifest[] =>
  KINDS.filter((kind) => !observation.unlisted.has(kind)).flatMap((name) =>
    describeLive(kindNamed(name), observation.objects.get(name) ?? [], {
      catalog: builtIn,
      countNamed: counting(observation),
      identityOf: (address) => facts.get(address)?.identity,
    }),
  );

const written = (all: readonly LiveManifest[], part: 'whole' | 'lean') =>
  manifestsOf(
    all
      .filter(({ unwritable }) => unwritable === undefined)
      .map((one) => ({ kind: one.kind, metadata: { name: one.name }, spec: one[part] })),
  );

/** The ledger knows the last of several objects of one name. */
const knowing = (objects: Observation['objects']): Map<string, ObjectFact> =>
  new Map(
    [...objects].flatMap(([kind, all]) =>
      all.map(({ name, identity }) => [
        addressOf(kind, name),
        { stack: STACK, how: 'adopted', applied: {}, protect: false, identity } as const,
      ]),
    ),
  );

describe('a workspace described as manifests', () => {
  test('is valid, and plans to nothing at its source', () => {
    fc.assert(
      fc.property(cases, fc.boolean(), ({ scene }, isKnown) => {
        const { service } = worldOf(scene);
        const seen = (all: ReadonlySet<Address>) =>
          service.observe(() => ['members', 'triggers', 'administrators'], all);
        const observation = seen(new Set(service.all().map(({ kind, name }) => addressOf(kind, name))));
        const facts = isKnown ? knowing(observation.objects) : new Map<string, ObjectFact>();
        const all = described(observation, facts);
        expect(written(all, 'whole').findings).toEqual([]);
        const { manifests, findings } = written(all, 'lean');
        expect(findings).toEqual([]);
        const addresses = new Set(manifests.map(({ address }) => address));
        const { plan, findings: refused } = planned({
          manifests,
          observation: seen(addresses),
          facts: new Map([...facts].filter(([address]) => addresses.has(address as never))) as never,
          adopt: 'never',
          capabilityOf: ({ name }) => service.can(name),
        });
        expect([refused, plan.steps]).toEqual([[], []]);
      }),
      { numRuns: scaled(20_000, 150) },
    );
  });

  test('names every object that is not written, and why', () => {
    fc.assert(
      fc.property(cases, ({ scene }) => {
        const { service } = worldOf(scene);
        const all = described(
          service.observe(() => ['members'], new Set()),
          new Map(),
        );
        const silent = all.filter(
          ({ address, unwritable }) =>
            unwritable !== undefined &&
            !all.some(({ findings }) => findings.some(({ message }) => message.includes(address))),
        );
        expect(silent).toEqual([]);
      }),
      { numRuns: scaled(5000, 100) },
    );
  });
});

const observed = (name: string, spec: JsonObject, number?: number): Observed => ({
  name,
  spec,
  identity: `${name} ${number}`,
  ...(number === undefined ? {} : { number }),
});

const describing = {
  catalog: builtIn,
  countNamed: ({ name }: { name: string }) => (name === 'gone@x' ? 0 : name === 'Both' ? 2 : 1),
  identityOf: () => undefined,
};

const only = (kind: string, spec: JsonObject): LiveManifest => {
  const [one] = describeLive(kindNamed(kind), [observed('A', spec)], describing);
  return one as LiveManifest;
};

describe('a live object', () => {
  test('is lean without defaults, empty lists and empty objects, and whole with them', () => {
    const spec = { description: '', enabled: true, assignability: [], members: ['ann@x'] };
    expect(only('UserGroup', spec)).toMatchObject({ whole: spec, lean: { members: ['ann@x'] }, findings: [] });
    const options = { matchDuplicates: 'ERROR', removeValue: 'x', mapping: [] };
    expect(only('ImportDefinition', { resource: 'ITEM_SPECS', mode: 'EDIT', options }).lean).toEqual({
      resource: 'ITEM_SPECS',
      mode: 'EDIT',
      options: { removeValue: 'x' },
    });
  });

  test('keeps what no schema describes, as it is', () => {
    const options = { later: { title: '', items: [], owner: null } };
    expect(leanSpec(kindNamed('ImportDefinition').schema, { options })).toEqual({ options });
  });

  test('with a mapping to a deleted attribute leaves the mapping unnamed, and says the next step', () => {
    const kept = { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part' };
    const dead = { resource: 'ITEM_SPECS', attribute: deadReference('attribute'), sourceName: 'RoHS' };
    const options = { stripWhiteSpace: 'RETAIN', mapping: [kept, dead] };
    const { lean, whole, heldBack, leftOut, findings } = only('ImportDefinition', {
      resource: 'ITEM_SPECS',
      mode: 'EDIT',
      options,
    });
    expect(lean.options).toEqual({ stripWhiteSpace: 'RETAIN' });
    expect(whole.options).toEqual({ stripWhiteSpace: 'RETAIN', mapping: [kept] });
    expect(heldBack).toMatchObject([{ path: 'options.mapping', value: [kept] }]);
    expect(leftOut).toEqual(['options.mapping[1], which refers to a deleted object']);
    expect(findings).toMatchObject([
      {
        severity: 'warning',
        code: 'reference-dead',
        message: expect.stringContaining('options.mapping[1]'),
        hint: expect.stringContaining('name options.mapping without them'),
      },
    ]);
  });

  test('with deleted members, or members of a shared name, leaves the members unnamed', () => {
    expect(only('UserGroup', { members: ['ann@x', 'gone@x'] })).toMatchObject({
      lean: {},
      findings: [{ code: 'reference-dead', message: expect.stringContaining('members[1]') }],
    });
    expect(only('UserGroup', { members: ['Both'] })).toMatchObject({
      lean: {},
      findings: [{ code: 'reference-ambiguous', message: expect.stringContaining('User/Both') }],
    });
  });

  test('that lacks a field that every manifest needs is refused, and says why', () => {
    const { unwritable, findings } = only('NumberReservation', {
      category: deadReference('Category'),
      itemNumbers: ['1'],
    });
    expect(unwritable).toContain('category');
    expect(findings.map(({ code }) => code)).toEqual(['reference-dead', 'not-written']);
  });

  test('with an option that the service shows in a mode that ignores it is written without the option', () => {
    const { lean, findings } = only('ImportDefinition', {
      resource: 'ITEM_SPECS',
      mode: 'OVERWRITE',
      options: { createDuplicates: 'ALLOW', removeValue: 'x' },
    });
    expect(lean.options).toEqual({ removeValue: 'x' });
    expect(findings).toMatchObject([{ code: 'not-written', message: expect.stringContaining('createDuplicates') }]);
  });
});

describe('objects of one name', () => {
  const spec = { resource: 'ITEM_SPECS', mode: 'EDIT' };
  const twins = [observed('T', spec, 7), observed('T', spec, 3)];
  const of = (identity: string | undefined) =>
    describeLive(kindNamed('ImportDefinition'), twins, { ...describing, identityOf: () => identity });

  test('get no manifest until somebody chooses one, and are reported once', () => {
    const all = of(undefined);
    expect(all.map(({ number, unwritable }) => [number, unwritable !== undefined])).toEqual([
      [3, true],
      [7, true],
    ]);
    const findings = all.flatMap((one) => one.findings);
    expect(findings).toMatchObject([
      {
        code: 'name-ambiguous',
        message: expect.stringMatching(/#3.*#7/),
        hint: expect.stringContaining('dexsync adopt ImportDefinition/T --number N'),
      },
    ]);
  });

  test('are written for the one that the ledger has; the other one is reported', () => {
    const all = of('T 7');
    expect(all.map(({ number, unwritable }) => [number, unwritable !== undefined])).toEqual([
      [3, true],
      [7, false],
    ]);
    expect(all.flatMap((one) => one.findings)).toMatchObject([{ hint: expect.stringContaining('#7') }]);
  });
});
