import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { minutesLater } from '../harness/minutes-later.js';
import type { Result } from '../harness/run-in-process.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

const group = (name: string, spec: object = {}, metadata: object = {}): string =>
  manifest('UserGroup', name, spec, metadata);

const config = (stack: string): string =>
  `stack: ${stack}\nmanifests: [manifests]\nenvironments:\n  remote: { url: "\${env.TEST_URL}" }\n`;

interface Scene {
  readonly workspace: TestWorkspace;
  readonly project: TestProject;
  run(...args: string[]): Promise<Result>;
  /** The writes that a command sent, as `METHOD path`. */
  writes(...args: string[]): Promise<{ code: number | null; sent: string[]; out: string; err: string }>;
  groups(): Promise<{ name: string; guid: string; description: string }[]>;
}

async function scene(text: string): Promise<Scene> {
  const workspace = await testWorkspace();
  const project = await testProject({ 'sync.config.yaml': config('one'), 'manifests/all.yaml': text });
  const run = (...args: string[]): Promise<Result> => project.run(args, workspace.variables);
  return {
    workspace,
    project,
    run,
    async writes(...args) {
      const before = (await workspace.usage()).length;
      const { code, out, err } = await run(...args);
      const made = (await workspace.usage())
        .slice(before)
        .filter(({ method, path }) => method !== 'GET' && path !== '/login');
      return {
        code,
        out,
        err,
        sent: made.map(({ method, path }) => `${method} ${path.replaceAll(/[A-Z0-9]{20}/g, '*')}`),
      };
    },
    groups: async () => (await workspace.call('GET', '/settings/usergroups?limit=400')).body.results,
  };
}

const guidOf = async ({ groups }: Scene, name: string): Promise<string> =>
  (await groups()).find((one) => one.name === name)?.guid ?? '';

const names = async ({ groups }: Scene): Promise<string[]> =>
  (await groups()).map(({ name }) => name).filter((name) => name !== 'Everyone');

describe('ownership', () => {
  test('--prune deletes objects of this stack without a manifest, after their referrers, and nothing else', async () => {
    const both = group('A') + group('B') + manifest('Policy', 'P', { userGroups: ['A', 'B'] });
    const at = await scene(both);
    await at.workspace.call('POST', '/settings/usergroups', { name: 'Stranger' });
    expect((await at.run('apply', '--yes')).code).toBe(0);
    await at.project.write('manifests/all.yaml', group('A') + manifest('Policy', 'P', { userGroups: ['A'] }));

    const left = await at.writes('apply', '--yes');
    expect(left.sent).toEqual(['PUT /settings/policies/*']);
    expect(left.out).toContain('1 object of this stack is no longer in any manifest: UserGroup/B.');

    await at.project.write('manifests/all.yaml', group('A'));
    expect((await at.writes('apply', '--prune', '--yes')).sent).toEqual([
      'DELETE /settings/policies/*',
      'DELETE /settings/usergroups/*',
    ]);
    expect((await names(at)).sort()).toEqual(['A', 'Stranger']);
    expect((await at.writes('apply', '--prune', '--yes')).sent).toEqual([]);
    expect((await at.run('plan', '--prune', '--detailed-exitcode')).code).toBe(0);
  });

  test('--prune of some files alone is refused: objects of the others would count as undescribed', async () => {
    const at = await scene(group('A'));
    const { code, err } = await at.run('apply', '-f', 'manifests/all.yaml', '--prune', '--yes');
    expect([code, err]).toEqual([
      3,
      expect.stringContaining('`--prune` needs all manifests of the stack, but `-f` gives only some.'),
    ]);
  });

  test('an object with referrers is not deleted, and the plan names them', async () => {
    const at = await scene(group('A') + manifest('Policy', 'P', { userGroups: ['A'] }));
    expect((await at.run('apply', '--yes')).code).toBe(0);
    await at.project.write('manifests/all.yaml', manifest('Policy', 'P', { description: 'x' }));
    const { code, sent, out } = await at.writes('apply', '--prune', '--yes');
    expect([code, sent]).toEqual([4, ['PUT /settings/policies/*']]);
    expect(out).toContain('Policy/P still refers to it. Remove that reference first.');
    await at.project.write(
      'manifests/all.yaml',
      manifest('Policy', 'New', { userGroups: ['A'] }) + manifest('Policy', 'P', { userGroups: [] }),
    );
    expect((await at.run('plan', '--prune')).out).toContain(
      'Policy/New still refers to it. Remove that reference first.',
    );
  });

  test('without the ledger nothing is deleted or created twice; --adopt adopts everything again', async () => {
    const at = await scene(group('A', { description: 'a' }) + group('B'));
    expect((await at.run('apply', '--yes')).code).toBe(0);
    await rm(join(at.project.folder, '.dexsync'), { recursive: true });
    await at.project.write('manifests/all.yaml', group('A', { description: 'changed' }));
    const [, journal = ''] = /`dexsync ledger accept (\S+)`/.exec((await at.run('plan')).err) ?? [];
    expect(await at.run('ledger', 'accept', journal)).toMatchObject({ code: 0 });
    const refused = await at.writes('apply', '--prune', '--yes');
    expect([refused.code, refused.sent]).toEqual([4, []]);
    expect(refused.out).toMatch(
      /UserGroup\/A {2}blocked\n {6}This stack did not create it \(created by Ada Admin on .*`--adopt` adopts/,
    );
    const taken = await at.writes('apply', '--adopt', '--prune', '--yes');
    expect([taken.code, taken.sent]).toEqual([0, ['PUT /settings/usergroups/*']]);
    expect((await names(at)).sort()).toEqual(['A', 'B']);
  });

  test('adopt: matching adopts only objects that match their manifest', async () => {
    const at = await scene(group('Same', { description: 's' }) + group('Other', { description: 'o' }));
    await at.workspace.call('POST', '/settings/usergroups', { name: 'Same', description: 's' });
    await at.workspace.call('POST', '/settings/usergroups', { name: 'Other', description: 'x' });
    await at.project.write('sync.config.yaml', config('one').replace('stack: one', 'stack: one\nadopt: matching'));
    const { code, sent, out } = await at.writes('apply', '--yes');
    expect([code, sent]).toEqual([4, []]);
    expect(out).toMatch(/= UserGroup\/Same {2}adopt/);
    expect(out).toMatch(/✗ UserGroup\/Other {2}blocked/);
  });

  test('an object of another stack is neither changed nor adopted, unless that stack gives it up', async () => {
    const at = await scene(group('A', { description: 'one' }));
    expect((await at.run('apply', '--yes')).code).toBe(0);
    await at.project.write('sync.config.yaml', config('two'));
    await at.project.write('manifests/all.yaml', group('A', { description: 'two' }));
    const { code, sent, out } = await at.writes('apply', '--adopt', '--yes');
    expect([code, sent]).toEqual([4, []]);
    expect(out).toContain(
      'It belongs to the stack "one", which created or adopted it. Run `dexsync forget UserGroup/A` in that project first.',
    );
    expect((await at.run('adopt', 'UserGroup/A')).err).toContain('UserGroup/A belongs to the stack "one".');
    expect((await at.run('forget', 'UserGroup/A')).err).toContain(
      'UserGroup/A belongs to the stack "one", not to "two".',
    );
    await at.project.write('sync.config.yaml', config('one'));
    expect((await at.run('forget', 'UserGroup/A')).code).toBe(0);
    await at.project.write('sync.config.yaml', config('two'));
    expect((await at.writes('apply', '--adopt', '--yes')).sent).toEqual(['PUT /settings/usergroups/*']);
  });

  test('adopt adopts one object by the ledger alone; --from names the stack that had it', async () => {
    const at = await scene(group('A'));
    expect((await at.run('apply', '--yes')).code).toBe(0);
    await at.project.write('sync.config.yaml', config('two'));
    expect((await at.writes('adopt', 'UserGroup/A', '--from', 'one')).sent).toEqual([]);
    expect((await at.run('adopt', 'UserGroup/A')).err).toContain('The stack "two" already owns UserGroup/A.');
    expect((await at.run('adopt', 'UserGroup/B')).err).toContain('UserGroup/B is not in environment "remote".');
    expect((await at.run('adopt', 'User/ann@example.com')).code).toBe(3);
    expect((await at.run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('orphans lists objects without an owner; remainders of replacements are listed apart', async () => {
    const at = await scene(group('A') + manifest('ImportDefinition', 'D', { resource: 'ITEM_SPECS', mode: 'EDIT' }));
    expect((await at.run('apply', '--yes')).code).toBe(0);
    await at.project.write(
      'manifests/all.yaml',
      manifest('ImportDefinition', 'D', { resource: 'ITEM_SPECS', mode: 'OVERWRITE' }),
    );
    expect((await at.run('apply', '--yes')).code).toBe(0);
    await at.workspace.call('POST', '/settings/usergroups', { name: 'Stranger' });
    const { orphans, retired } = JSON.parse((await at.run('orphans', '--json')).out);
    const addresses = (all: { address: string }[]): string[] => all.map(({ address }) => address).sort();
    expect(addresses(orphans)).toEqual(['UserGroup/Stranger']);
    expect(addresses(retired)).toEqual(['ImportDefinition/D ~retired #1']);
    const { out } = await at.run('orphans', 'importdefinitions');
    expect(out).toMatch(
      /^No objects without an owner in environment remote \(workspace "Embedded Workspace"\)\n1 retired by replacements\n/,
    );
  });

  test('destroy removes all objects of this stack except protected ones, and asks for the name of the workspace', async () => {
    const at = await scene(
      group('A') + group('Kept', {}, { protect: true }) + manifest('Policy', 'P', { userGroups: ['A'] }),
    );
    expect((await at.run('apply', '--yes')).code).toBe(0);
    expect((await at.run('destroy', '--yes')).err).toContain(
      '`dexsync destroy` needs the name of the workspace as confirmation, but there is no terminal',
    );
    expect((await at.run('destroy', '--yes', '--confirm', 'Production')).err).toContain(
      'The workspace is "Embedded Workspace", but `--confirm` says "Production".',
    );
    expect((await names(at)).sort()).toEqual(['A', 'Kept']);
    const { code, out } = await at.run('destroy', '--yes', '--confirm', 'Embedded Workspace');
    expect(code).toBe(4);
    expect(out).toContain('  - UserGroup/A  delete\n      - description');
    expect(out).toContain('Note: This plan removes everything that stack "one" created or adopted');
    expect(out).toContain('It is protected: set `protect: false` in its manifest and apply that first.');
    expect(out).not.toMatch(/no longer in any manifest|--allow|empty-input/);
    expect(await names(at)).toEqual(['Kept']);
  });
});

describe('protection', () => {
  test('outlives the block in the manifest; ending it is a change of its own', async () => {
    const at = await scene(group('A', {}, { protect: true }));
    expect((await at.run('apply', '--yes')).code).toBe(0);
    await at.project.write('manifests/all.yaml', group('B'));
    const kept = await at.writes('apply', '--prune', '--yes');
    expect([kept.code, kept.sent]).toEqual([4, ['POST /settings/usergroups']]);
    expect(kept.out).toContain('It is protected: restore its manifest with `protect: false` and apply that first.');
    await at.project.write('manifests/all.yaml', group('B') + group('A'));
    const freed = await at.writes('apply', '--yes');
    expect([freed.code, freed.sent]).toEqual([0, []]);
    expect(freed.out).toContain('~ metadata.protect: true -> false');
    await at.project.write('manifests/all.yaml', group('B'));
    expect((await at.writes('apply', '--prune', '--yes')).sent).toEqual(['DELETE /settings/usergroups/*']);
  });
});

describe('drift', () => {
  test('shows changes from outside, with their author, against the manifests; exit 2', async () => {
    const at = await scene(
      group('A', { description: 'a', members: ['ann@example.com'] }) + group('B', { description: 'b' }),
    );
    expect((await at.run('apply', '--yes')).code).toBe(0);
    expect((await at.run('drift')).code).toBe(0);
    await at.workspace.call('PUT', `/settings/usergroups/${await guidOf(at, 'A')}`, {
      name: 'A',
      description: 'outside',
    });
    await at.project.write(
      'manifests/all.yaml',
      group('A', { description: 'a', members: ['ann@example.com', 'ben@example.com'] }) +
        group('B', { description: 'asked' }),
    );
    const { code, out } = await at.run('drift', '--json');
    const { objects, asked, unknown } = JSON.parse(out);
    expect([code, asked, unknown]).toEqual([2, ['UserGroup/A', 'UserGroup/B'], []]);
    expect(objects).toEqual([
      {
        address: 'UserGroup/A',
        what: 'changed',
        fields: [{ path: 'description', applied: 'a', now: 'outside', named: true }],
        changedAt: expect.any(String),
        changedBy: 'Cleo Engineer',
        origin: expect.objectContaining({ file: 'manifests/all.yaml', line: 1 }),
      },
    ]);
    const plan = await at.run('plan');
    expect(plan.out).toMatch(/Changed outside since the last apply; last changed by Cleo Engineer at /);
    expect(plan.out).toContain('~ description: "outside" -> "a"  (changed outside)');
    expect(plan.out).toContain('~ description: "b" -> "asked"\n');
  });

  test('the name of an object that somebody recreated is not ours until it is adopted', async () => {
    const at = await scene(group('A', { description: 'a' }));
    expect((await at.run('apply', '--yes')).code).toBe(0);
    await at.workspace.call('DELETE', `/settings/usergroups/${await guidOf(at, 'A')}`);
    await at.workspace.call('POST', '/settings/usergroups', { name: 'A', description: 'theirs' });
    expect(JSON.parse((await at.run('drift', '--json')).out).objects).toMatchObject([{ what: 'replaced' }]);
    minutesLater(15);
    const { code, sent, out } = await at.writes('apply', '--yes');
    expect([code, sent]).toEqual([4, []]);
    expect(out).toContain(
      'The object that this stack created was deleted; another object has its name (created by Cleo Engineer on ',
    );
  });
});

describe('names', () => {
  const definition = (mode: string): string => manifest('ImportDefinition', 'D', { resource: 'ITEM_SPECS', mode });

  test('A, B, A: nothing is reused silently, and one definition has the name', async () => {
    const at = await scene(definition('EDIT'));
    for (const mode of ['EDIT', 'OVERWRITE', 'EDIT']) {
      await at.project.write('manifests/all.yaml', definition(mode));
      expect((await at.run('apply', '--yes')).code).toBe(0);
    }
    const { body } = await at.workspace.call('GET', '/imports');
    expect(body.results.map(({ name, number, mode }: Record<string, string>) => `${name} #${number} ${mode}`)).toEqual([
      'D ~retired #1 #1 EDIT',
      'D ~retired #2 #2 OVERWRITE',
      'D #3 EDIT',
    ]);
    await at.project.write('manifests/all.yaml', definition('OVERWRITE'));
    expect((await at.run('plan')).out).toContain('(2 retired before.)');
  });

  test('two definitions of one name: an ambiguity with number, author and date; adopt --number settles it', async () => {
    const at = await scene(definition('EDIT'));
    const body = { name: 'D', resource: 'ITEM_SPECS', mode: 'EDIT', options: { mapping: [] } };
    expect((await at.workspace.call('POST', '/imports', body)).status).toBe(201);
    await at.workspace.call('POST', '/imports', body);
    const { out } = await at.run('plan');
    expect(out).toMatch(
      /2 objects in the workspace are named "D": #1, created by Cleo Engineer on [\d-]+; #2, created by Cleo Engineer on [\d-]+\. Rename all but one, or choose one with `dexsync adopt ImportDefinition\/D --number N`\./,
    );
    expect((await at.run('adopt', 'ImportDefinition/D')).err).toContain(
      'The workspace has 2 objects named ImportDefinition/D: #1, created by',
    );
    expect((await at.run('adopt', 'ImportDefinition/D', '--number', '3')).err).toContain(
      'The workspace has no ImportDefinition/D with the number 3, only #1',
    );
    expect((await at.run('adopt', 'ImportDefinition/D', '--number', '2')).code).toBe(0);
    expect((await at.run('plan', '--detailed-exitcode')).code).toBe(0);
    await at.project.write('manifests/all.yaml', definition('OVERWRITE'));
    const { code, sent, out: refused } = await at.writes('apply', '--yes');
    expect([code, sent]).toEqual([4, []]);
    expect(refused).toContain(
      'It would have to be replaced, but another object has the same name: rename or delete that one first.',
    );
  });

  test('a doubled creation is reported, with two ways out', async () => {
    const at = await scene(definition('EDIT'));
    expect((await at.run('apply', '--yes')).code).toBe(0);
    const body = { name: 'D', resource: 'ITEM_SPECS', mode: 'EDIT', options: { mapping: [] } };
    const twin = await at.workspace.call('POST', '/imports', body);
    const { code, sent, out } = await at.writes('apply', '--yes');
    expect([code, sent]).toEqual([4, []]);
    expect(out).toMatch(/2 objects in the workspace are named "D": #1, .+; #2, .+\. This stack owns the first\./);
    const rename = (name: string) => at.workspace.call('PUT', `/imports/${twin.body.guid}`, { name });
    await rename('Other');
    expect((await at.run('plan', '--detailed-exitcode')).code).toBe(0);
    await rename('D');
    expect((await at.run('forget', 'ImportDefinition/D')).code).toBe(0);
    expect((await at.run('adopt', 'ImportDefinition/D', '--number', '2')).code).toBe(0);
    expect((await at.run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('a rename to and from taken names is not followed silently', async () => {
    const at = await scene(group('New', {}, { renamedFrom: 'Old' }));
    await at.workspace.call('POST', '/settings/usergroups', { name: 'Old' });
    await at.workspace.call('POST', '/settings/usergroups', { name: 'New' });
    const { code, sent, out } = await at.writes('apply', '--adopt', '--yes');
    expect([code, sent]).toEqual([4, []]);
    expect(out).toContain('Its `renamedFrom` is "Old", and the workspace has objects with both names');
  });

  test.each([
    ['that an object of others has', ''],
    ['whose object others deleted and created again', group('New', {})],
  ])('neither is one whose object others renamed, to a name %s', async (_, other) => {
    const at = await scene(group('Old', { description: 'Ours' }) + other);
    expect((await at.run('apply', '--yes')).code).toBe(0);
    minutesLater(30);
    const { results } = (await at.workspace.call('GET', '/settings/usergroups')).body;
    const guidOf = (wanted: string) => results.find(({ name }: { name: string }) => name === wanted)?.guid;
    if (other !== '') await at.workspace.call('DELETE', `/settings/usergroups/${guidOf('New')}`);
    await at.workspace.call('PUT', `/settings/usergroups/${guidOf('Old')}`, { name: 'Elsewhere' });
    await at.workspace.call('POST', '/settings/usergroups', { name: 'New' });
    await at.project.write('manifests/all.yaml', group('New', { description: 'Ours' }, { renamedFrom: 'Old' }));
    const { code, sent, out } = await at.writes('apply', '--adopt', '--prune', '--allow', 'deletes', '--yes');
    expect([code, sent]).toEqual([4, []]);
    expect(out).toContain('Its `renamedFrom` is "Old", which is now named "Elsewhere"');
    expect((await at.run('drift')).out).toContain('drift there is unknown');
  });

  test('a delete and a create that look like a rename are reported', async () => {
    const at = await scene(group('Old', { description: 'Approves', assignability: ['CHANGES'] }));
    expect((await at.run('apply', '--yes')).code).toBe(0);
    await at.project.write('manifests/all.yaml', group('New', { description: 'Approves', assignability: ['CHANGES'] }));
    expect((await at.run('plan', '--prune')).out).toContain(
      'UserGroup/New is created, and UserGroup/Old, which is no longer in any manifest, is similar. If it was renamed, add `renamedFrom: Old` to the metadata of "New".',
    );
  });

  test('--replace recreates an object, and its referrers follow', async () => {
    const at = await scene(group('A') + manifest('Policy', 'P', { userGroups: ['A'] }));
    expect((await at.run('apply', '--yes')).code).toBe(0);
    expect((await at.writes('apply', '--replace', 'UserGroup/A', '--yes')).sent).toEqual([
      'PUT /settings/usergroups/*',
      'POST /settings/usergroups',
      'PUT /settings/policies/*',
    ]);
    expect((await at.run('plan', '--detailed-exitcode')).code).toBe(0);
    expect((await at.run('plan', '--replace', 'UserGroup/B')).err).toContain(
      'No manifest describes UserGroup/B.\nDid you mean "UserGroup/A"?',
    );
  });
});

test('plan --explain gives for each field the rule that decided, and its place in the manifest', async () => {
  const at = await scene(group('A', { description: 'a', enabled: true }));
  expect((await at.run('apply', '--yes')).code).toBe(0);
  await at.project.write('manifests/all.yaml', group('A', { description: 'b' }));
  const { fields, owner, action } = JSON.parse((await at.run('plan', '--explain', 'UserGroup/A', '--json')).out);
  expect([owner, action]).toEqual(['this stack', 'update']);
  const rules = fields.map(
    ({ path, rule, origin }: Record<string, never>) => `${path} ${rule} ${origin === undefined ? '' : 'named'}`,
  );
  expect(rules).toEqual(['description asked named', 'enabled released ', 'assignability unnamed ']);
  expect((await at.run('plan', '--explain', 'UserGroup/A')).out).toMatch(
    /~ description {2}changed in the manifest since the last apply {2}manifests\/all\.yaml:1\n {6}manifest b, workspace a/,
  );
  expect((await at.run('plan', '--explain', 'UserGroup/B')).err).toContain('No manifest describes UserGroup/B.');
});
