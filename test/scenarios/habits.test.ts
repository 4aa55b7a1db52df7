import { describe, expect, test } from 'vitest';
import { linesOf, manifest } from '../harness/manifest.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

const groups = (...names: string[]): string =>
  names.map((name) => manifest('UserGroup', name, { description: name })).join('');

async function applied(...names: string[]): Promise<{ workspace: TestWorkspace; project: TestProject }> {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/groups.yaml': groups(...names) });
  const { code } = await project.run(['apply', '--yes', '--quiet'], workspace.variables);
  expect(code).toBe(0);
  return { workspace, project };
}

test('apply --detailed-exitcode: 2 after a change, 0 without one, failures as usual', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/groups.yaml': groups('A') });
  const apply = (...args: string[]) =>
    project.run(['apply', '--yes', '--detailed-exitcode', ...args], workspace.variables);
  const first = await apply('--json');
  expect([first.code, linesOf(first.out).at(-1)]).toEqual([2, expect.objectContaining({ exitCode: 2, done: 1 })]);
  expect((await apply()).code).toBe(0);
  await project.write('manifests/groups.yaml', groups('A', 'B'));
  expect((await project.run(['plan', '--out', 'plan.json'], workspace.variables)).code).toBe(0);
  expect((await apply('plan.json')).code).toBe(2);
  expect((await apply('plan.json')).code).toBe(5);
  await project.write('manifests/groups.yaml', manifest('UserGroup', 'C', { members: ['nobody@example.com'] }));
  expect((await apply()).code).not.toBe(2);
});

describe('-o name', () => {
  test('prints arguments for other commands, one in a line', async () => {
    const { workspace, project } = await applied('Quality', 'Night shift');
    const { out } = await project.run(['get', 'groups', '-o', 'name'], workspace.variables);
    // Steps run side by side.
    expect(out.split('\n').sort()).toEqual(['', 'UserGroup/Everyone', 'UserGroup/Night shift', 'UserGroup/Quality']);
    const run = async (...args: string[]) => (await project.run(args, workspace.variables)).out;
    expect(await run('orphans', 'group', '-o', 'name')).toBe('');
    const given = out.split('\n').slice(1, -1);
    expect(await run('forget', '-q', ...given)).toBe('');
    expect(await run('orphans', 'groups', '-o', 'name')).toBe(`${given.join('\n')}\n`);
    expect(await run('env', 'list', '-o', 'name')).toBe('local\nremote\n');
    await run('plan', '--adopt', '--out', 'ledger:release-12');
    expect(await run('plan', 'list', '-o', 'name')).toBe('ledger:release-12\n');
    expect(JSON.parse(await run('plan', 'list', '-o', 'json')).plans).toHaveLength(1);
    expect(await run('import', 'list', '-o', 'name')).toBe('');
    expect((await run('get', 'users', '-o', 'name')).split('\n')).toContain('User/ann@example.com');
    expect((await run('kinds', '-o', 'name')).split('\n').slice(0, 2)).toEqual([
      'ImportDefinition',
      'ExportDefinition',
    ]);
  });

  test('keeps a name with a line break on one line, with the same meaning', async () => {
    const { workspace, project } = await applied('Quality');
    await workspace.call('POST', '/settings/usergroups', { name: 'x\nUserGroup/Quality' });
    const { out } = await project.run(['get', 'groups', '-o', 'name'], workspace.variables);
    expect(out.split('\n').filter((line) => line === 'UserGroup/Quality')).toHaveLength(1);
  });

  test('refuses an unknown format with the nearest, and its error is JSON under -o json', async () => {
    const project = await testProject();
    const { code, err } = await project.run(['get', 'groups', '-o', 'nmae']);
    expect([code, err]).toEqual([
      3,
      'Error: Option `-o, --output <format>` argument "nmae" is invalid. Did you mean "name"? The formats are table, json, yaml, csv and name.\n[USAGE, exit 3]\n',
    ]);
    const { out } = await project.run(['plan', 'list', '-o', 'json', '--env', 'nowhere']);
    expect(JSON.parse(out).error.code).toBe('UNKNOWN_NAME');
  });
});

describe('--quiet', () => {
  test('leaves errors, blocked steps and data', async () => {
    const { workspace, project } = await applied('Quality');
    const run = (...args: string[]) => project.run([...args, '-q'], workspace.variables);
    expect(await run('plan')).toEqual({ code: 0, out: '', err: '' });
    expect(await run('drift')).toEqual({ code: 0, out: '', err: '' });
    expect(await run('validate')).toEqual({ code: 0, out: '', err: '' });
    expect((await run('get', 'groups', '-o', 'name')).out).toBe('UserGroup/Everyone\nUserGroup/Quality\n');
    expect(JSON.parse((await run('plan', '--json')).out).summary.unchanged).toBe(1);
    await project.write('manifests/groups.yaml', manifest('UserGroup', 'Quality', {}, { protect: true }));
    const blocked = await run('plan', '--replace', 'group/Quality');
    expect([blocked.code, blocked.out, blocked.err]).toEqual([4, '', expect.stringContaining('UserGroup/Quality')]);
    await project.write('manifests/groups.yaml', manifest('UserGroup', 'Quality', { descripton: 'x' }));
    const invalid = await run('validate');
    expect([invalid.code, invalid.out, invalid.err]).toEqual([3, '', expect.stringContaining('descripton')]);
  });

  test('asks nothing, since the subject of the question would be hidden', async () => {
    const project = await testProject({ 'manifests/groups.yaml': groups('A') });
    const { code, err } = await project.run(['apply', '-q']);
    expect([code, err]).toEqual([
      3,
      'Error: `dexsync apply` needs confirmation, but `--quiet` hides what you would confirm.\n' +
        'Review `dexsync plan`, then run `dexsync apply --yes`.\n[CONFIRMATION_NEEDED, exit 3]\n',
    ]);
  });
});

test('--summary: totals, problems and price of plan, apply and drift', async () => {
  const { workspace, project } = await applied('A', 'B');
  const run = async (...args: string[]) =>
    (await project.run([...args, '--summary'], workspace.variables)).out.replaceAll(/\d+ left/g, 'N left');
  const head = 'environment remote (workspace "Embedded Workspace")';
  await project.write('manifests/groups.yaml', groups('B', 'C'));
  expect(await run('plan')).toMatch(
    new RegExp(
      `^Plan for ${head.replaceAll(/[()]/g, '\\$&')}\n\nPlan: 1 to create, 1 unchanged\\.\nRequests: \\d used by this plan, 1 to apply it, N left today\\.\n`,
    ),
  );
  expect(await run('apply', '--yes')).toMatch(/^Plan for [^\n]*\n\nPlan: 1 to create[^✓]*\nResult: 1 done\.\n/);
  const { results } = (await workspace.call('GET', '/settings/usergroups')).body;
  const { guid } = results.find(({ name }: { name: string }) => name === 'B');
  await workspace.call('PUT', `/settings/usergroups/${guid}`, { name: 'B', description: 'changed' });
  expect(await run('drift')).toMatch(/^Drift of [^\n]*\n\n1 object has changed outside dexsync\.(?!.*description)/s);
  expect((await project.run(['plan', '--summary', '--json'])).code).toBe(3);
});
