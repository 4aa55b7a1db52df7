import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pairProject } from '../harness/environment-pair.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { freshRunner, inGit, loseLedger } from '../harness/team-ledger.js';
import { testProject } from '../harness/test-project.js';
import type { TestWorkspace } from '../harness/test-workspace.js';

const group = (name: string, spec: object = {}, metadata: object = {}): string =>
  manifest('UserGroup', name, spec, metadata);

const RELEASE = ['release', 'create', '--from', 'dev'] as const;

const applyOn = async ({ run }: { run: (...args: string[]) => Promise<{ code: number | null; err: string }> }) => {
  const applied = await run('apply', '--env', 'dev', '--prune', '--yes', '--allow', 'deletes');
  expect(applied.code, applied.err).toBe(0);
};

test('a release keeps what was applied, once for each state, and says what became of each object', async () => {
  const pair = await pairProject();
  const { run, project, dev, guidsIn } = pair;
  const definition = itemsDefinition('Parts', { Part: 'number', RoHS: '@RoHS Status' });
  const write = (...documents: string[]) => project.write('manifests/all.yaml', documents.join(''));
  await write(definition, group('Quality', { description: 'Approves', members: ['ann@example.com'] }), group('Gone'));
  await applyOn(pair);
  const first = await run(...RELEASE, '--note', 'as it began');
  expect([first.code, first.out]).toEqual([
    0,
    expect.stringMatching(/^Created dev\/r1 of 3 objects\.\nRequests: \d+ used\.\n$/),
  ]);
  const again = await run(...RELEASE, '--name', 'another');
  expect([again.code, again.out]).toEqual([
    0,
    expect.stringContaining('Nothing changed in environment dev since dev/r1; no release was created.'),
  ]);

  // The mode of a definition cannot be updated: another one takes its place.
  const replaced = itemsDefinition('Parts', { Part: 'number', RoHS: '@RoHS Status' }, 'CREATE');
  const renamed = group(
    'Quality board',
    { description: 'Approves', members: ['ann@example.com'] },
    { renamedFrom: 'Quality' },
  );
  await write(replaced, renamed, group('New', {}, { protect: true }));
  await applyOn(pair);
  const second = await run(...RELEASE, '--name', 'spring');
  expect(second.out).toContain(
    [
      'Created dev/r2 ("spring") of 3 objects; since r1: 1 created, 1 changed, 1 renamed, 1 deleted.',
      '  ~ ImportDefinition/Parts  changed',
      '  - UserGroup/Gone  deleted',
      '  + UserGroup/New  created',
      '  ~ UserGroup/Quality board  renamed from "Quality"',
    ].join('\n'),
  );
  const differences = await run('release', 'diff', 'r1', 'spring');
  expect([differences.code, differences.out]).toEqual([2, expect.stringContaining('~ mode: "OVERWRITE" -> "CREATE"')]);
  expect((await run('release', 'diff', 'dev/r2', 'r2')).code).toBe(0);

  // A state that returns is another release, since the newest one says something else.
  await write(
    definition,
    group('Quality', { description: 'Approves', members: ['ann@example.com'] }, { renamedFrom: 'Quality board' }),
    group('Gone'),
  );
  await project.write('manifests/new.yaml', group('New'));
  await applyOn(pair);
  expect((await run(...RELEASE)).out).toContain('Created dev/r3 of 4 objects; since r2: ');

  const whole = await run('release', 'show', 'dev/r2', '--json');
  const { content, changes, note, by } = JSON.parse(whole.out);
  expect([note, by.actor.login, changes.length]).toEqual([undefined, 'admin@example.com', 4]);
  expect(content.objects.find((one: { address: string }) => one.address === 'UserGroup/Quality board')).toMatchObject({
    protect: false,
    spec: { description: 'Approves', members: ['ann@example.com'] },
    unnamed: { enabled: true },
  });
  expect(content.lookups).toMatchObject({ 'Attribute:ITEMS': { 'RoHS Status': { fieldType: expect.any(String) } } });
  expect(
    await guidsIn(whole.out, '/imports', '/settings/usergroups', '/settings/items/attributes', '/settings/users'),
  ).toEqual([]);
  const listed = await run('release', 'list', '-o', 'name');
  expect(listed.out).toBe('dev/r3\ndev/r2\ndev/r1\n');
  const before = (await dev.usage()).length;
  for (const args of [['list'], ['show', 'r1'], ['diff', 'r1', 'r3']]) await run('release', ...args);
  expect((await dev.usage()).length).toBe(before);
});

const guidOf = async (on: TestWorkspace, name: string): Promise<string> =>
  (await on.pages('/settings/usergroups')).find((one) => one.name === name).guid;

test('while others changed something, only --live releases what is there', async () => {
  const pair = await pairProject({ files: { 'manifests/a.yaml': group('Quality', { description: 'Approves' }) } });
  const { run, dev } = pair;
  await applyOn(pair);
  const path = `/settings/usergroups/${await guidOf(dev, 'Quality')}`;
  await dev.call('PUT', path, { name: 'Quality', description: 'By hand', assignability: ['CHANGES'] });
  const refused = await run(...RELEASE);
  expect([refused.code, refused.err]).toEqual([
    4,
    expect.stringContaining(
      'No release was created: others changed 1 object of environment "dev" since the last apply: UserGroup/Quality.',
    ),
  ]);
  expect((await run('release', 'list')).out).toContain('The ledger has no releases.');
  expect((await run(...RELEASE, '--live')).code).toBe(0);
  const { as, content } = JSON.parse((await run('release', 'show', 'r1', '--json')).out);
  expect([as, content.objects[0].spec, content.objects[0].unnamed]).toEqual([
    'live',
    expect.objectContaining({ description: 'By hand', assignability: ['CHANGES'], enabled: true }),
    {},
  ]);
  expect((await run('promote', '--release', 'r1', '--to', 'prod', '--out', 'plan.json')).code).toBe(0);
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  await dev.call('PUT', path, { name: 'Quality', description: null, assignability: [] });
  expect((await run(...RELEASE, '--live')).code).toBe(0);
  const cleared = await run('promote', '--release', 'r2', '--to', 'prod');
  expect(cleared.out).toMatch(/description: "By hand" -> ""[\s\S]*- assignability\[CHANGES\]/);
  await dev.call('DELETE', path);
  expect((await run(...RELEASE)).err).toContain('UserGroup/Quality');
});

test('clones that share a ledger see one list of releases, and two that create one at the same time get one', async () => {
  const pair = await pairProject({ files: { 'manifests/a.yaml': group('Quality') } });
  const { project, variables } = pair;
  await inGit.place(project);
  await applyOn(pair);
  const other = await freshRunner(project);
  const both = await Promise.all([
    project.run([...RELEASE, '--wait'], variables),
    other.project.run([...RELEASE, '--wait'], { ...variables, ...other.variables }),
  ]);
  expect(both.map(({ code, err }) => [code, code === 0 ? '' : err])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  const list = await other.project.run(['release', 'list', '-o', 'name'], { ...variables, ...other.variables });
  expect(list.out).toBe('dev/r1\n');
});

test('an exported release arrives whole in another ledger, and neither an altered file nor another r1 is accepted', async () => {
  const pair = await pairProject({ files: { 'manifests/a.yaml': group('Quality', { description: 'Approves' }) } });
  const { run, project } = pair;
  await applyOn(pair);
  await run(...RELEASE);
  const exported = await run('release', 'export', 'r1', '--out', 'r1.json');
  expect([exported.code, exported.out]).toEqual([
    0,
    expect.stringMatching(/^Wrote dev\/r1 to r1\.json \(digest \w{19}\)\.\n$/),
  ]);
  const text = await project.read('r1.json');
  expect((await run('release', 'import', 'r1.json')).out).toMatch(/^The ledger has dev\/r1 already/);

  await project.write('manifests/a.yaml', group('Quality', { description: 'Other' }));
  await loseLedger(project);
  await project.write('altered.json', text.replace('Approves', 'Allows'));
  const altered = await run('release', 'import', 'altered.json');
  expect([altered.code, altered.err]).toEqual([
    3,
    expect.stringContaining('altered.json is not a release, or somebody changed it after it was exported.'),
  ]);
  expect((await run('release', 'import', 'r1.json')).out).toMatch(/^Added dev\/r1 from r1\.json/);
  expect((await run('release', 'show', 'r1', '--json')).out).toBe(
    `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`,
  );

  const third = await testProject({
    'sync.config.yaml': 'stack: other\nmanifests: [manifests]\nenvironments: { local: { workspace: embedded } }\n',
    'r1.json': text,
  });
  expect((await third.run(['release', 'import', 'r1.json'])).err).toContain(
    'r1.json is a release of the stack "test"; this project is the stack "other".',
  );
  await run('adopt', 'UserGroup/Quality', '--env', 'dev');
  await applyOn(pair);
  await run(...RELEASE);
  expect((await run('release', 'list', '-o', 'name')).out).toBe('dev/r2\ndev/r1\n');
  await loseLedger(project);
  await run('adopt', 'UserGroup/Quality', '--env', 'dev');
  await run(...RELEASE);
  const taken = await run('release', 'import', 'r1.json');
  expect([taken.code, taken.err]).toEqual([
    3,
    expect.stringContaining('The ledger already has another release dev/r1, which is not replaced.'),
  ]);
  await project.write('plan.txt', 'my notes\n');
  expect((await run('release', 'export', 'r1', '--out', 'plan.txt')).err).toContain(
    'plan.txt already exists and is not a release',
  );
});

test.each([
  [['release', 'show', 'r7'], 'The ledger has no release r7 of this stack.'],
  [['release', 'show', 'dev/r10'], 'Did you mean "dev/r1"?'],
  [['release', 'show', 'winter'], 'The ledger has no release winter of this stack.'],
  [[...RELEASE, '--name', 'r9'], '"r9" cannot be the name of a release.'],
  [['release', 'import', 'none.json'], 'none.json'],
  [['release', 'create', '--from', 'nowhere'], 'nowhere'],
])('%j says what is wrong and what to do', async (args, message) => {
  const pair = await pairProject({ files: { 'manifests/a.yaml': group('Quality') } });
  await applyOn(pair);
  expect((await pair.run(...RELEASE)).code).toBe(0);
  const { code, err } = await pair.run(...args);
  expect([code, err]).toEqual([3, expect.stringContaining(message)]);
});

test('a ledger that moves takes the releases of its environment along', async () => {
  const pair = await pairProject({ files: { 'manifests/a.yaml': group('Quality') } });
  const { run, project } = pair;
  await applyOn(pair);
  await run(...RELEASE);
  await inGit.place(project);
  const moved = await run('ledger', 'move', 'dev', '--from', 'file');
  expect([moved.code, moved.out], moved.err).toEqual([
    0,
    expect.stringContaining('Moved 1 apply and 1 release of environment'),
  ]);
  expect((await run('release', 'list', '-o', 'name')).out).toBe('dev/r1\n');
});

test('a release is promoted as it was, though dev has changed since, and an earlier one brings its state back', async () => {
  const pair = await pairProject({
    files: { 'manifests/a.yaml': group('Quality', { description: 'First' }, { labels: { team: 'qa' } }) },
  });
  const { run, project, dev, prod } = pair;
  const described = async () =>
    (await prod.pages('/settings/usergroups')).find(({ name }) => name === 'Quality')?.description;
  await applyOn(pair);
  await run(...RELEASE);
  await project.write(
    'manifests/a.yaml',
    group('Quality', { description: 'Second' }, { protect: true }) + group('Later', { members: ['ann@example.com'] }),
  );
  await applyOn(pair);
  await run(...RELEASE, '--name', 'spring');

  const before = (await dev.usage()).length;
  const first = await run('promote', '--release', 'r1', '--to', 'prod', '--out', 'plan.json');
  expect([first.code, first.out], first.err).toEqual([
    0,
    expect.stringContaining('Promotes release dev/r1 of environment dev (workspace "Embedded Workspace").'),
  ]);
  expect(JSON.parse(await project.read('plan.json'))).toMatchObject({
    promoted: { environment: 'dev', as: 'applied', release: 'dev/r1', requests: 0 },
    steps: [{ address: 'UserGroup/Quality', action: 'create', fact: { protect: false } }],
  });
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  expect(await described()).toBe('First');
  expect((await run('promote', 'prod', '--release', 'dev/r1', '--detailed-exitcode')).code).toBe(0);
  expect((await run('promote', '--release', 'r1', '--to', 'prod', '--only', 'label:team=qa')).code).toBe(0);

  expect((await run('promote', '--release', 'spring', '--to', 'prod', '--out', 'plan.json')).out).toMatch(
    /\+ UserGroup\/Later {2}create[\s\S]*~ UserGroup\/Quality {2}update/,
  );
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  expect(await described()).toBe('Second');
  expect((await run('apply', 'plan.json', '--yes')).err).toContain('dexsync promote --release dev/r2 --to prod');
  const back = await run('promote', '--release', 'r1', '--to', 'prod', '--out', 'plan.json');
  expect(back.out).toContain('~ description: "Second" -> "First"');
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  expect(await described()).toBe('First');
  expect((await dev.usage()).length).toBe(before);
  expect((await run('promote', '--release', 'r1', '--to', 'dev')).err).toContain('Both environments are "dev".');
  expect((await run('promote', '--to', 'prod')).code).toBe(3);
});

test('a hotfix on prod survives promotions, both sides of a conflict can be chosen, and promoting twice plans nothing', async () => {
  const pair = await pairProject();
  const { run, project, prod } = pair;
  const write = (description: string, members: string[], more = ''): Promise<void> =>
    project.write('manifests/a.yaml', group('Quality', { description, members }) + more);
  const onProd = async () => {
    const { guid } = (await prod.pages('/settings/usergroups')).find(({ name }) => name === 'Quality');
    const { body } = await prod.call('GET', `/settings/usergroups/${guid}`);
    const members = (await prod.pages(`/settings/usergroups/${guid}/users`)).map(({ email }) => email).sort();
    return { path: `/settings/usergroups/${guid}`, description: body.description, members };
  };
  const promote = (...args: string[]) => run('promote', '--release', ...args, '--to', 'prod', '--out', 'plan.json');
  const apply = async (...args: string[]) => {
    const planned = await promote(...args);
    expect([0, 4], planned.err).toContain(planned.code);
    expect([0, 4]).toContain((await run('apply', 'plan.json', '--yes')).code);
    return planned;
  };
  await write('First', ['ann@example.com'], group('Gone'));
  await applyOn(pair);
  await run(...RELEASE);
  await apply('r1');
  expect(await onProd()).toMatchObject({ description: 'First', members: ['ann@example.com'] });

  // The hotfix: another description, and one more member.
  const { path } = await onProd();
  await prod.call('PUT', path, { name: 'Quality', description: 'Hotfix' });
  const ben = (await prod.pages('/settings/users')).find(({ email }) => email === 'ben@example.com');
  await prod.call('POST', `${path}/users`, { guid: ben.guid });
  await write('First', ['ann@example.com', 'cleo@example.com'], group('Gone'));
  await applyOn(pair);
  await run(...RELEASE);
  const second = await apply('r2');
  expect(second.out).toContain(
    'Changed here since the last promotion, and kept:\n  UserGroup/Quality: description, members[ben@example.com]\n',
  );
  const merged = { description: 'Hotfix', members: ['ann@example.com', 'ben@example.com', 'cleo@example.com'] };
  expect(await onProd()).toMatchObject(merged);
  expect((await run('promote', '--release', 'r2', '--to', 'prod', '--detailed-exitcode')).code).toBe(0);

  await write('Third', ['ann@example.com', 'cleo@example.com'], group('Gone', { description: 'New' }));
  await applyOn(pair);
  await run(...RELEASE);
  const conflict = await promote('r3');
  expect([conflict.code, conflict.out]).toEqual([
    4,
    expect.stringContaining("--take release 'UserGroup/Quality#description'"),
  ]);
  expect(conflict.out).toContain('description is "Third" in the release and "Hotfix" here');
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(4);
  expect(await onProd()).toMatchObject(merged);

  const target = await apply('r3', '--take', 'target', 'UserGroup/Quality#description');
  expect(JSON.parse(await project.read('plan.json')).promoted.taken).toEqual([
    { side: 'target', address: 'UserGroup/Quality', field: 'description' },
  ]);
  expect(target.code).toBe(0);
  expect(await onProd()).toMatchObject(merged);
  // What was decided stays decided.
  expect((await run('promote', '--release', 'r3', '--to', 'prod', '--detailed-exitcode')).code).toBe(0);

  await write('Fourth', ['ann@example.com'], group('Gone', { description: 'Newer' }));
  await applyOn(pair);
  await run(...RELEASE);
  expect((await apply('r4', '--take', 'release', 'UserGroup/Quality')).code).toBe(0);
  expect(await onProd()).toMatchObject({ description: 'Fourth', members: ['ann@example.com', 'ben@example.com'] });
  expect((await run('plan', '--env', 'prod')).code).toBe(0);

  // Deleted on prod alone: it stays deleted, until the release changes it.
  const gone = (await prod.pages('/settings/usergroups')).find(({ name }) => name === 'Gone');
  await prod.call('DELETE', `/settings/usergroups/${gone.guid}`);
  const isGone = ['--gone', 'UserGroup/Gone'];
  const deleted = await promote('r4', ...isGone);
  expect([deleted.code, deleted.out]).toEqual([0, expect.stringContaining('UserGroup/Gone: deleted')]);
  await write('Fourth', ['ann@example.com'], group('Gone', { description: 'Newest' }));
  await applyOn(pair);
  await run(...RELEASE);
  const both = await promote('r5', ...isGone);
  expect([both.code, both.out]).toEqual([
    4,
    expect.stringContaining('the release changed it, and it was deleted here'),
  ]);
  await apply('r5', '--take', 'release', 'UserGroup/Gone', ...isGone);
  expect((await prod.pages('/settings/usergroups')).map(({ name }) => name)).toContain('Gone');
});

test('a rename at the source renames, and --prune alone deletes what is gone there, but nothing that others changed', async () => {
  const pair = await pairProject();
  const { run, project, prod } = pair;
  const promote = async (release: string, ...args: string[]) => {
    const planned = await run('promote', '--release', release, '--to', 'prod', '--out', 'plan.json', ...args);
    const applied = await run('apply', 'plan.json', '--yes');
    return { planned, applied };
  };
  const names = async () =>
    (await prod.pages('/settings/usergroups'))
      .map(({ name }) => name)
      .filter((name) => name !== 'Everyone')
      .sort();
  await project.write(
    'manifests/a.yaml',
    group('Quality', { description: 'Approves' }) + group('Gone') + group('Changed'),
  );
  await applyOn(pair);
  await run(...RELEASE);
  await promote('r1');
  const { guid } = (await prod.pages('/settings/usergroups')).find(({ name }) => name === 'Quality');
  await project.write(
    'manifests/a.yaml',
    group('Quality board', { description: 'Approves all' }, { renamedFrom: 'Quality' }),
  );
  await applyOn(pair);
  await run(...RELEASE);
  // The manifests need renamedFrom no longer: the release knows that it is one object.
  await project.write('manifests/a.yaml', group('Quality board', { description: 'Approves all' }));

  const renamed = await promote('r2');
  expect(renamed.planned.out).toContain('> UserGroup/Quality board  rename');
  expect(renamed.planned.out).toContain(
    '2 objects of this stack are no longer in dev/r2: UserGroup/Changed, UserGroup/Gone.',
  );
  expect([renamed.applied.code, await names()]).toEqual([0, ['Changed', 'Gone', 'Quality board']]);
  const now = (await prod.pages('/settings/usergroups')).find(({ name }) => name === 'Quality board');
  expect(now).toMatchObject({ guid, description: 'Approves all' });
  expect((await run('promote', '--release', 'r2', '--to', 'prod', '--detailed-exitcode')).code).toBe(0);

  await project.write('manifests/own.yaml', group('Of prod'));
  expect((await run('apply', '--env', 'prod', '--yes')).code).toBe(0);
  await rm(join(project.folder, 'manifests/own.yaml'));
  const changed = (await prod.pages('/settings/usergroups')).find(({ name }) => name === 'Changed');
  await prod.call('PUT', `/settings/usergroups/${changed.guid}`, { name: 'Changed', description: 'By hand' });
  const pruned = await promote('r2', '--prune', '--allow', 'deletes');
  expect([pruned.planned.code, pruned.planned.out]).toEqual([4, expect.stringContaining('- UserGroup/Gone  delete')]);
  expect(await names()).toEqual(['Changed', 'Of prod', 'Quality board']);
  expect((await run('promote', 'dev', 'prod', '--prune')).err).toContain('`--prune` needs a release');
});

test('a name given on prod stays, also where others refer to it; another one in the release is a conflict', async () => {
  const pair = await pairProject();
  const { run, project, prod } = pair;
  const write = (name: string, description: string, metadata: object = {}) =>
    project.write(
      'manifests/a.yaml',
      group(name, { description }, metadata) + manifest('Policy', 'Rules', { description, userGroups: [name] }),
    );
  const release = async () => {
    await applyOn(pair);
    expect((await run(...RELEASE)).code).toBe(0);
  };
  const promote = async (number: string, ...args: string[]) => {
    const planned = await run('promote', '--release', number, '--to', 'prod', '--out', 'plan.json', ...args);
    return { planned, applied: await run('apply', 'plan.json', '--yes') };
  };
  const onProd = async () => {
    const [found] = (await prod.pages('/settings/usergroups')).filter(({ guid }) => guid === own.guid);
    const [rules] = (await prod.pages('/settings/policies')).filter(({ name }) => name === 'Rules');
    const { body } = await prod.call('GET', `/settings/policies/${rules.guid}`);
    return [found.name, found.description, body.userGroups.map(({ name }: { name: string }) => name)];
  };
  await write('Quality', 'One');
  await release();
  await promote('r1');
  const [own] = (await prod.pages('/settings/usergroups')).filter(({ name }) => name === 'Quality');
  await prod.call('PUT', `/settings/usergroups/${own.guid}`, { name: 'Prod quality', description: 'One' });

  await write('Quality', 'Two');
  await release();
  const kept = await promote('r2');
  expect(kept.planned.out).toContain('kept:\n  UserGroup/Quality: name\n');
  expect([kept.applied.code, await onProd()]).toEqual([0, ['Prod quality', 'Two', ['Prod quality']]]);
  expect((await run('promote', '--release', 'r2', '--to', 'prod', '--detailed-exitcode')).code).toBe(0);

  await write('Team quality', 'Two', { renamedFrom: 'Quality' });
  await release();
  const conflict = await promote('r3');
  expect([conflict.planned.code, conflict.planned.out]).toEqual([
    4,
    expect.stringContaining("--take release 'UserGroup/Team quality#name'"),
  ]);
  expect(await onProd()).toEqual(['Prod quality', 'Two', ['Prod quality']]);
  const target = await promote('r3', '--take', 'target', 'UserGroup/Team quality#name');
  expect([target.applied.code, await onProd()]).toEqual([0, ['Prod quality', 'Two', ['Prod quality']]]);
  // What was decided stays decided.
  expect((await run('promote', '--release', 'r3', '--to', 'prod', '--detailed-exitcode')).code).toBe(0);
  const taken = await promote('r3', '--take', 'release', 'UserGroup/Team quality#name');
  expect([taken.applied.code, await onProd()]).toEqual([0, ['Team quality', 'Two', ['Team quality']]]);
  expect((await run('promote', '--release', 'r3', '--to', 'prod', '--detailed-exitcode')).code).toBe(0);
});

test.each(['before', 'after'] as const)(
  'an object whose write failed %s it was done is never taken for promoted',
  async (when) => {
    const pair = await pairProject();
    const { run, project, prod } = pair;
    const write = (...groups: [string, string][]) =>
      project.write('manifests/a.yaml', groups.map(([name, description]) => group(name, { description })).join(''));
    const release = async (...groups: [string, string][]) => {
      await write(...groups);
      await run('apply', '--env', 'dev', '--yes');
      await run('release', 'create', '--from', 'dev');
    };
    const promote = async (name: string) => {
      await run('promote', '--release', name, '--to', 'prod', '--out', 'plan.json');
      return run('apply', 'plan.json', '--yes');
    };
    await release(['Quality', 'First']);
    await promote('r1');
    await release(['Quality', 'Second'], ['New', 'Created']);
    const fails = { do: 'status', status: 500, when, nth: 1, times: 9 } as const;
    await prod.arm([
      { method: 'PUT', path: '/settings/usergroups/*', ...fails },
      { method: 'POST', path: '/settings/usergroups', ...fails },
    ]);
    expect((await promote('r2')).code).toBe(4);
    await prod.arm([]);
    expect((await promote('r2')).code).toBe(0);
    const groups = await prod.pages('/settings/usergroups');
    expect(groups.map(({ name, description }) => [name, description]).sort()).toEqual([
      ['Everyone', expect.anything()],
      ['New', 'Created'],
      ['Quality', 'Second'],
    ]);
    expect((await run('promote', '--release', 'r2', '--to', 'prod', '--detailed-exitcode')).code).toBe(0);
  },
);

test('what prod has from its own manifests is overwritten by a first release only with consent', async () => {
  const pair = await pairProject({ files: { 'manifests/a.yaml': group('Quality', { description: 'Of prod' }) } });
  const { run, project, prod } = pair;
  const described = async () =>
    (await prod.pages('/settings/usergroups')).find(({ name }) => name === 'Quality')?.description;
  await run('apply', '--env', 'prod', '--yes');
  await project.write('manifests/a.yaml', group('Quality', { description: 'Of dev' }));
  await applyOn(pair);
  await run(...RELEASE);
  const promoted = async (...args: string[]) =>
    run('promote', '--release', 'r1', '--to', 'prod', '--out', 'plan.json', ...args);

  const shown = await promoted();
  expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('1 object that no release brought here before')]);
  expect(shown.out).toContain('"Of prod" -> "Of dev"');
  const unasked = await run('apply', 'plan.json', '--yes');
  const refused = expect.stringContaining('UserGroup/Quality, which no release brought there before');
  expect([unasked.code, unasked.err, await described()]).toEqual([3, refused, 'Of prod']);
  const kept = await promoted('--take', 'target', 'UserGroup/Quality');
  expect([kept.code, await described()]).toEqual([0, 'Of prod']);
  expect((await promoted('--adopt')).code).toBe(0);
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  expect(await described()).toBe('Of dev');
  expect((await promoted('--detailed-exitcode')).out).toContain('No changes.');
});
