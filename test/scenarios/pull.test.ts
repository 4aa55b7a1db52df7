import { readFileSync } from 'node:fs';
import { chmod, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { alteringProxy } from '../harness/altering-proxy.js';
import { manifest } from '../harness/manifest.js';
import { scaled } from '../harness/sample.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';
import { livedIn } from './lived-in.js';

const isDocument = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(readFileSync('schema/pull.json', 'utf8')));

const writes = (entries: readonly { method: string }[]): unknown[] => entries.filter(({ method }) => method !== 'GET');

/** The plan asks for nothing, and nothing was sent. */
async function expectEmptyPlan(project: TestProject, workspace: TestWorkspace): Promise<void> {
  const plan = await project.run(['plan', '--detailed-exitcode', '--adopt', 'never'], workspace.variables);
  expect([plan.code, plan.out, plan.err]).toEqual([0, expect.stringContaining('No changes.'), '']);
  expect(writes(await workspace.usage())).toEqual([]);
}

const pulled = async (project: TestProject, workspace: TestWorkspace, ...args: string[]) => {
  const { code, out, err } = await project.run(['pull', ...args, '--json'], workspace.variables);
  expect(code, err + out).toBe(0);
  const document = JSON.parse(out);
  isDocument(document);
  expect(isDocument.errors).toBeNull();
  return { ...document, err };
};

/** A project whose manifests were applied, so that it owns what it describes. */
async function applied(files: Record<string, string>, config?: string) {
  const workspace = await testWorkspace();
  const project = await testProject({ ...files, ...(config === undefined ? {} : { 'sync.config.yaml': config }) });
  const { code, err, out } = await project.run(['apply', '--yes'], workspace.variables);
  expect(code, err + out).toBe(0);
  const groups = async (): Promise<{ guid: string; name: string }[]> =>
    (await workspace.call('GET', '/settings/usergroups')).body.results;
  const change = async (name: string, body: object): Promise<void> => {
    const found = (await groups()).find((group) => group.name === name);
    const { status } = await workspace.call('PUT', `/settings/usergroups/${found?.guid}`, { name, ...body });
    expect(status).toBeLessThan(300);
  };
  return { workspace, project, change };
}

describe('day one', () => {
  test('a manually kept workspace becomes manifests and an empty plan, with one ambiguity to solve', async () => {
    const workspace = await testWorkspace();
    const size = { definitions: scaled(40, 10), groups: scaled(25, 6) };
    await livedIn(workspace, size);
    const project = await testProject();
    const before = (await workspace.usage()).length;
    const first = await pulled(project, workspace, '--adopt');
    const reads = (await workspace.usage()).slice(before);
    // A list for each kind and lookup in use, and one for each list of children: of groups, and two of the integration.
    const lists = reads.filter(
      ({ path }) => !/\/(users|triggers|administrators)(\?|$)/.test(path.replace('/settings/users', '')),
    );
    expect(reads.length - lists.length).toBeLessThanOrEqual(size.groups + 1 + 2 + 1);
    expect(lists.length).toBeLessThanOrEqual(14);
    const twin = { address: 'ImportDefinition/ERP items', reason: expect.stringContaining('adopt or rename') };
    expect(first.unmanaged).toMatchObject([twin, twin]);
    // The service makes one of them itself.
    expect(first.adopted).toHaveLength(first.added.length - 1);
    expect(await project.read('manifests/number-reservations.yaml')).toMatch(
      /category: Item\\Resistor\n {2}itemNumbers:\n(?: {4}- .*\n){3}$/,
    );
    expect(await project.read('manifests/outbound-integrations.yaml')).toMatch(
      /triggers:\n {4}- New items\n {2}administrators:\n {4}- \S+@/,
    );
    expect(first.err).toMatch(/name-ambiguous[\s\S]*ERP items[\s\S]*#\d+[\s\S]*--number N/);
    await expectEmptyPlan(project, workspace);

    const adopt = await project.run(
      ['adopt', 'ImportDefinition/ERP items', '--number', String(first.unmanaged[1].number)],
      workspace.variables,
    );
    expect(adopt.code, adopt.err).toBe(0);
    const second = await pulled(project, workspace);
    expect([second.added, second.files.length]).toEqual([['ImportDefinition/ERP items'], 1]);
    expect(
      (await project.read('manifests/import-definitions.yaml')).match(/^# Not managed \(#\d+\): several/gm),
    ).toHaveLength(1);
    await expectEmptyPlan(project, workspace);
    const third = await pulled(project, workspace);
    expect([third.files, third.added]).toEqual([[], []]);
  });

  test.each(['reference', 'arena'])(
    'every kind of the %s dialect is pulled, and the plan is empty',
    async (dialect) => {
      const workspace = await testWorkspace([], dialect);
      const source = await testProject();
      for (const file of (await readdir('examples/kinds')).filter((name) =>
        /^(?!import(-files|-sourcing)?\.yaml).*\.yaml$/.test(name),
      )) {
        await source.write(`manifests/${file}`, readFileSync(`examples/kinds/${file}`));
      }
      const apply = await source.run(['apply', '--yes', '--manual', 'warn'], workspace.variables);
      expect(apply.code, apply.err).toBe(0);
      const project = await testProject();
      for (const layout of ['object', 'kind']) {
        const copy = layout === 'kind' ? project : await testProject();
        await pulled(copy, workspace, '--layout', layout);
        const plan = await copy.run(['plan', '--detailed-exitcode', '--adopt', 'never'], workspace.variables);
        expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('No changes.')]);
        expect(await copy.run(['fmt', '--diff'])).toMatchObject({ code: 0, out: '' });
      }
      expect(await project.read('manifests/user-groups.yaml')).toMatch(
        /^# yaml-language-server: \$schema=\.\.\/node_modules\/dexsync\/schema\/manifest\.json\napiVersion: dexsync\/v1\n/,
      );
    },
  );
});

test('a duplicate that is renamed in the workspace gets a manifest in place of its comment', async () => {
  const workspace = await testWorkspace();
  const body = { name: 'ERP', resource: 'ITEM_SPECS', mode: 'EDIT', options: {} };
  const made = [await workspace.call('POST', '/imports', body), await workspace.call('POST', '/imports', body)];
  const project = await testProject();
  await pulled(project, workspace, '--kind', 'ImportDefinition');
  await workspace.call('PUT', `/imports/${made[1]?.body.guid}`, { name: 'Second: ERP' });
  const { added } = await pulled(project, workspace, '--kind', 'ImportDefinition');
  expect(added).toEqual(['ImportDefinition/ERP', 'ImportDefinition/Second: ERP']);
  expect(await project.read('manifests/import-definitions.yaml')).not.toContain('Not managed');
  await expectEmptyPlan(project, workspace);
});

describe('existing manifests are edited in place', () => {
  const FILE = `# Who approves
apiVersion: dexsync/v1
kind: UserGroup
metadata: { name: 'Quality' } # keep
spec:
    description: "Old" # why

    assignability: [ CHANGES ] # flow
---
apiVersion: dexsync/v1
kind: UserGroup
metadata:
  name: Plain
spec:
  enabled:   true
`;

  test('comments, order, quotes and the other documents survive; fields without a name stay without', async () => {
    const { workspace, project, change } = await applied({ 'manifests/a.yaml': FILE });
    await change('Quality', { description: 'New "text": here', enabled: true, assignability: ['CHANGES', 'QUALITY'] });
    const { edited } = await pulled(project, workspace, '--name', 'Quality');
    expect(edited).toEqual(['UserGroup/Quality']);
    expect(await project.read('manifests/a.yaml')).toBe(
      FILE.replace('"Old"', '"New \\"text\\": here"').replace('[ CHANGES ]', '[CHANGES, QUALITY]'),
    );
    const plan = await project.run(['plan', '--detailed-exitcode'], workspace.variables);
    expect(plan.code, plan.out).toBe(0);
  });

  test.each([
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['no final newline', (text: string) => text.trimEnd()],
    ['a byte order mark', (text: string) => `\uFEFF${text}`],
  ])('a file with %s keeps it', async (_, form) => {
    const { workspace, project, change } = await applied({ 'manifests/a.yaml': form(FILE) });
    const same = await pulled(project, workspace, '--name', 'Quality');
    expect([same.files, await project.read('manifests/a.yaml')]).toEqual([[], form(FILE)]);
    await change('Quality', { description: 'New', assignability: ['CHANGES'] });
    await pulled(project, workspace, '--name', 'Quality');
    expect(await project.read('manifests/a.yaml')).toBe(form(FILE.replace('"Old"', '"New"')));
  });

  test('a formatted file stays formatted, no matter what is added to its lists', async () => {
    const mapping = '    mapping:\n      - { resource: ITEM_SPECS, apiName: number, sourceName: Part }\n';
    const file = `apiVersion: dexsync/v1\nkind: ImportDefinition\nmetadata: { name: Parts }\nspec:\n  resource: ITEM_SPECS\n  mode: EDIT\n  options:\n${mapping}`;
    const { workspace, project } = await applied({ 'manifests/a.yaml': file });
    const [live] = await workspace.pages('/imports');
    const options = live?.options as { mapping: object[] };
    const further = { sourceName: 'Title', inResponse: false, apiName: 'name', resource: 'ITEM_SPECS' };
    const changed = { ...live, options: { ...options, mapping: [...options.mapping, further] } };
    const url = await alteringProxy(workspace.url, ({ path }, { body: _, ...answer }) =>
      path.startsWith('/imports')
        ? { ...answer, body: Buffer.from(JSON.stringify({ count: 1, results: [changed] })) }
        : undefined,
    );
    const proxied = { ...workspace, variables: { ...workspace.variables, TEST_URL: url } };
    const { edited } = await pulled(project, proxied);
    expect(edited).toEqual(['ImportDefinition/Parts']);
    expect(await project.read('manifests/a.yaml')).toContain('sourceName: Title');
    expect(await project.run(['fmt', '--diff'])).toMatchObject({ code: 0, out: '' });
  });

  test('--diff shows the change and writes nothing; both runs report the same', async () => {
    const { workspace, project, change } = await applied({ 'manifests/a.yaml': FILE });
    await change('Quality', { description: 'New', assignability: ['CHANGES'] });
    const { code, out } = await project.run(
      ['pull', '--kind', 'groups', '--name', 'Quality', '--diff'],
      workspace.variables,
    );
    expect([code, await project.read('manifests/a.yaml')]).toEqual([2, FILE]);
    expect(out).toContain('-    description: "Old" # why\n+    description: "New" # why\n');
    const adopt = await project.run(['pull', '--diff', '--adopt'], workspace.variables);
    expect([adopt.code, adopt.err]).toEqual([3, expect.stringContaining('nothing to adopt')]);
  });

  test('an expression that renders to the live value stays; another is proposed for the overlay', async () => {
    const config = `stack: test
manifests: [manifests]
environments:
  remote: { url: "\${env.TEST_URL}", variables: { site: Vienna }, overlay: overlays/remote }
`;
    const text = `apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: Quality }\nspec: { description: "Of \${var.site}" }\n`;
    const overlay =
      'apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: Quality }\nspec:\n  enabled: true # here\n';
    const files = { 'manifests/a.yaml': text, 'overlays/remote/a.yaml': overlay };
    const { workspace, project, change } = await applied(files, config);
    expect((await pulled(project, workspace, '--name', 'Quality')).files).toEqual([]);
    await change('Quality', { description: 'Of Graz', enabled: false });
    const { err, files: changed, open } = await pulled(project, workspace, '--name', 'Quality');
    expect([changed, open]).toEqual([[{ file: 'overlays/remote/a.yaml', change: 'edit' }], ['UserGroup/Quality']]);
    expect(await project.read('manifests/a.yaml')).toBe(text);
    expect(await project.read('overlays/remote/a.yaml')).toBe(overlay.replace('true', 'false'));
    expect(err).toMatch(/edit-proposed[\s\S]*overlays\/remote[\s\S]*description: Of Graz/);
  });

  test('a proposed change can be pasted: a text like a variable is escaped, a name is quoted', async () => {
    const text = `apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: A }\nspec: { description: "Of \${var.site}" }\n`;
    const config = `stack: test
manifests: [manifests]
environments:
  remote: { url: "\${env.TEST_URL}", variables: { site: Vienna }, overlay: overlays }
`;
    const { workspace, project, change } = await applied(
      {
        'manifests/a.yaml': text,
        'manifests/b.yaml': manifest('UserGroup', 'B', {}),
        'overlays/none.yaml': '# none\n',
      },
      config,
    );
    await change('A', { description: 'Of ${var.site}' });
    await change('B', { name: 'B: #2' });
    const { err, files } = await pulled(project, workspace, '--kind', 'groups');
    expect(err).toContain('The workspace has "Of ${var.site}".');
    expect(err).toContain('write `name: "B: #2"` in its metadata');
    expect(files).toEqual([{ file: 'manifests/user-groups.yaml', change: 'create' }]);
    const paste = /put this into the overlay overlays: (.*)/.exec(err)?.[1];
    await project.write('overlays/a.yaml', `${paste}\n`);
    expect((await pulled(project, workspace, '--name', 'A')).unchanged).toEqual(['UserGroup/A']);
    const again = await project.run(['pull', '--kind', 'groups', '--name', 'B'], workspace.variables);
    expect(again.out).toContain('No file was changed.');
  });

  test('an object that a manifest knows by another name gets no second manifest under any selection', async () => {
    const text = manifest('UserGroup', 'A', { description: 'a' }) + manifest('UserGroup', 'Old', {});
    const { workspace, project, change } = await applied({ 'manifests/a.yaml': text });
    await change('A', { name: 'B', description: 'a' });
    const moved = await pulled(project, workspace, '--name', 'B');
    expect([moved.files, moved.open, moved.err]).toEqual([
      [],
      ['UserGroup/B'],
      expect.stringContaining('renamed-outside'),
    ]);

    const renaming = text
      .replace('name: Old', 'name: New, renamedFrom: Old')
      .replace('"Old"', '"New", "renamedFrom": "Old"');
    expect(renaming).not.toBe(text);
    await project.write('manifests/a.yaml', renaming);
    expect((await pulled(project, workspace, '--name', 'Old')).files).toEqual([]);
  });

  test('a proposed list removes entries of the manifest that the workspace does not have', async () => {
    const rule = (resource: string) => ({ resource, actions: ['READ'] });
    const config = `stack: test
manifests: [manifests]
environments:
  remote: { url: "\${env.TEST_URL}", variables: { resource: ITEM }, overlay: overlays }
`;
    const { workspace, project } = await applied(
      {
        'manifests/p.yaml': manifest('Policy', 'P', { rules: [rule('${var.resource}'), rule('CHANGE')] }),
        'overlays/none.yaml': '# none\n',
      },
      config,
    );
    const { body } = await workspace.call('GET', '/settings/policies');
    const { guid } = body.results.find(({ name }: { name: string }) => name === 'P');
    const { status } = await workspace.call('PUT', `/settings/policies/${guid}`, {
      name: 'P',
      rules: [rule('CHANGE')],
    });
    expect(status).toBe(200);
    const { err, open } = await pulled(project, workspace, '--kind', 'Policy');
    expect(open).toEqual(['Policy/P']);
    await project.write('overlays/a.yaml', `${/put this into the overlay overlays: (.*)/.exec(err)?.[1]}\n`);
    expect((await pulled(project, workspace, '--kind', 'Policy')).unchanged).toEqual(['Policy/P']);
  });

  test('one manifest for several objects is not edited; a change of an anchored value does not affect others', async () => {
    const each = `apiVersion: dexsync/v1\nkind: UserGroup\nforEach: [A, B]\nmetadata: { name: "\${each.key}" }\nspec: { description: same }\n`;
    const shared = `apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: C, annotations: { d: &d text } }\nspec: { description: *d }\n`;
    const { workspace, project, change } = await applied({ 'manifests/a.yaml': each, 'manifests/b.yaml': shared });
    await change('A', { description: 'other' });
    await change('C', { description: 'mine' });
    const { err } = await pulled(project, workspace, '--kind', 'UserGroup', '--name', '?');
    expect(err).toMatch(/edit-proposed[\s\S]*UserGroup\/A[\s\S]*forEach/);
    expect(await project.read('manifests/a.yaml')).toBe(each);
    expect(await project.read('manifests/b.yaml')).toBe(shared.replace('*d', 'mine'));
  });

  test('a reservation of a quantity gets the reserved quantity', async () => {
    const text = manifest('NumberReservation', 'R', { category: 'Item\\Resistor', quantity: 2 });
    const { workspace, project } = await applied({ 'manifests/r.yaml': text });
    expect((await pulled(project, workspace, '--kind', 'reservations')).files).toEqual([]);
    await project.write('manifests/r.yaml', text.replace('2}', '1}'));
    await pulled(project, workspace, '--kind', 'reservations');
    expect(await project.read('manifests/r.yaml')).toBe(text);
  });
});

describe('an object that cannot be pulled is reported, and nothing is written', () => {
  test('from manifests with errors, with a file in the place of the folder, into a folder that cannot be written to', async () => {
    const workspace = await testWorkspace();
    const broken = await testProject({ 'manifests/a.yaml': 'kind: [' });
    const invalid = await broken.run(['pull'], workspace.variables);
    expect([invalid.code, invalid.err]).toEqual([3, expect.stringContaining('yaml-syntax')]);
    expect([await readdir(join(broken.folder, 'manifests')), (await workspace.usage()).length]).toEqual([
      ['a.yaml'],
      0,
    ]);

    const project = await testProject({ 'taken.txt': 'x' });
    const file = await project.run(['pull', '--out', 'taken.txt'], workspace.variables);
    expect([file.code, file.err]).toEqual([3, expect.stringContaining('"taken.txt" is a file')]);
    await chmod(join(project.folder, 'manifests'), 0o500);
    const readOnly = await project.run(['pull'], workspace.variables);
    await chmod(join(project.folder, 'manifests'), 0o700);
    if (process.getuid?.() !== 0)
      expect([readOnly.code, readOnly.err]).toEqual([3, expect.stringContaining('No file was changed.')]);
    const unknown = await project.run(['pull', '--kind', 'users'], workspace.variables);
    expect([unknown.code, unknown.err]).toEqual([3, expect.stringContaining('never managed')]);
  });

  test('a file without manifests is not overwritten; a name in other letters is the same file', async () => {
    const workspace = await testWorkspace();
    const project = await testProject();
    await symlink('/etc/hosts', join(project.folder, 'manifests/user-groups.yaml'));
    const refused = await project.run(['pull', '--kind', 'groups', '--out', 'manifests'], workspace.variables);
    expect([refused.code, await readdir(join(project.folder, 'manifests'))]).toEqual([3, ['user-groups.yaml']]);
    const other = await testProject({ 'manifests/User-Groups.yaml': manifest('UserGroup', 'A', {}) });
    const { files } = await pulled(other, workspace, '--kind', 'groups');
    expect(files).toEqual([{ file: 'manifests/User-Groups.yaml', change: 'edit' }]);
  });

  test('a folder outside the configuration is written and read alone, and a finding says so', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/a.yaml': manifest('UserGroup', 'Everyone', {}) });
    const refused = await project.run(['pull', '--kind', 'groups', '--out', 'copy', '--adopt'], workspace.variables);
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('so its objects cannot be adopted.')]);
    const first = await pulled(project, workspace, '--kind', 'groups', '--out', 'copy');
    expect([first.added, first.files]).toEqual([
      ['UserGroup/Everyone'],
      [{ file: 'copy/user-groups.yaml', change: 'create' }],
    ]);
    expect(first.err).toContain('dexsync plan -f copy');
    expect((await pulled(project, workspace, '--kind', 'groups', '--out', 'copy')).files).toEqual([]);
  });

  test('a configuration of files alone has no place for new objects: nothing is written or adopted', async () => {
    const text = manifest('UserGroup', 'Everyone', { description: 'All' });
    const config = 'stack: test\nmanifests: [a.yaml]\nenvironments:\n  remote: { url: "${env.TEST_URL}" }\n';
    const workspace = await testWorkspace();
    const project = await testProject({ 'a.yaml': text, 'sync.config.yaml': config });
    await workspace.call('POST', '/settings/usergroups', { name: 'New' });
    const refused = await project.run(['pull', '--kind', 'groups', '--adopt'], workspace.variables);
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('Add a folder to `manifests`')]);
    expect([await project.read('a.yaml'), writes(await workspace.usage())]).toEqual([text, []]);
    expect((await pulled(project, workspace, '--name', 'Everyone')).files).toEqual([
      { file: 'a.yaml', change: 'edit' },
    ]);
    await project.write('sync.config.yaml', config.replace('[a.yaml]', '[a.yaml, pulled]'));
    expect((await pulled(project, workspace, '--kind', 'groups')).files).toEqual([
      { file: 'pulled/user-groups.yaml', change: 'create' },
    ]);
  });

  test('an object that only another environment describes is not put where that environment reads it, too', async () => {
    const config = `stack: test
manifests: [manifests]
environments:
  remote: { url: "\${env.TEST_URL}", manifests: [own] }
  prod: { url: "\${env.TEST_URL}", manifests: [prod] }
`;
    const workspace = await testWorkspace();
    const project = await testProject({
      'sync.config.yaml': config,
      'own/a.yaml': manifest('UserGroup', 'Everyone', {}) + manifest('UserGroup', 'Mine', {}),
      'prod/a.yaml': manifest('UserGroup', 'New', {}),
    });
    for (const name of ['New', 'Mine']) await workspace.call('POST', '/settings/usergroups', { name });
    const { added, err, adopted } = await pulled(project, workspace, '--kind', 'groups', '--adopt');
    expect([added, adopted]).toEqual([[], ['UserGroup/Mine']]);
    expect(err).toMatch(
      /prod\/a\.yaml:1:1 .*described-elsewhere\n.*UserGroup\/New has a manifest that environment "prod"/,
    );
    const own = await pulled(project, workspace, '--kind', 'groups', '--out', 'own');
    expect([own.added, own.files[0].file, own.diagnostics]).toEqual([['UserGroup/New'], 'own/user-groups.yaml', []]);
    const prod = await project.run(['validate', '--env', 'prod'], workspace.variables);
    expect([prod.code, prod.err]).toEqual([0, '']);
  });

  test('where one file cannot be written, none is', async () => {
    const workspace = await testWorkspace();
    const text = 'apiVersion: dexsync/v1\nkind: ExtractDefinition\nmetadata: { name: E }\nspec: { enabled: false }\n';
    const project = await testProject({ 'manifests/e.yaml': text, 'manifests/user-groups': 'in the way' });
    await workspace.call('POST', '/extracts', { name: 'E', type: 'FULL' });
    const { code, err } = await project.run(['pull', '--layout', 'object'], workspace.variables);
    expect([code, err]).toEqual([3, expect.stringContaining('No file was changed.')]);
    expect(await project.read('manifests/e.yaml')).toBe(text);
    expect((await readdir(join(project.folder, 'manifests'))).sort()).toEqual(['e.yaml', 'user-groups']);
  });

  test('a field that the service does not show stays in the manifest', async () => {
    const workspace = await testWorkspace([], 'arena');
    const trigger = { guid: 'AAAAAAAAAAAAAAAAAAAA', name: 'T', resource: 'ITEM', action: 'EDIT' };
    const url = await alteringProxy(workspace.url, ({ path }, { body: _, ...answer }) =>
      path.includes('/triggers')
        ? { ...answer, body: Buffer.from(JSON.stringify({ count: 1, results: [trigger] })) }
        : undefined,
    );
    const spec = { resource: 'ITEM', action: 'CREATE', attributes: [{ apiName: 'number' }] };
    const project = await testProject({ 'manifests/t.yaml': manifest('Trigger', 'T', spec) });
    await pulled(project, { ...workspace, variables: { ...workspace.variables, TEST_URL: url } }, '--kind', 'Trigger');
    expect(await project.read('manifests/t.yaml')).toBe(manifest('Trigger', 'T', { ...spec, action: 'EDIT' }));
  });

  test('an object of another stack is left to it', async () => {
    const { workspace, project } = await applied({ 'manifests/a.yaml': manifest('UserGroup', 'Quality', {}) });
    const config = await project.read('sync.config.yaml');
    await project.write(
      'sync.config.yaml',
      config.replace('stack: test', 'stack: other').replace('[manifests]', '[own]'),
    );
    const { added, adopted, err } = await pulled(project, workspace, '--kind', 'groups', '--adopt');
    expect([added, adopted]).toEqual([['UserGroup/Everyone'], []]);
    expect(err).toMatch(/other-stack\n.*UserGroup\/Quality belongs to the stack "test"/);
    const own = manifest('UserGroup', 'Quality', { description: 'mine' });
    await project.write('own/a.yaml', own);
    const again = await pulled(project, workspace, '--kind', 'groups', '--adopt');
    expect([again.adopted, await project.read('own/a.yaml')]).toEqual([[], own]);
    expect(again.err).toContain('UserGroup/Quality belongs to the stack "test"');
  });
});

test('--only-drift writes what others changed alone: what waits for an apply stays, and drift goes on reporting the rest', async () => {
  const group = (name: string, spec: object): string => manifest('UserGroup', name, spec);
  const { workspace, project, change } = await applied({
    'manifests/a.yaml': group('Quality', { description: 'Old' }),
    'manifests/b.yaml': group('Buyers', { description: 'Old' }),
    'manifests/c.yaml': group('Both', { description: 'Old', members: ['ann@example.com'] }),
  });
  await workspace.call('POST', '/settings/usergroups', { name: 'Theirs' });
  await change('Quality', { description: 'New', assignability: ['POLICIES'] });
  await change('Both', { description: 'New' });
  const waiting = group('Buyers', { description: 'Waits for an apply' });
  const both = group('Both', { description: 'Ours', members: ['ann@example.com', 'ben@example.com'] });
  await project.write('manifests/b.yaml', waiting);
  await project.write('manifests/c.yaml', both);

  const refused = await project.run(['pull', '--only-drift', '--adopt'], workspace.variables);
  expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('Leave out `--only-drift` or `--adopt`.')]);
  for (const edited of [['UserGroup/Quality'], []]) {
    const { added, edited: found } = await pulled(project, workspace, '--only-drift');
    expect([added, found]).toEqual([[], edited]);
  }
  expect(await project.read('manifests/a.yaml')).toContain('"description": "New", assignability: [POLICIES]');
  expect([await project.read('manifests/b.yaml'), await project.read('manifests/c.yaml')]).toEqual([waiting, both]);
  // As in the main branch, where nobody has accepted it.
  await project.write('manifests/a.yaml', group('Quality', { description: 'Old' }));
  const { objects } = JSON.parse((await project.run(['drift', '--json'], workspace.variables)).out);
  expect(objects).toMatchObject([
    { address: 'UserGroup/Both' },
    { address: 'UserGroup/Quality', fields: [{ path: 'description' }, { path: 'assignability[POLICIES]' }] },
  ]);
});

test.each([[[]], [['--adopt']]])(
  'an object that is pulled while a rename waits is recorded under the name in the ledger (pull %j)',
  async (flags) => {
    const { workspace, project, change } = await applied({
      'manifests/a.yaml': manifest('UserGroup', 'Quality', { description: 'Old' }),
    });
    await change('Quality', { description: 'New' });
    const renamed = (spec: object): Promise<void> =>
      project.write('manifests/a.yaml', manifest('UserGroup', 'Checks', spec, { renamedFrom: 'Quality' }));
    await renamed({ description: 'Old' });
    const { edited } = await pulled(project, workspace, '--name', 'Quality', '--name', 'Checks', ...flags);
    expect(edited).toEqual(['UserGroup/Quality']);
    await renamed({});
    const drift = await project.run(['drift', '--json'], workspace.variables);
    expect([drift.code, JSON.parse(drift.out).objects]).toEqual([0, []]);
    await project.write('manifests/a.yaml', '');
    const plan = await project.run(['plan', '--prune', '--json', '--allow', 'empty-input'], workspace.variables);
    expect(JSON.parse(plan.out).steps).toMatchObject([{ address: 'UserGroup/Quality', action: 'delete' }]);
  },
);

test('an object that is pulled while a rename waits refers to the other one by the name in its manifest', async () => {
  const policy = (userGroups: readonly string[]): string => manifest('Policy', 'P', { userGroups });
  const { workspace, project } = await applied({
    'manifests/a.yaml': manifest('UserGroup', 'Old'),
    'manifests/p.yaml': policy(['Old']),
  });
  await project.write('manifests/a.yaml', manifest('UserGroup', 'New', {}, { renamedFrom: 'Old' }));
  await project.write('manifests/p.yaml', policy([]));
  const { edited } = await pulled(project, workspace, '--kind', 'Policy', '--kind', 'UserGroup');
  expect([edited, await project.read('manifests/p.yaml')]).toEqual([
    ['Policy/P'],
    expect.stringContaining('"userGroups": [New]'),
  ]);
  const plan = await project.run(['plan', '--json'], workspace.variables);
  expect(JSON.parse(plan.out).steps).toMatchObject([{ address: 'UserGroup/New', action: 'rename' }]);
});

test('pulling costs one list for any number of objects', async () => {
  const workspace = await testWorkspace();
  const count = scaled(1000, 420);
  for (let index = 0; index < count; index += 1)
    await workspace.call('POST', '/imports', { name: `D ${index}`, resource: 'ITEM_SPECS', mode: 'EDIT', options: {} });
  const project = await testProject();
  const { added } = await pulled(project, workspace, '--kind', 'ImportDefinition');
  expect([added.length, (await workspace.usage()).length]).toEqual([count, Math.floor(count / 399) + 1]);
  await expectEmptyPlan(project, workspace);
});
