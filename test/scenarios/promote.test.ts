import { expect, test } from 'vitest';
import { pairProject } from '../harness/environment-pair.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import type { TestWorkspace } from '../harness/test-workspace.js';

/** Makes a custom attribute of items, under another GUID in each workspace. */
const attribute = (on: TestWorkspace, name: string, possibleValues: readonly string[]) =>
  on.administer('POST', '/embedded/attributes', { world: 'ITEMS', name, fieldType: 'DROP_DOWN', possibleValues });

const definitionOf = async (on: TestWorkspace, name: string) => {
  const found = (await on.pages('/imports')).find((one) => one.name === name);
  return (await on.call('GET', `/imports/${found.guid}`)).body;
};

/** Everything of one object on dev alone, by the commands that a person would use. */
const FROM_TO = ['promote', '--from', 'dev', '--to', 'prod'];
const PLAN = ['--out', 'plan.json'];

/** Of requests, how many the quota counts. */
const counted = (requests: Awaited<ReturnType<TestWorkspace['usage']>>): number =>
  requests.filter(({ path }) => path !== '/login').length;

test.each([
  ['reference', 'reference'],
  ['reference', 'arena'],
  ['arena', 'reference'],
] as const)(
  'an import definition is promoted to other GUIDs of attributes, other options, on another category path: %s to %s',
  async (...dialects) => {
    const { run, dev, prod, guidsIn, project } = await pairProject({ dialects });
    await attribute(dev, 'Coating', ['Matte', 'Gloss', 'Raw']);
    await attribute(prod, 'Coating', ['Matte', 'Glossy']);
    await project.write(
      'manifests/parts.yaml',
      itemsDefinition('Parts', { Part: 'number', F: '@Coating', RoHS: '@RoHS Status' }),
    );
    expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);

    const before = [await dev.usage(), await prod.usage()].map(({ length }) => length);
    const planned = await run(...FROM_TO, ...PLAN);
    const used = [await dev.usage(), await prod.usage()].map((all, index) => counted(all.slice(before[index])));
    expect(planned.out).toContain(`Requests: ${used[1]} used by this plan in prod and ${used[0]} in dev, `);
    expect(planned.code, planned.err).toBe(0);
    expect(planned.out).toContain(
      'Promotes objects of environment dev (workspace "Embedded Workspace"), as they are there now.',
    );
    expect(planned.out).toContain('+ options.mapping[ITEM_SPECS Coating]: { resource: ITEM_SPECS, sourceName: F,');
    expect(planned.out + planned.err).not.toContain('null');
    expect(planned.out).toContain(
      'warning  attribute-options\n  The attribute "Coating" of environment "prod" does not have the options "Gloss", "Raw" that it has in "dev".',
    );
    expect(
      await guidsIn(planned.out + (await project.read('plan.json')), '/imports', '/settings/items/attributes'),
    ).toEqual([]);
    expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
    const mapped = (await definitionOf(prod, 'Parts')).options.mapping.map(
      (entry: { apiName: string }) => entry.apiName,
    );
    const attributes = await prod.pages('/settings/items/attributes');
    const finish = attributes.find((one) => one.name === 'Coating');
    expect(mapped).toContain(dialects[1] === 'arena' ? 'Coating' : finish.guid);

    const again = await run(...FROM_TO, '--detailed-exitcode');
    expect([again.code, again.out]).toEqual([
      0,
      expect.stringContaining('No changes. The workspace matches the promoted objects'),
    ]);
    expect((await run('diff', '--from', 'dev', '--to', 'prod', 'ImportDefinition')).code).toBe(0);
    expect((await run('plan', '--env', 'prod', '--detailed-exitcode')).code).toBe(0);
    // The nonce of the plan was applied.
    expect((await run('apply', 'plan.json', '--yes')).code).toBe(5);
  },
);

const group = (name: string, spec: object, metadata?: object): string => manifest('UserGroup', name, spec, metadata);

test('prod gets the state of dev with its manual change and without its missing field; --from-applied takes the applied values', async () => {
  const { run, dev, prod, project } = await pairProject({
    files: { 'manifests/a.yaml': group('Quality', { description: 'Approves', members: ['ann@example.com'] }) },
  });
  for (const env of ['dev', 'prod']) expect((await run('apply', '--env', env, '--yes')).code).toBe(0);
  const guidOn = async (on: TestWorkspace) =>
    (await on.pages('/settings/usergroups')).find(({ name }) => name === 'Quality').guid;
  await dev.call('PUT', `/settings/usergroups/${await guidOn(dev)}`, {
    name: 'Quality',
    description: 'By hand',
    assignability: [],
  });
  await prod.call('PUT', `/settings/usergroups/${await guidOn(prod)}`, {
    ...{ name: 'Quality', description: 'Approves', assignability: ['CHANGES'] },
  });
  const live = await run(...FROM_TO, ...PLAN, '--output', 'md=plan.md');
  expect(await project.read('plan.md')).toMatch(
    /^<!-- dexsync promote prod -->\n## dexsync promote: 1 to update\n[\s\S]*\nPromotes objects of environment dev \(workspace "Embedded Workspace"\), as they are there now\.\n/,
  );
  expect(live.out).toContain('2 fields differ from environment "dev".');
  expect(live.out).toContain('~ description: "Approves" -> "By hand"');
  expect(live.out).toContain('- assignability[CHANGES]');
  const before = (await dev.usage()).length;
  const applied = await run(...FROM_TO, '--from-applied');
  expect((await dev.usage()).slice(before)).toEqual([]);
  expect(applied.out).toContain('as they were last applied there.');
  expect(applied.out).toContain('No changes. The workspace matches the promoted objects (1 unchanged).');

  // Somebody changes prod between promotion and apply.
  await prod.call('PUT', `/settings/usergroups/${await guidOn(prod)}`, { name: 'Quality', description: 'Meanwhile' });
  const stale = await run('apply', 'plan.json', '--yes');
  expect([stale.code, stale.err]).toEqual([5, expect.stringContaining('UserGroup/Quality')]);
  expect((await run(...FROM_TO, ...PLAN)).code).toBe(0);
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  expect((await run('diff', '--from', 'dev', '--to', 'prod', 'UserGroup/Quality')).code).toBe(0);
});

const LAYERS = {
  'sync.config.yaml': `stack: test
manifests: [manifests]
variables: { site: Graz }
environments:
  dev: { url: "\${env.DEV_URL}", manifests: [dev] }
  prod: { url: "\${env.PROD_URL}", overlay: prod, variables: { site: Vienna } }
`,
  'manifests/a.yaml': [
    group('Quality', { description: 'Site ${var.site}', assignability: ['CHANGES'], members: ['ann@example.com'] }),
    group('Testers', {}),
  ].join(''),
  'dev/sandbox.yaml': group('Sandbox', {}),
  'prod/a.yaml': `kind: UserGroup
metadata: { name: Quality, protect: true }
spec: { assignability: { $add: [QUALITY] } }
---
kind: UserGroup
metadata: { name: Testers }
$patch: delete
`,
};

test("prod's overlay and variables go over the state of dev; dev keeps its own objects, and prod those that the overlay deletes", async () => {
  const { run } = await pairProject({ files: LAYERS });
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  const { code, out, err } = await run(...FROM_TO, '--json', ...PLAN);
  expect(code, err).toBe(0);
  const { steps, promoted } = JSON.parse(out);
  expect(promoted).toEqual({
    environment: 'dev',
    workspace: 'Embedded Workspace',
    as: 'live',
    closure: [],
    requests: 2,
  });
  expect(steps.map(({ address }: { address: string }) => address)).toEqual(['UserGroup/Quality']);
  const [{ writes, fact, origin }] = steps;
  expect(writes[0].spec).toMatchObject({ description: 'Site Vienna', assignability: ['CHANGES', 'QUALITY'] });
  expect([fact.protect, origin.file]).toEqual([true, 'manifests/a.yaml']);
  expect(err).toContain(
    'UserGroup/Sandbox is not promoted: the manifests describe it for environment "dev" and not for "prod".',
  );
  expect(err).toContain(
    'UserGroup/Testers is not promoted: the manifests describe it for environment "dev" and not for "prod".',
  );
});

test('a field that the overlay deletes is left unchanged in prod', async () => {
  const { run, prod } = await pairProject({
    files: {
      'manifests/a.yaml': group('Quality', { description: 'Of dev', assignability: ['CHANGES'] }),
      'prod/a.yaml': 'kind: UserGroup\nmetadata: { name: Quality }\nspec: { description: { $patch: delete } }\n',
    },
    prod: 'overlay: prod',
  });
  await prod.call('POST', '/settings/usergroups', { name: 'Quality', description: 'In its own words' });
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  const { code, out } = await run(...FROM_TO, '--adopt');
  expect([code, out]).toEqual([0, expect.stringContaining('+ assignability[CHANGES]')]);
  expect(out).not.toContain('description');
});

test('references of objects come along, and those that prod lacks are listed before anything is planned', async () => {
  const { run, dev, prod, project } = await pairProject({
    files: {
      'manifests/a.yaml': [
        group('Quality', { members: ['zoe@example.com'] }),
        manifest('Policy', 'Read', { userGroups: ['Quality'] }),
        manifest('Trigger', 'Edited', { resource: 'ITEM', action: 'EDIT', category: 'Item\\Finish\\Paint' }),
        itemsDefinition('Parts', { Part: 'number', F: '@Gloss Level' }),
      ].join(''),
    },
  });
  await complete(dev);
  const made = await run('apply', '--env', 'dev', '--yes');
  expect(made.code, made.err + made.out).toBe(0);
  const only = ['--only', 'Policy/Read', '--only', 'Trigger/*', '--only', 'ImportDefinition'];
  const lacking = await run(...FROM_TO, ...only, ...PLAN);
  expect(lacking.code).toBe(3);
  for (const [from, to] of [
    ['UserGroup/Quality', 'User/zoe@example.com'],
    ['Trigger/Edited', 'Category/Item\\Finish\\Paint'],
    ['ImportDefinition/Parts', 'Attribute/Gloss Level'],
  ]) {
    expect(lacking.out).toContain(
      `error  reference-unknown\n  ${from} refers to ${to}, which is neither among the promoted objects nor in environment "prod"`,
    );
  }
  expect(lacking.out).not.toContain('Plan for');
  expect(lacking.err).toBe(
    'Error: 3 errors in what would be promoted; nothing was sent.\n[PROMOTION_INVALID, exit 3]\n',
  );
  await expect(project.read('plan.json')).rejects.toThrow();

  await complete(prod);
  const planned = await run(...FROM_TO, ...only, ...PLAN);
  expect(planned.code, planned.out).toBe(0);
  expect(planned.out).toContain('\nUserGroup/Quality comes along: Policy/Read refers to it.\n');
  expect(planned.out).toContain('\nSelected: --only Policy/Read --only Trigger/* --only ImportDefinition.\n');
  expect((await run('show', 'plan.json')).out).toContain('UserGroup/Quality comes along: Policy/Read refers to it.');
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  expect((await run('diff', '--from', 'dev', '--to', 'prod')).code).toBe(0);
  expect((await run('plan', '--env', 'prod', '--detailed-exitcode')).code).toBe(0);
});

/** What people do in the pages of a service. */
async function complete(on: TestWorkspace): Promise<void> {
  await on.administer('POST', '/embedded/users', { email: 'zoe@example.com', fullName: 'Zoe' });
  await on.administer('POST', '/embedded/categories', { path: 'Item\\Finish' });
  await on.administer('POST', '/embedded/categories', { path: 'Item\\Finish\\Paint' });
  await attribute(on, 'Gloss Level', ['1']);
}
