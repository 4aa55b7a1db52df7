import { expect, test } from 'vitest';
import { alteringProxy } from '../harness/altering-proxy.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const DIALECTS = ['reference', 'arena'];

interface Options {
  readonly dialect?: string;
  /** Answers to reads. */
  readonly alter?: (text: string) => string;
  /** Of the plan from what was written. */
  readonly code?: number;
}

/** What `get KIND -o yaml` writes is put into another project, which must find it valid and in its form and have nothing to change. */
async function written(
  kind: string,
  prepare: (workspace: Awaited<ReturnType<typeof testWorkspace>>) => Promise<unknown>,
  { dialect = 'reference', alter, code: planned = 0 }: Options = {},
) {
  const workspace = await testWorkspace([], dialect);
  await prepare(workspace);
  const url = await alteringProxy(workspace.url, ({ method }, { body, ...answer }) =>
    method === 'GET' && alter !== undefined ? { ...answer, body: Buffer.from(alter(body.toString())) } : undefined,
  );
  const variables = { ...workspace.variables, TEST_URL: url };
  const source = await testProject();
  const { code, out, err } = await source.run(['get', kind, '-o', 'yaml'], variables);
  expect(code, err).toBe(0);
  const project = await testProject({ 'manifests/all.yaml': out });
  const valid = await project.run(['validate']);
  expect([valid.code, valid.out], out).toEqual([0, expect.stringMatching(/^Valid: /m)]);
  expect(await project.run(['fmt', '--diff'])).toMatchObject({ code: 0, out: '' });
  const plan = await project.run(['plan', '--adopt', '--manual', 'warn'], variables);
  expect([plan.code, plan.out]).toEqual([planned, expect.not.stringMatching(/to create|to update|to replace/)]);
  return { out, err };
}

test('get shows members of all groups', async () => {
  const { out, err } = await written('usergroups', async ({ call }) => {
    const users = (await call('GET', '/settings/users')).body.results;
    for (const name of ['A', 'B']) {
      const { body } = await call('POST', '/settings/usergroups', { name });
      for (const { guid } of users.slice(0, 3)) await call('POST', `/settings/usergroups/${body.guid}/users`, { guid });
    }
  });
  expect(out.match(/name: [AB]\nspec:\n(?: {2}\w.*\n)* {2}members:\n(?: {4}- .*\n){3}(?=---|$)/g)).toHaveLength(2);
  expect(err).toBe('');
});

test('get shows triggers and administrators of integrations', async () => {
  const { out } = await written('outboundintegrations', async ({ call }) => {
    const { body: trigger } = await call('POST', '/settings/integrations/triggers', {
      name: 'T',
      resource: 'ITEM',
      action: 'CREATE',
    });
    const { body: one } = await call('POST', '/outboundevents', { name: 'ERP' });
    await call('POST', `/outboundevents/${one.guid}/triggers`, { guid: trigger.guid });
  });
  expect(out).toMatch(/name: ERP\nspec:\n[\s\S]*triggers:\n {4}- T\n/);
});

test.each(DIALECTS)('get restores letter case from a service that echoes the lower one, in %s', async (dialect) => {
  const definition = JSON.parse(itemsDefinition('D').split('\n')[0] as string).spec;
  const { out } = await written(
    'importdefinitions',
    ({ call }) => call('POST', '/imports', { name: 'D', ...definition }),
    {
      dialect,
      alter: (text) => text.replaceAll('"ITEM_SPECS"', '"item_specs"').replaceAll('"OVERWRITE"', '"overwrite"'),
    },
  );
  expect(out).toContain('  resource: ITEM_SPECS\n  mode: OVERWRITE\n');
});

test('get leaves out a change to create that has no category, and options that the service echoes in a mode that drops them', async () => {
  const change =
    '"options":{"addToChange":{"title":"Load","effectivityType":"PERMANENT_ON_APPROVAL"},"createDuplicates":"ERROR",';
  const { out, err } = await written(
    'importdefinitions',
    ({ call }) => call('POST', '/imports', { name: 'D', resource: 'ITEM_SPECS', mode: 'OVERWRITE', options: {} }),
    { alter: (text) => text.replace('"options":{', change) },
  );
  expect(out).toContain('# Left out: options.newChange: it needs the field "options.newChange.category"');
  expect(out).toContain(
    '# Left out: options.createDuplicates: it has the option "createDuplicates", which the service ignores in mode OVERWRITE',
  );
  expect(err).toMatch(/warning {2}not-written\n {2}ImportDefinition\/D: Left out: options\.createDuplicates: /);
});

test('comments and findings report two objects of one name, and a mapping with a deleted attribute', async () => {
  const spec = { resource: 'ITEM_SPECS', mode: 'EDIT' };
  const { out, err } = await written(
    'importdefinitions',
    async ({ call, administer }) => {
      await call('POST', '/imports', { name: 'Twin', ...spec, options: {} });
      await call('POST', '/imports', { name: 'Twin', ...spec, options: {} });
      const { body: attributes } = await call('GET', '/settings/items/attributes');
      const rohs = attributes.results.find(({ name }: { name: string }) => name === 'RoHS Status');
      const mapping = [
        { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part' },
        { resource: 'ITEM_SPECS', apiName: rohs.guid, sourceName: 'RoHS' },
      ];
      await call('POST', '/imports', { name: 'Old', ...spec, options: { mapping } });
      const deleted = await administer('DELETE', `/embedded/attributes/${rohs.guid}`);
      expect(deleted.status).toBeLessThan(300);
    },
    { code: 4 },
  );
  expect(out).toContain('# Left out: options.mapping[1], which refers to a deleted object\n');
  expect(out).toMatch(
    /# Not a manifest: another object has the same name \(this is #\d\); adopt or rename one of them\n# apiVersion: dexsync\/v1\n# kind: ImportDefinition\n/,
  );
  expect(err).toContain('ImportDefinition/Old refers to objects that are gone, in options.mapping[1].');
  expect(err).toMatch(/warning {2}name-ambiguous\n {2}2 objects are named ImportDefinition\/Twin: #\d/);
});

test('a name that no manifest accepts is reported', async () => {
  const { out, err } = await written('usergroups', ({ call }) =>
    call('POST', '/settings/usergroups', { name: 'A\u202eB' }),
  );
  expect(out).toMatch(/# Not a manifest: .*\n# apiVersion/);
  expect(err).toContain('warning  not-written');
});

test('a single object is written as before', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/a.yaml': manifest('UserGroup', 'Q', { description: 'd' }) });
  await project.run(['apply', '--yes'], workspace.variables);
  const { out } = await project.run(['get', 'UserGroup', 'Q', '-o', 'yaml'], workspace.variables);
  expect(out).toMatch(/^apiVersion: dexsync\/v1\nkind: UserGroup\nmetadata:\n {2}name: Q\nspec:\n {2}description: d\n/);
});
