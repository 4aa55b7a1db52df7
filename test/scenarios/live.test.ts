import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const GROUP = `apiVersion: dexsync/v1
kind: UserGroup
metadata: { name: Quality }
spec: { description: Approves changes, assignability: [CHANGES], members: [ann@example.com] }
`;
const DEFINITION = `apiVersion: dexsync/v1
kind: ImportDefinition
metadata: { name: Parts }
spec: { resource: ITEM_SPECS, mode: EDIT }
`;

async function applied(dialect = 'reference') {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject({ 'manifests/group.yaml': GROUP, 'manifests/definition.yaml': DEFINITION });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  expect((await run('apply', '--yes')).code).toBe(0);
  return { workspace, project, run };
}

describe('get', () => {
  test('lists as a table, as JSON, as CSV, and as manifests that apply accepts unchanged', async () => {
    const { run, project, workspace } = await applied();
    const table = await run('get', 'user-groups');
    expect([table.code, table.err]).toEqual([0, '']);
    expect(table.out).toMatch(
      /^NAME +DESCRIPTION +ENABLED +ASSIGNABILITY\nEveryone .*\nQuality +Approves changes +true +CHANGES\n$/,
    );
    const { type, objects } = JSON.parse((await run('get', 'usergroups', 'Quality', '--json')).out);
    const { body } = await workspace.call('GET', '/settings/usergroups?name=Quality');
    expect([type, objects.length]).toEqual(['UserGroup', 1]);
    expect(objects[0]).toMatchObject({
      name: 'Quality',
      guid: body.results[0].guid,
      spec: { description: 'Approves changes', members: ['ann@example.com'] },
      createdBy: 'Ada Admin',
    });
    const rows = parseCsv((await run('get', 'UserGroup', '-o', 'csv')).out, { columns: true });
    expect(rows).toMatchObject([{ name: 'Everyone' }, { name: 'Quality', assignability: 'CHANGES' }]);
    const yaml = await run('get', 'UserGroup', 'Quality', '-o', 'yaml');
    await project.write('manifests/group.yaml', yaml.out);
    const plan = await run('plan', '--detailed-exitcode');
    expect([plan.code, parseAllDocuments(yaml.out).length]).toEqual([0, 1]);
  });

  test('writes a text that looks like a variable so that it stands for itself', async () => {
    const { run, workspace, project } = await applied();
    const body = { name: 'Costs ${var.x}', description: '$${env.HOME} and ${', enabled: true };
    expect((await workspace.call('POST', '/settings/usergroups', body)).status).toBe(201);
    const yaml = await run('get', 'UserGroup', body.name, '-o', 'yaml');
    await project.write('manifests/group.yaml', yaml.out);
    const plan = await run('plan', '--json');
    expect([plan.code, plan.err]).toEqual([0, '']);
    expect(plan.out).not.toContain('"action":"update"');
    expect(plan.out).not.toContain('"action":"create"');
  });

  test('costs one request for a list, and never writes', async () => {
    const { run, workspace } = await applied();
    const before = (await workspace.usage()).length;
    await run('get', 'importdefinitions');
    const spent = (await workspace.usage()).slice(before);
    expect(spent.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual(['GET /imports']);
  });

  test.each(['--world', '--category'])('refuses %s where a kind is listed, without a request', async (option) => {
    const { code, out, err } = await (await testProject()).run(['get', 'UserGroup', option, 'BOM']);
    expect([code, out, err]).toEqual([
      3,
      '',
      `Error: \`${option}\` works with lookups such as attributes; UserGroup is a kind.\n` +
        `Leave out \`${option}\` to list every UserGroup of the workspace.\n[USAGE, exit 3]\n`,
    ]);
  });

  test('lists lookups: attributes of a world, or of one category; components of numbering formats', async () => {
    const { run } = await applied('arena');
    const attributes = JSON.parse((await run('get', 'attributes', '--world', 'bom', '--json')).out);
    expect(attributes.objects.map(({ name }: { name: string }) => name)).toContain('Find Number');
    const inCategory = await run(
      'get',
      'attributes',
      '--world',
      'changes',
      '--category',
      'Change\\Deviation',
      '--json',
    );
    expect(JSON.parse(inCategory.out).objects.map(({ name }: { name: string }) => name)).toContain(
      'Deviation Quantity',
    );
    expect((await run('get', 'NumberFormatField')).out).toContain('Prefix and Sequence/Delimiter');
    const phases = JSON.parse((await run('get', 'lifecyclephase', 'Prototype', '--json')).out);
    expect(phases.objects).toMatchObject([{ name: 'Prototype', spec: { shortName: 'P' } }]);
  });

  test.each([
    [['get', 'usergrups'], 3, 'There is no kind or lookup "usergrups".\nDid you mean "UserGroup"?'],
    [['get', 'UserGroup', 'Qualty'], 3, 'UserGroup/Qualty is not in environment "remote".\nDid you mean "Quality"?'],
    [['get', 'attributes', '--world', 'bomb'], 3, 'Attribute has no world "BOMB".\nDid you mean "BOM"?'],
    [['get', 'attributes', '--category', 'Item\\Resistr'], 3, 'Did you mean "Item\\Resistor"?'],
    [
      ['get', 'users', '--category', 'Item'],
      3,
      'User entries cannot be listed by category.\nAttributes of ITEMS, CHANGES and REQUESTS can.',
    ],
    [['get', 'UserGroup', '-o', 'xml'], 3, 'The formats are table, json, yaml, csv and name.'],
    [['get', 'User', 'nobody@example.com'], 3, 'User/nobody@example.com is not in environment'],
  ])('%o ends with exit %i and says why', async (args, code, message) => {
    const { run } = await applied();
    const result = await run(...args);
    expect([result.code, result.out, result.err]).toEqual([code, '', expect.stringContaining(message)]);
  });

  test('refuses a kind that the service has no list of', async () => {
    const { run } = await applied('arena');
    const { code, err } = await run('get', 'policies');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('The service does not list Policy objects (profile arena).'),
    ]);
  });
});

describe('describe', () => {
  test('shows the live object, its last applied values, its author, and the place of its manifest', async () => {
    const { run, project } = await applied();
    await project.write('manifests/group.yaml', GROUP.replace('Approves changes', 'Approves'));
    await run('apply', '--yes');
    const told = JSON.parse((await run('describe', 'usergroup/Quality', '--json')).out);
    expect(told).toMatchObject({
      address: 'UserGroup/Quality',
      manifest: { file: 'manifests/group.yaml', line: 1 },
      lastApplied: {
        action: 'update',
        fields: [{ path: 'description', before: 'Approves changes', after: 'Approves' }],
      },
      live: [{ createdBy: 'Ada Admin', changedBy: 'Ada Admin', spec: { members: ['ann@example.com'] } }],
    });
    const { out } = await run('describe', 'UserGroup/Quality');
    expect(out).toMatch(/Manifest +manifests\/group.yaml:1\n +Last applied +\d{4}-.*: update/);
  });

  test('shows objects that nobody applied, that do not exist yet, and that are nowhere', async () => {
    const { run, project } = await applied();
    expect((await run('describe', 'UserGroup/Everyone')).out).toContain('never, according to the ledger');
    await project.write('manifests/more.yaml', GROUP.replace('Quality', 'Later'));
    expect((await run('describe', 'UserGroup/Later')).out).toContain(
      'not in environment remote (workspace "Embedded Workspace")',
    );
    expect(await run('describe', 'UserGroup/Nowhere')).toMatchObject({ code: 3 });
    expect((await run('describe', 'User/ann@example.com')).err).toContain('User objects are looked up');
  });
});

describe('output', () => {
  test('prints the GUID alone for one address, lines for several, and all described objects for none', async () => {
    const { run, workspace } = await applied();
    const { body } = await workspace.call('GET', '/settings/usergroups?name=Quality');
    const { guid } = body.results[0];
    expect((await run('output', 'UserGroup/Quality')).out).toBe(`${guid}\n`);
    const [ann, field] = (await run('output', 'User/ann@example.com', 'Attribute:BOM/Find Number')).out
      .trim()
      .split('\n');
    expect([ann, field]).toEqual([
      expect.stringMatching(/^User\/ann@example.com\t[A-Z0-9]{20}$/),
      expect.stringMatching(/^Attribute:BOM\/Find Number\t[A-Z0-9]{20}$/),
    ]);
    const all = JSON.parse((await run('output', '--json')).out);
    expect(all).toEqual({
      'UserGroup/Quality': guid,
      'ImportDefinition/Parts': expect.stringMatching(/^[A-Z0-9]{20}$/),
    });
  });

  test('prints null and exit 4 for a missing object, and an error where it was asked for', async () => {
    const { run, project } = await applied();
    await project.write('manifests/more.yaml', GROUP.replace('Quality', 'Later'));
    const all = await run('output', '--json');
    expect([all.code, JSON.parse(all.out)['UserGroup/Later']]).toEqual([4, null]);
    const one = await run('output', 'UserGroup/Qualty');
    expect([one.code, one.err]).toEqual([3, expect.stringContaining('Did you mean "UserGroup/Quality"?')]);
    expect((await run('output', 'Quality')).err).toContain('"Quality" is not an address.');
  });
});

describe.each(['reference', 'arena'])('in the profile %s', (dialect) => {
  test('quota shows the remaining requests and their users; the counts match the usage log', async () => {
    const { run, workspace } = await applied(dialect);
    const used = (await workspace.usage()).length;
    const quota = JSON.parse((await run('quota', '--json')).out);
    const ours = quota.users.find(({ integration }: { integration: string }) => integration.startsWith('dexsync/'));
    expect(ours).toMatchObject({ user: 'admin@example.com', requests: used });
    expect(quota).toMatchObject({ limit: 25000, log: 'whole', used: 1, reset: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect((await run('quota')).out).toMatch(
      /^\d+ of 25000 requests left in environment remote \(workspace "Embedded Workspace"\), reset at/,
    );
  });

  test('env check shows workspace, release, quota and capabilities, and writes nothing', async () => {
    const { run, workspace } = await applied(dialect);
    const before = (await workspace.usage()).length;
    const facts = JSON.parse((await run('env', 'check', 'remote', '--json')).out);
    expect(facts).toMatchObject({
      environment: 'remote',
      profile: dialect,
      release: dialect === 'reference' ? '2025.4' : null,
      user: 'admin@example.com',
      capabilities: { Trigger: { create: dialect === 'reference' } },
    });
    const spent = (await workspace.usage()).slice(before);
    expect(spent.map(({ path }) => path)).toEqual(dialect === 'reference' ? ['/settings/version'] : []);
    expect((await run('env', 'check')).out).toMatch(/KIND +LIST +CREATE +UPDATE +DELETE\nImportDefinition/);
  });
});

test('env check fails for an environment that is missing, or cannot be reached', async () => {
  const project = await testProject();
  expect(await project.run(['env', 'check', 'prod'])).toMatchObject({ code: 3 });
  const variables = { TEST_URL: 'http://127.0.0.1:9', DEXSYNC_REMOTE_EMAIL: 'a@b', DEXSYNC_REMOTE_PASSWORD: 'p' };
  const { code, err } = await project.run(['env', 'check', 'remote'], variables);
  expect([code, err]).toEqual([1, expect.stringContaining('[NETWORK, exit 1]')]);
});

test('a service older than a feature of a manifest is reported before anything is sent', async () => {
  const workspace = await testWorkspace(['--release', '2025.1']);
  const training = GROUP.replace('[CHANGES]', '[TRAINING]');
  const project = await testProject({ 'manifests/group.yaml': training });
  const { code, out } = await project.run(['apply', '--yes'], workspace.variables);
  expect([code, out]).toEqual([3, expect.stringContaining('uses TRAINING, which requires release 2025.2')]);
  expect((await workspace.usage()).filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a release is read only where it matters', async () => {
  const { run, workspace } = await applied();
  await run('plan');
  expect((await workspace.usage()).filter(({ path }) => path === '/settings/version')).toEqual([]);
});
