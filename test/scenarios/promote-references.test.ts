import { expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { type SchemaNode, traitsOf } from '#core/model/fields.js';
import type { Json, JsonObject } from '#core/model/json.js';
import { PROFILES } from '#service/profiles/profiles.js';
import { alteringProxy } from '../harness/altering-proxy.js';
import { pairProject } from '../harness/environment-pair.js';
import { manifest } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';
import type { TestWorkspace } from '../harness/test-workspace.js';

const FROM_TO = ['promote', '--from', 'dev', '--to', 'prod'];

/** What each kind or lookup is referred to by: dev has it, and prod may lack it. */
const MISSING: Readonly<Record<string, string>> = {
  Attribute: 'Gloss Level',
  Category: 'Item\\Finish',
  'Category CHANGES': 'Change\\Deviation',
  LifecyclePhase: 'In Production',
  User: 'zoe@example.com',
  UserGroup: 'Referred group',
  Trigger: 'Referred trigger',
  Routing: 'Engineering',
};

/** Values of the fields that must stand beside a reference. */
const BESIDE: JsonObject = {
  ...{ resource: 'ITEM_SPECS', mode: 'OVERWRITE', sourceName: 'C', operator: 'IS_EQUAL_TO', action: 'EDIT' },
  ...{ category: 'Engineering Change Order', effectivityType: 'PERMANENT_ON_APPROVAL', numberPrefix: 'ECO-' },
};

interface Referring {
  readonly kind: string;
  readonly name: string;
  readonly to: string;
  readonly spec: JsonObject;
}

/** Each place of a schema that has a reference, as a value with only that reference and its required neighbours. */
function placesIn(schema: SchemaNode): { to: string; value: Json }[] {
  const { ref } = traitsOf(schema);
  if (ref !== undefined) {
    const missing = MISSING[[ref.kind, ref.partition].join(' ').trim()] as string;
    return [{ to: `${ref.kind}/${missing}`, value: missing }];
  }
  if (schema.items !== undefined) return placesIn(schema.items).map(({ to, value }) => ({ to, value: [value] }));
  const needed = ((schema as { required?: string[] }).required ?? []).filter((field) => field in BESIDE);
  const beside = Object.fromEntries(needed.map((field) => [field, BESIDE[field] as Json]));
  return Object.entries(schema.properties ?? {}).flatMap(([field, node]) =>
    placesIn(node).map(({ to, value }) => {
      const compared = field === 'attribute' && 'operator' in beside ? { value: '1' } : {};
      return { to, value: { ...beside, ...compared, [field]: value } };
    }),
  );
}

const KINDS = builtIn.kinds.filter(({ grow }) => grow === undefined);
const REFERRING: readonly Referring[] = KINDS.flatMap(({ name: kind, schema }) =>
  placesIn(schema as SchemaNode).map(({ to, value }, index) => ({
    ...{ kind, name: `${kind} ${index}`, to },
    spec: kind === 'Trigger' ? { ...(value as JsonObject), resource: 'ITEM' } : (value as JsonObject),
  })),
);

const REFERRED = [
  manifest('UserGroup', 'Referred group'),
  manifest('Trigger', 'Referred trigger', { resource: 'ITEM', action: 'EDIT' }),
];

/** The kinds that dev can make: those of which something can be promoted. */
const madeIn = (dialect: string): readonly Referring[] => {
  const profile = PROFILES.find(({ name }) => name === dialect);
  const makes = new Set(
    KINDS.filter(({ collection }) => profile?.collections[collection]?.can?.create === true).map(({ name }) => name),
  );
  return REFERRING.filter(({ kind }) => makes.has(kind));
};

async function complete(on: TestWorkspace): Promise<void> {
  await on.administer('POST', '/embedded/users', { email: 'zoe@example.com', fullName: 'Zoe' });
  await on.administer('POST', '/embedded/categories', { path: 'Item\\Finish' });
  await on.administer('POST', '/embedded/attributes', {
    world: 'ITEMS',
    name: 'Gloss Level',
    fieldType: 'DROP_DOWN',
    possibleValues: ['1'],
  });
}

/** Lists without what is referred to, while it is `lacking`: as if it were not there, or had been deleted. */
async function lackingProxy(url: string) {
  const names = new Set(Object.values(MISSING));
  const state = { lacking: true };
  const proxied = await alteringProxy(url, ({ method }, { body }) => {
    if (method !== 'GET' || !state.lacking || !body.includes('"results"')) return undefined;
    const answer = JSON.parse(body.toString());
    const results = answer.results.filter(
      (one: JsonObject) => ![one.name, one.path, one.email].some((text) => names.has(text as string)),
    );
    return { body: Buffer.from(JSON.stringify({ ...answer, count: results.length, results })) };
  });
  return { url: proxied, state };
}

/** How many entries each list of a value has, at any depth. */
const lengthsOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(lengthsOf)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .map(([key, inner]) => [key, lengthsOf(inner)])
            .filter(([, inner]) => inner !== ''),
        )
      : '';

/** The lists of each referring object, as the workspace itself answers them. */
async function listsOn(on: TestWorkspace, those: readonly Referring[]) {
  const paths: Record<string, string> = Object.fromEntries(
    KINDS.map(({ name, collection }) => [name, PROFILES[0]?.collections[collection]?.path ?? '']),
  );
  const found: [string, unknown][] = [];
  for (const kind of new Set(those.map((one) => one.kind))) {
    const answered = await on.call('GET', `${paths[kind]}?limit=400`);
    for (const one of (answered.body.results ?? []) as { name: string; guid: string }[]) {
      if (!those.some(({ name }) => name === one.name)) continue;
      const { body } = await on.call('GET', `${paths[kind]}/${one.guid}`);
      const below = await Promise.all(
        Object.values(builtIn.knownKind(kind).children).map(
          async ({ path }) => (await on.call('GET', `${paths[kind]}/${one.guid}/${path}`)).body.results.length,
        ),
      );
      found.push([one.name, [lengthsOf(body), below]]);
    }
  }
  return Object.fromEntries(found.sort());
}

const writesTo = async (on: TestWorkspace) =>
  (await on.usage()).filter(({ method, path }) => method !== 'GET' && path !== '/login');

const PAIRS = [
  ['reference', 'reference'],
  ['reference', 'arena'],
  ['arena', 'reference'],
  ['arena', 'arena'],
] as const;

test.each(sample(PAIRS, 2))(
  'a reference that prod lacks is an error of each object, in every field of every kind, now and when it is deleted later: %s to %s',
  async (from, to) => {
    const those = madeIn(from);
    const referred = REFERRED.filter((_, index) => from === 'reference' || index === 0);
    const { run, dev, prod, variables, project } = await pairProject({
      dialects: [from, to],
      files: {
        'manifests/a.yaml': [...referred, ...those.map(({ kind, name, spec }) => manifest(kind, name, spec))].join(''),
      },
    });
    await Promise.all([complete(dev), complete(prod)]);
    const made = await run('apply', '--env', 'dev', '--yes');
    expect([made.code, made.out + made.err]).toEqual([0, expect.anything()]);
    const { url, state } = await lackingProxy(prod.url);
    const through = (...args: string[]) => project.run(args, { ...variables, PROD_URL: url });
    const excluded = [
      '--exclude',
      'UserGroup/Referred group',
      ...(from === 'reference' ? ['--exclude', 'Trigger/Referred trigger'] : []),
    ];
    const refused = async () => {
      const before = (await writesTo(prod)).length;
      const { code, out } = await through(...FROM_TO, ...excluded, '--out', 'plan.json');
      expect(code, out).toBe(3);
      for (const { kind, name, to: target } of those) {
        expect(out).toContain(`error  reference-unknown\n  ${kind}/${name} refers to ${target}, which is neither`);
      }
      expect((await writesTo(prod)).length).toBe(before);
      await expect(project.read('plan.json')).rejects.toThrow();
    };
    await refused();

    state.lacking = false;
    const planned = await through(...FROM_TO, '--out', 'whole.json');
    expect([0, 4]).toContain(planned.code);
    expect([0, 4]).toContain((await through('apply', 'whole.json', '--yes')).code);
    const lists = await listsOn(prod, those);
    const there = await listsOn(dev, those);
    for (const [name, value] of Object.entries(lists)) expect([name, value]).toEqual([name, there[name]]);
    expect(Object.keys(lists)).toEqual(
      madeIn(to)
        .filter(({ name }) => name in there)
        .map(({ name }) => name)
        .sort(),
    );

    state.lacking = true;
    await refused();
    expect(await listsOn(prod, those)).toEqual(lists);
  },
);

test.each(['reference', 'arena'])(
  'a reference to a deleted object of dev is an error of each object: %s',
  async (from) => {
    // Mappings of arena hold names, which outlive their attributes; deleted children are not children.
    const own = madeIn(from).filter(
      ({ kind, spec }) =>
        !Object.keys(builtIn.knownKind(kind).children).some((field) => field in spec) &&
        !(from === 'arena' && kind === 'ImportDefinition'),
    );
    const { dev, prod, variables, project } = await pairProject({
      dialects: [from as 'arena', 'reference'],
      files: {
        'manifests/a.yaml': [
          ...REFERRED.slice(0, from === 'reference' ? 2 : 1),
          ...own.map(({ kind, name, spec }) => manifest(kind, name, spec)),
        ].join(''),
      },
    });
    await Promise.all([complete(dev), complete(prod)]);
    const { url, state } = await lackingProxy(dev.url);
    const through = (...args: string[]) => project.run(args, { ...variables, DEV_URL: url });
    state.lacking = false;
    expect((await through('apply', '--env', 'dev', '--yes')).code).toBe(0);
    state.lacking = true;
    const { code, out } = await through(...FROM_TO, '--out', 'plan.json');
    expect(code, out).toBe(3);
    for (const { kind, name } of own) {
      expect(out).toContain(
        `error  reference-dead\n  ${kind}/${name} of environment "dev" refers to an object that was deleted`,
      );
    }
    expect(await writesTo(prod)).toEqual([]);
  },
);

test('a value that no manifest can express is an error of its object; the overlay can give it, and `--exclude` promotes the rest', async () => {
  const { run, dev, prod, project } = await pairProject({
    files: {
      'manifests/a.yaml':
        manifest('UserGroup', 'Quality') + manifest('Trigger', 'By creator', { resource: 'ITEM', action: 'EDIT' }),
      'prod/none.yaml': '',
    },
    prod: 'overlay: prod',
  });
  expect((await run('apply', '--env', 'dev', '--yes', '--only', 'UserGroup')).code).toBe(0);
  const [{ guid }] = (await dev.pages('/settings/users')) as [{ guid: string }];
  const byCreator = { attribute: 'creator.guid', operator: 'IS_EQUAL_TO', value: guid };
  const trigger = { name: 'By creator', resource: 'ITEM', action: 'EDIT', conditions: [byCreator] };
  const search = { name: 'By creator', criteria: [[byCreator]] };
  expect((await dev.call('POST', '/settings/integrations/triggers', trigger)).status).toBe(201);
  expect((await dev.call('POST', '/exports', search)).status).toBe(201);
  const only = ['--only', 'UserGroup/Quality', '--only', 'Trigger/By creator', '--only', 'ExportDefinition/By creator'];
  const refused = await run(...FROM_TO, ...only, '--out', 'plan.json');
  expect(refused.code).toBe(3);
  for (const address of ['Trigger/By creator', 'ExportDefinition/By creator']) {
    expect(refused.out).toContain(
      `error  guid-in-manifest\n  ${address} compares with a GUID.\n  It cannot be promoted as it is. Correct it in environment "dev"`,
    );
  }
  expect(refused.out).not.toContain(guid);
  expect(await writesTo(prod)).toEqual([]);

  await project.write(
    'prod/t.yaml',
    `kind: Trigger
metadata: { name: By creator }
spec: { $patch: replace, resource: ITEM, action: EDIT, conditions: [{ apiName: number, operator: STARTS_WITH, value: "1" }] }
`,
  );
  const rest = await run(...FROM_TO, ...only, '--exclude', 'ExportDefinition', '--out', 'plan.json');
  expect([rest.code, rest.out]).toEqual([0, expect.stringContaining('Plan: 2 to create.')]);
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  const [made] = await prod.pages('/settings/integrations/triggers');
  expect((await prod.call('GET', `/settings/integrations/triggers/${made.guid}`)).body.conditions).toHaveLength(1);
});

test('an object with values that dev hides is never created without them: it is a manual step with its dependents, and the rest runs', async () => {
  const { run, prod } = await pairProject({
    dialects: ['arena', 'reference'],
    files: { 'manifests/a.yaml': manifest('UserGroup', 'Quality') },
  });
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  const only = ['--only', 'OutboundIntegration', '--only', 'UserGroup/Quality'];
  const planned = await run(...FROM_TO, ...only, '--out', 'plan.json');
  expect([planned.code, planned.out]).toEqual([4, expect.stringContaining('Plan: 1 to create, 2 manual, 1 blocked.')]);
  expect(planned.out).toContain(
    'The service of environment "dev" does not return its category, attributes, conditions. Create it manually with what it has there; the next plan compares the rest.',
  );
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(4);
  const triggers = '/settings/integrations/triggers';
  expect((await prod.pages('/settings/usergroups')).map(({ name }) => name)).toContain('Quality');
  expect(await prod.pages(triggers)).toEqual([]);

  const conditions = [{ attribute: 'number', operator: 'STARTS_WITH', value: '1' }];
  for (const [name, action] of [
    ['Item created', 'CREATE'],
    ['Item edited', 'EDIT'],
  ]) {
    expect((await prod.call('POST', triggers, { name, resource: 'ITEM', action, conditions })).status).toBe(201);
  }
  expect((await run(...FROM_TO, ...only, '--adopt', '--out', 'plan.json')).code).toBe(0);
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  const again = await run(...FROM_TO, ...only, '--detailed-exitcode');
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('No changes.')]);
  for (const { guid } of await prod.pages(triggers)) {
    expect((await prod.call('GET', `${triggers}/${guid}`)).body).toMatchObject({
      description: expect.stringMatching(/item/i),
      conditions,
    });
  }
});

test('fields that the service of prod hides are not silently reported as equal', async () => {
  const conditions = [{ apiName: 'number', operator: 'STARTS_WITH', value: '1' }];
  const edited = manifest('Trigger', 'Item edited', {
    description: 'Any edit of an item',
    resource: 'ITEM',
    action: 'EDIT',
    conditions,
  });
  const { run } = await pairProject({ dialects: ['reference', 'arena'], files: { 'manifests/a.yaml': edited } });
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  const { out } = await run(...FROM_TO, '--adopt');
  expect(out).toContain(
    'The service of environment "prod" does not return attributes, conditions of Trigger objects, so they are not compared.',
  );
});
