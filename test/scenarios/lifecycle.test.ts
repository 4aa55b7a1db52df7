import { expect, onTestFinished, test } from 'vitest';
import { linesOf, manifest } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const group = (name: string, spec: object, metadata: object = {}): string =>
  manifest('UserGroup', name, spec, metadata);

const definition = (name: string, spec: object, metadata: object = {}): string =>
  manifest('ImportDefinition', name, spec, metadata);

const specs = { resource: 'ITEM_SPECS', mode: 'OVERWRITE' };
const number = { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part' };
const rohs = { resource: 'ITEM_SPECS', attribute: 'RoHS Status', sourceName: 'RoHS' };

test('a plan and an apply reach the workspace, and then nothing differs and nothing is written', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml':
      group('Quality', { description: 'a', assignability: ['QUALITY'], members: ['ann@example.com', 'Ben Buyer'] }) +
      definition('Specs', { ...specs, options: { mapping: [number, rohs] } }),
  });
  const planned = await project.run(['plan', '--json', '--detailed-exitcode'], workspace.variables);
  expect(planned.err).toBe('');
  expect(planned.code).toBe(2);
  const plan = JSON.parse(planned.out);
  expect(plan).toMatchObject({
    format: 'dexsync-plan/1',
    environment: 'remote',
    workspace: { name: expect.any(String), id: expect.any(String) },
    summary: {
      create: 2,
      update: 0,
      replace: 0,
      delete: 0,
      rename: 0,
      adopt: 0,
      import: 0,
      manual: 0,
      blocked: 0,
      unchanged: 0,
    },
    requests: { used: 4, apply: { min: 5, max: 5 }, remaining: expect.any(Number) },
  });
  expect(
    plan.steps.map((step: { address: string; action: string; reason: string }) => [
      step.address,
      step.action,
      step.reason,
    ]),
  ).toEqual([
    ['ImportDefinition/Specs', 'create', 'absent'],
    ['UserGroup/Quality', 'create', 'absent'],
  ]);
  expect(planned.out).not.toMatch(/\b(?=\d*[A-Z])[A-Z0-9]{20}\b/);

  const applied = await project.run(['apply', '--yes', '--json'], workspace.variables);
  const events = linesOf(applied.out);
  expect(applied.code).toBe(0);
  expect(events.at(-1)).toMatchObject({ type: 'summary', exitCode: 0, done: 2, failed: 0 });

  const before = await workspace.usage();
  const again = await project.run(['apply', '--yes'], workspace.variables);
  expect(again.out).toContain('No changes. The workspace matches the manifests (2 unchanged).');
  expect(again.code).toBe(0);
  const empty = await project.run(['plan', '--json', '--detailed-exitcode'], workspace.variables);
  expect([empty.code, JSON.parse(empty.out).steps]).toEqual([0, []]);
  const after = await workspace.usage();
  expect(after.slice(before.length).filter(({ method }) => method !== 'GET')).toEqual([]);

  const { body: groups } = await workspace.call('GET', '/settings/usergroups?name=Quality');
  const { body: members } = await workspace.call('GET', `/settings/usergroups/${groups.results[0].guid}/users`);
  expect(groups.results[0]).toMatchObject({
    name: 'Quality',
    description: 'a',
    enabled: true,
    assignability: ['QUALITY'],
  });
  expect(members.results.map(({ email }: { email: string }) => email).sort()).toEqual([
    'ann@example.com',
    'ben@example.com',
  ]);
});

test('changes reach the workspace; fields that no manifest names keep their value', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/g.yaml': group('Quality', { description: 'a', members: ['ann@example.com'] }),
  });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  const { body } = await workspace.call('GET', '/settings/usergroups?name=Quality');
  const { guid } = body.results[0];
  await workspace.call('PUT', `/settings/usergroups/${guid}`, {
    name: 'Quality',
    description: 'a',
    enabled: false,
    assignability: ['CHANGES'],
  });

  await project.write('manifests/g.yaml', group('Quality', { description: 'b', members: ['ben@example.com'] }));
  const applied = await project.run(['apply', '--yes'], workspace.variables);
  expect(applied.out).toContain('~ description: "a" -> "b"');
  expect(applied.out).toContain('+ members[ben@example.com]');
  expect(applied.out).toContain('- members[ann@example.com]');
  const { body: after } = await workspace.call('GET', `/settings/usergroups/${guid}`);
  expect(after).toMatchObject({ description: 'b', enabled: false, assignability: ['CHANGES'] });

  await project.write('manifests/g.yaml', group('Approvers', { description: null }, { renamedFrom: 'Quality' }));
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  const { body: renamed } = await workspace.call('GET', `/settings/usergroups/${guid}`);
  expect(renamed).toMatchObject({ name: 'Approvers', enabled: false, assignability: ['CHANGES'] });
  expect(renamed.description ?? '').toBe('');
  const plan = await project.run(['plan', '--detailed-exitcode'], workspace.variables);
  expect(plan.code).toBe(0);
});

test('a recreated attribute replaces exactly the definitions that stored its GUID', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/d.yaml':
      definition('With', { ...specs, options: { mapping: [number, rohs] } }) +
      definition('Without', { ...specs, options: { mapping: [number] } }),
  });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  const { body: attributes } = await workspace.call('GET', '/settings/items/attributes?limit=400');
  const old = attributes.results.find(({ name }: { name: string }) => name === 'RoHS Status');
  expect((await workspace.administer('DELETE', `/embedded/attributes/${old.guid}`)).status).toBe(204);
  const made = { world: 'ITEMS', name: 'RoHS Status', fieldType: 'SINGLE_LINE_TEXT' };
  expect((await workspace.administer('POST', '/embedded/attributes', made)).status).toBe(201);

  const plan = JSON.parse((await project.run(['plan', '--json'], workspace.variables)).out);
  expect(
    plan.steps.map((step: { address: string; action: string; reason: string }) => [
      step.address,
      step.action,
      step.reason,
    ]),
  ).toEqual([['ImportDefinition/With', 'replace', 'dead-reference']]);
  expect(plan.steps[0].message).toBe(
    'It refers to a deleted attribute; the present attribute with that name is a different one. The old object is kept as "With ~retired #1".',
  );
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  expect((await project.run(['plan', '--detailed-exitcode'], workspace.variables)).code).toBe(0);
  const { body: definitions } = await workspace.call('GET', '/imports');
  expect(definitions.results.map(({ name }: { name: string }) => name).sort()).toEqual([
    'With',
    'With ~retired #1',
    'Without',
  ]);
});

test.each(sample([399, 400, 800], 1))(
  'a plan without changes of %i definitions costs no more than its pages',
  async (count) => {
    const workspace = await testWorkspace();
    const project = await testProject({
      'manifests/d.yaml': Array.from({ length: count }, (_, index) => definition(`D${index}`, specs)).join(''),
    });
    expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
    const before = (await workspace.usage()).length;
    const plan = await project.run(['plan', '--json'], workspace.variables);
    expect(JSON.parse(plan.out)).toMatchObject({ steps: [], summary: { unchanged: count } });
    const used = (await workspace.usage()).length - before;
    expect(used).toBe(Math.floor((count - 1) / 399) + 1);
    expect(JSON.parse(plan.out).requests.used).toBe(used);
  },
);

test('lists without pages are read whole in one request each, and the plan ends empty', async () => {
  const workspace = await testWorkspace();
  const triggers = Array.from({ length: 25 }, (_, index) => `T${index}`);
  const project = await testProject({
    'manifests/g.yaml': Array.from({ length: 420 }, (_, index) => group(`G${index}`, {})).join(''),
    'manifests/t.yaml': triggers
      .map((name) => manifest('Trigger', name, { resource: 'ITEM', action: 'CREATE' }))
      .join(''),
    'manifests/i.yaml': manifest('OutboundIntegration', 'ERP', { triggers }),
  });
  const applied = await project.run(['apply', '--yes'], workspace.variables);
  expect([applied.code, applied.err]).toEqual([0, '']);
  const before = (await workspace.usage()).length;
  const plan = await project.run(['plan', '--detailed-exitcode'], workspace.variables);
  expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('No changes')]);
  const read = (await workspace.usage()).slice(before).map(({ path }) => path.replace(/[A-Z0-9]{20}/, '*'));
  expect(read.sort()).toEqual([
    '/outboundevents',
    '/outboundevents/*/triggers',
    '/settings/integrations/triggers?offset=0&limit=400',
    '/settings/usergroups',
  ]);
});

test('a failed step skips only its dependents; the rest runs', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/g.yaml':
      group('Good', { description: 'a' }) +
      group('Bad', { assignability: ['NO_SUCH_THING'] }) +
      definition('Specs', { ...specs, options: { mapping: [number] } }),
  });
  const { code, out } = await project.run(['apply', '--yes'], workspace.variables);
  expect(code).toBe(4);
  expect(out).toContain('warning  value-unknown');
  expect(out).toMatch(/✗ UserGroup\/Bad {2}POST \/settings\/usergroups was answered with 400: /);
  expect(out).toContain('Result: 2 done, 1 failed.');
  const { body } = await workspace.call('GET', '/settings/usergroups');
  expect(body.results.map(({ name }: { name: string }) => name).sort()).toEqual(['Everyone', 'Good']);
});

test('`workspace serve` runs in one process, plan and apply in others', async () => {
  const project = await testProject({ 'manifests/g.yaml': group('Quality', { description: 'a' }) });
  const serving = project.start(['workspace', 'serve', '--db', 'served.db']);
  onTestFinished(() => void serving.kill('SIGKILL'));
  const line = await new Promise<string>((found) => serving.stdout?.once('data', (chunk) => found(String(chunk))));
  const { url, email, password, workspaceId, dialect } = JSON.parse(line);
  expect(dialect).toBe('reference');
  const variables = {
    DEXSYNC_ENV: 'remote',
    TEST_URL: url,
    DEXSYNC_REMOTE_EMAIL: email,
    DEXSYNC_REMOTE_PASSWORD: password,
    DEXSYNC_REMOTE_WORKSPACE_ID: String(workspaceId),
  };
  const plan = await project.run(['plan', '--json'], variables);
  expect(JSON.parse(plan.out).summary.create).toBe(1);
  expect((await project.run(['apply', '--yes'], variables)).code).toBe(0);
  expect(JSON.parse((await project.run(['plan', '--json'], variables)).out).steps).toEqual([]);
  serving.kill('SIGINT');
  const code = await new Promise((done) => serving.once('close', done));
  expect(code).toBe(130);
  await expect(fetch(url)).rejects.toThrow();
});

test('--trace shows every request and no secret', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/g.yaml': group('Quality', { description: 'a' }) });
  const { err, out } = await project.run(['apply', '--yes', '--trace'], workspace.variables);
  expect(err).toContain('> POST /login {"email":"admin@example.com","password":"[redacted]","workspaceId":');
  expect(err).toContain('"sessionId":"[redacted]"');
  expect(err).toMatch(/> GET \/settings\/usergroups\n< 200 in \d+ ms \{"count":1,/);
  expect(err).toContain('> POST /settings/usergroups {"name":"Quality","description":"a"}');
  for (const secret of [workspace.variables.DEXSYNC_REMOTE_PASSWORD ?? '']) expect(err + out).not.toContain(secret);
});

test('a JSON stream ends with a summary in every case', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/g.yaml': 'kind: Nothing\n' });
  const { code, out } = await project.run(['apply', '--yes', '--json'], workspace.variables);
  const lines = linesOf(out);
  expect([code, lines.map(({ type }) => type)]).toEqual([3, ['diagnostic', 'error', 'summary']]);
  expect(lines.at(-1)).toMatchObject({ exitCode: 3, done: 0 });
});

test('the embedded workspace keeps its data, and ends with its parent', async () => {
  const project = await testProject({ 'manifests/g.yaml': group('Quality', { description: 'a' }) });
  expect((await project.run(['apply', '--yes'])).code).toBe(0);
  expect((await project.run(['plan', '--detailed-exitcode'])).code).toBe(0);
  const child = project.start(['apply', '--yes']);
  child.kill('SIGKILL');
  await new Promise((done) => child.once('close', done));
  await expect.poll(async () => (await project.run(['plan', '--detailed-exitcode'])).code, { timeout: 10_000 }).toBe(0);
});

test('a reader that disconnects does not stop an apply', async () => {
  const workspace = await testWorkspace();
  const names = Array.from({ length: 300 }, (_, index) => `G${index}`);
  const project = await testProject({
    'manifests/g.yaml': names.map((name) => group(name, { description: name })).join(''),
  });
  const child = project.start(['apply', '--yes', '--json'], workspace.variables);
  child.stdout?.once('data', () => child.stdout?.destroy());
  const code = await new Promise((done) => child.once('close', done));
  expect(code).toBe(0);
  expect((await project.run(['plan', '--detailed-exitcode'], workspace.variables)).code).toBe(0);
});

test.each([[[]], [null]])('the last members of a group can be removed: %j', async (members) => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/g.yaml': group('Quality', { members: ['ann@example.com'] }) });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  await project.write('manifests/g.yaml', group('Quality', { members }));
  const applied = await project.run(['apply', '--yes'], workspace.variables);
  expect([applied.code, applied.out]).toEqual([0, expect.stringContaining('- members[ann@example.com]')]);
  expect((await project.run(['plan', '--detailed-exitcode'], workspace.variables)).code).toBe(0);
});

test('an import is the same work whether its definition names defaults or not, and whether a manifest describes it', async () => {
  const workspace = await testWorkspace();
  const named = { ...specs, options: { mapping: [{ ...number, inResponse: true }], stripWhiteSpace: 'STRIP' } };
  const job = JSON.stringify({
    apiVersion: 'dexsync/v1',
    kind: 'Import',
    metadata: { name: 'Parts' },
    spec: { definition: 'Specs', source: { file: 'a.csv' } },
  });
  const project = await testProject({
    'manifests/d.yaml': definition('Specs', { ...specs, options: { mapping: [number] } }),
    'manifests/i.yaml': job,
    'manifests/a.csv': 'Part\nDX-0001\n',
  });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  for (const text of [definition('Specs', named), '']) {
    await project.write('manifests/d.yaml', text);
    const plan = await project.run(['plan', '--detailed-exitcode'], workspace.variables);
    expect([plan.code, plan.err]).toEqual([0, '']);
  }
});
