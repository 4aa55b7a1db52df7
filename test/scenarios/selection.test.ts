import { describe, expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const EDIT = { resource: 'ITEM', action: 'EDIT' };

const FILES = {
  'manifests/groups.yaml':
    manifest('UserGroup', 'Quality', { members: ['ann@example.com'] }, { labels: { team: 'quality' } }) +
    manifest('UserGroup', 'Buyers (EU)', { description: 'a' }),
  'manifests/policies.yaml': manifest('Policy', 'P', { userGroups: ['Quality'] }),
  'manifests/events.yaml':
    manifest('Trigger', 'T [1]', EDIT) + manifest('OutboundIntegration', 'ERP', { triggers: ['T [1]'] }),
  'manifests/imports.yaml':
    manifest('ImportDefinition', 'Specs', {
      resource: 'ITEM_SPECS',
      mode: 'CREATE',
      options: {
        mapping: [
          { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Number' },
          { resource: 'ITEM_SPECS', apiName: 'name', sourceName: 'Name' },
          { resource: 'ITEM_SPECS', attribute: 'RoHS Status', sourceName: 'RoHS' },
        ],
      },
    }) + manifest('Import', 'Parts', { definition: 'Specs', source: { file: 'parts.csv' } }),
  'manifests/parts.csv': 'Number,Name,RoHS\nX-1,A bolt,Compliant\n',
};

async function started() {
  const workspace = await testWorkspace();
  const project = await testProject(FILES);
  const run = (...args: string[]) => project.run(args, workspace.variables);
  /** A plan, and the requests that it took. */
  const planned = async (...args: string[]) => {
    const before = (await workspace.usage()).length;
    const { code, out, err } = await run('plan', '--json', ...args);
    expect([code, err]).toEqual([0, '']);
    const { steps, summary, selection } = JSON.parse(out);
    const requests = (await workspace.usage()).slice(before).map(({ path }) => path.replace(/\?.*/, ''));
    return { addresses: steps.map(({ address }: { address: string }) => address), summary, selection, requests };
  };
  return { workspace, project, run, planned };
}

test('unselected objects are not read: a plan of one kind costs only the requests of that kind and of its references', async () => {
  const { planned } = await started();
  const whole = await planned();
  expect(whole.addresses).toHaveLength(7);
  expect(whole.selection).toBeUndefined();
  const policies = await planned('--only', 'policies');
  expect(policies.addresses).toEqual(['UserGroup/Quality', 'Policy/P']);
  expect(policies.selection).toEqual({ only: ['policies'], exclude: [], closure: ['UserGroup/Quality'] });
  const alone = await planned('--only', 'UserGroup/Buyers (EU)');
  expect(alone.addresses).toEqual(['UserGroup/Buyers (EU)']);
  // The session begins with the same requests in every plan.
  expect(alone.requests.filter((path) => path.includes('settings'))).toEqual(['/settings/usergroups']);
  expect(policies.requests.length).toBeLessThan(whole.requests.length);
  expect(alone.requests.length).toBeLessThan(policies.requests.length);
  const none = await planned('--exclude', '*/*', '--only', 'trigger').catch(() => undefined);
  expect(none).toBeUndefined();
});

test('an apply creates the selected objects and their references, leaves the rest alone, and then its plan is empty', async () => {
  const { workspace, project, run, planned } = await started();
  const only = ['--only', 'OutboundIntegration', '--only', 'label:team=qual*'];
  const shown = await run('apply', '--yes', ...only);
  expect([shown.code, shown.out]).toEqual([
    0,
    expect.stringContaining(
      'Selected: --only OutboundIntegration --only label:team=qual*. Also planned because selected objects refer to it: Trigger/T [1].',
    ),
  ]);
  const names = async (path: string) =>
    (await workspace.call('GET', path)).body.results.map(({ name }: { name: string }) => name);
  expect(await names('/outboundevents')).toEqual(['ERP']);
  expect(await names('/settings/integrations/triggers')).toEqual(['T [1]']);
  const groups = await names('/settings/usergroups');
  expect([groups.includes('Quality'), groups.includes('Buyers (EU)')]).toEqual([true, false]);
  const again = await planned(...only);
  expect([again.addresses, again.summary.unchanged]).toEqual([[], 3]);
  expect((await run('plan', ...only)).out).toContain(
    'No changes. The workspace matches the selected manifests (3 unchanged).',
  );
  const journals = await project.run(
    ['plan', '--only', 'OutboundIntegration', '--detailed-exitcode'],
    workspace.variables,
  );
  expect(journals.code).toBe(0);
});

test('an excluded object stays unchanged, and a reference to it means the live object, or is an error', async () => {
  const { workspace, run } = await started();
  const refused = await run('apply', '--yes', '--only', 'Policy', '--exclude', 'UserGroup/Qual*');
  expect([refused.code, refused.out]).toEqual([
    3,
    expect.stringContaining(
      'reference-excluded\n  Policy/P refers to UserGroup/Quality, which `--exclude` leaves out of this plan and which is not in environment "remote".\n  Apply UserGroup/Quality first, or do not exclude it.',
    ),
  ]);
  expect((await workspace.usage()).filter(({ method, path }) => method !== 'GET' && !path.includes('login'))).toEqual(
    [],
  );
  const { body } = await workspace.administer('POST', '/settings/usergroups', {
    name: 'Quality',
    description: 'by hand',
  });
  expect((await run('apply', '--yes', '--only', 'Policy', '--exclude', 'UserGroup')).code).toBe(0);
  expect((await workspace.call('GET', `/settings/usergroups/${body.guid}`)).body.description).toBe('by hand');
  const { body: policies } = await workspace.call('GET', '/settings/policies');
  expect(policies.results.some(({ name }: { name: string }) => name === 'P')).toBe(true);
});

test('an import whose definition is excluded is known as the same work, no matter what else the live definition has', async () => {
  const { workspace, run, planned, project } = await started();
  const mapping = [
    { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Number' },
    { resource: 'ITEM_SPECS', apiName: 'name', sourceName: 'Name' },
  ];
  const specs = { resource: 'ITEM_SPECS', mode: 'CREATE' };
  const options = { mapping, numberingFreeTextHeader: 'Free' };
  await workspace.administer('POST', '/imports', { name: 'Specs', ...specs, options });
  await project.write(
    'manifests/imports.yaml',
    manifest('ImportDefinition', 'Specs', { ...specs, options: { mapping } }) +
      manifest('Import', 'Parts', { definition: 'Specs', source: { file: 'parts.csv' } }),
  );
  const only = ['--only', 'Import', '--exclude', 'ImportDefinition'];
  expect((await run('apply', '--yes', '--only', 'Import')).out).toContain('Rows: 1 committed, 0 failed');
  expect(await planned(...only)).toMatchObject({ addresses: [], summary: { unchanged: 1 } });
  expect((await run('apply', '--yes', ...only)).out).toContain('No changes');
  await project.write('manifests/parts.csv', 'Number,Name,RoHS\nX-2,A nut,Compliant\n');
  expect((await planned(...only)).addresses).toEqual(['Import/Parts']);
});

test('a reservation that only looks like a part of a selected one stays apart where its own manifest is left out', async () => {
  const { run, project, planned, workspace } = await started();
  const reservation = (name: string, quantity: number): string =>
    manifest('NumberReservation', name, { category: 'Item\\Mechanical', quantity });
  await project.write('manifests/numbers.yaml', reservation('A', 3) + reservation('A #2', 2));
  expect((await run('apply', '--yes', '--only', 'numberreservations')).code).toBe(0);
  expect(await planned('--only', 'NumberReservation/A')).toMatchObject({ addresses: [], summary: { unchanged: 1 } });
  await project.write('manifests/numbers.yaml', reservation('A', 4) + reservation('A #2', 2));
  expect((await run('apply', '--yes', '--only', 'NumberReservation/A')).code).toBe(0);
  const { body } = await workspace.call('GET', '/settings/items/numberreservations');
  expect(body.results.map(({ name }: { name: string }) => name).sort()).toEqual(['A', 'A #2', 'A #3']);
});

describe('a selected prune', () => {
  const group = (name: string) => manifest('UserGroup', name);
  const integration = (triggers: string[]) => manifest('OutboundIntegration', 'ERP', { triggers });
  const steps = async (run: Awaited<ReturnType<typeof started>>['run'], ...args: string[]) => {
    const { out, err } = await run('plan', '--prune', '--json', ...args);
    expect(err).toBe('');
    return JSON.parse(out).steps.map(
      ({ action, reason, address }: Record<string, string>) => `${action} ${reason} ${address}`,
    );
  };

  test('deletes nothing that its patterns do not name, and nothing that a manifest describes', async () => {
    const { workspace, project, run } = await started();
    const files = { 'manifests/imports.yaml': '', 'manifests/policies.yaml': '', 'manifests/events.yaml': '' };
    for (const [file, text] of Object.entries(files)) await project.write(file, text);
    await project.write('manifests/groups.yaml', ['A', 'B', 'C'].map(group).join('') + manifest('Trigger', 'T', EDIT));
    expect((await run('apply', '--yes')).code).toBe(0);
    await project.write('manifests/groups.yaml', group('C'));
    expect(await steps(run)).toEqual([
      'delete not-described Trigger/T',
      'delete not-described UserGroup/A',
      'delete not-described UserGroup/B',
    ]);
    expect(await steps(run, '--only', 'UserGroup/A')).toEqual(['delete not-described UserGroup/A']);
    expect(await steps(run, '--only', 'UserGroup', '--exclude', '*/B')).toEqual(['delete not-described UserGroup/A']);
    expect(await steps(run, '--exclude', 'UserGroup/C')).toHaveLength(3);
    expect(await steps(run, '--only', 'UserGroup/C')).toEqual([]);
    expect((await run('apply', '--yes', '--prune', '--only', 'UserGroup/A')).code).toBe(0);
    const { body } = await workspace.call('GET', '/settings/usergroups');
    const names = body.results.map(({ name }: { name: string }) => name);
    expect(['A', 'B', 'C'].filter((name) => names.includes(name))).toEqual(['B', 'C']);
    expect(await steps(run)).toEqual(['delete not-described Trigger/T', 'delete not-described UserGroup/B']);
  });

  test('keeps references of an object whose manifest is left out, in the workspace or by its manifest', async () => {
    const { project, run } = await started();
    const both = manifest('Trigger', 'T1', EDIT) + manifest('Trigger', 'T2', EDIT);
    await project.write('manifests/events.yaml', both + integration(['T1']));
    expect((await run('apply', '--yes', '--only', 'OutboundIntegration', '--only', 'Trigger')).code).toBe(0);
    await project.write('manifests/events.yaml', integration(['T2']));
    // T1 is what the live integration still holds, T2 what it will hold.
    expect(await steps(run, '--only', 'Trigger/T*')).toEqual(['blocked still-referenced Trigger/T1']);
    expect((await run('apply', '--yes', '--only', 'OutboundIntegration')).code).toBe(0);
    expect(await steps(run, '--only', 'Trigger/T*')).toEqual(['delete not-described Trigger/T1']);
  });

  test('keeps an object that a left-out manifest means under another name', async () => {
    const { workspace, project, run } = await started();
    await project.write('manifests/groups.yaml', group('A') + group('B'));
    await project.write('manifests/policies.yaml', '');
    expect((await run('apply', '--yes', '--only', 'UserGroup')).code).toBe(0);
    await project.write('manifests/groups.yaml', group('C') + manifest('UserGroup', 'New', {}, { renamedFrom: 'A' }));
    expect(await steps(run, '--only', 'UserGroup', '--exclude', '*/New')).toEqual([
      'delete not-described UserGroup/B',
      'create absent UserGroup/C',
    ]);
    // Somebody gave the object that this stack made as B the name of one that a manifest describes.
    const { body } = await workspace.call('GET', '/settings/usergroups');
    const { guid } = body.results.find(({ name }: { name: string }) => name === 'B');
    const { status } = await workspace.administer('PUT', `/settings/usergroups/${guid}`, { name: 'C' });
    expect(status).toBe(200);
    expect(await steps(run, '--only', 'UserGroup/B')).toEqual([]);
  });
});

describe('useless patterns end the command before a request is sent', () => {
  test.each<[args: string[], message: string]>([
    [['--only', 'UserGroup/Qualty'], '`--only` "UserGroup/Qualty" matches no manifest.\nDid you mean "Quality"?'],
    [['--exclude', 'Usergruop'], 'There is no kind "Usergruop" (`--exclude` "Usergruop").\nDid you mean "UserGroup"?'],
    [
      ['--only', 'User/ann@example.com'],
      'There is no kind "User" (`--only` "User/ann@example.com").\nUser objects are looked up in the workspace',
    ],
    [['--only', 'label:tem=quality'], '`--only` "label:tem=quality" matches no manifest.\nDid you mean "team"?'],
    [['--only', 'label:team=qality'], '`--only` "label:team=qality" matches no manifest.\nDid you mean "quality"?'],
    [
      ['--only', 'label:=quality'],
      '"label:=quality" is not a valid pattern for `--only`.\nWrite KIND, KIND/NAME, label:KEY',
    ],
    [['--only', 'file:manifests/group.yaml'], 'matches no manifest.\nDid you mean "manifests/groups.yaml"?'],
    [['--only', 'file:'], '"file:" is not a valid pattern for `--only`.'],
    [['--exclude', ''], '"" is not a valid pattern for `--exclude`.'],
    [['--only', 'UserGroup/'], '"UserGroup/" is not a valid pattern for `--only`.'],
    [['--only', 'NumberReservation'], '`--only` "NumberReservation" matches no manifest.\nKnown: '],
    [['--only', 'Policy', '--exclude', '*/P'], 'Nothing is selected: `--exclude` leaves out everything.'],
  ])('%j', async (args, message) => {
    const project = await testProject(FILES);
    // Nothing listens there: a request would be the failure.
    const { code, err } = await project.run(['plan', '--env', 'remote', ...args], {
      TEST_URL: 'http://127.0.0.1:9',
      DEXSYNC_REMOTE_EMAIL: 'a@example.com',
      DEXSYNC_REMOTE_PASSWORD: 'x',
    });
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
    expect(err).toContain('[USAGE, exit 3]');
  });

  test('a name in a prune may be that of an object that only the ledger has', async () => {
    const { workspace, project, run } = await started();
    expect((await run('apply', '--yes', '--only', 'UserGroup')).code).toBe(0);
    const unknown = await run('plan', '--prune', '--only', 'UserGroup/Nobody');
    expect([unknown.code, unknown.err]).toEqual([3, expect.stringContaining('`--only` "UserGroup/Nobody" matches no')]);
    const told = await run('plan', '--prune', '--only', 'label:team');
    expect([told.code, told.out]).toEqual([0, expect.stringContaining('warning  prune-narrowed')]);
    expect((await project.run(['plan', '--prune', '--exclude', 'Import*'], workspace.variables)).out).not.toContain(
      'prune-narrowed',
    );
  });
});
